// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"

#include <string_view>
#include <vector>

namespace core {

/// The files that a patch in the grammar of Codex's `apply_patch` changes, in order: `*** Add File:`, `*** Delete
/// File:`, `*** Update File:` with `*** Move to:`, hunks that begin with `@@`. Ignores text outside of `*** Begin
/// Patch` and `*** End Patch`. A truncated patch yields what precedes the cut. One pass.
[[nodiscard]] std::vector<FileChange> parsePatch(std::string_view text);

/// The hunks of one file; `text` is the part below `*** Update File:`.
[[nodiscard]] std::vector<PatchHunk> parseHunks(std::string_view text);

} // namespace core
