// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <string_view>

namespace core {

/// Whether a trimmed line only imports from other source files, or only names the package of its file: `import`,
/// `#include`, `use`, `require`, `package`, and a path in the list of a Go import. Files of one project share such
/// lines, so they do not show which file was needed.
[[nodiscard]] bool isImportLine(std::string_view line);

/// True for a text that has only import lines and blank lines, and at least one import line.
[[nodiscard]] bool areImportLines(std::string_view text);

} // namespace core
