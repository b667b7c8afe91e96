// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A change of one file, made of one that a command asks of whatever its words name.
struct NamedChange {
    FileChange change;
    bool isUncertain = false; ///< whether this file is among those that it changed is not logged
};

/// `path` is relative and stays below the folder that it starts from.
[[nodiscard]] bool isBelowFolder(std::string_view path);

/// `path` has one of the suffixes: ` .py .pyi `.
[[nodiscard]] bool hasSuffix(std::string_view path, std::string_view suffixes);

/// Tells which files a change is about, from the paths of those that are known to be there. A folder's files are moved,
/// copied and removed with it; of a pattern's files, and of what a formatter or git does to a folder, it is not told
/// which were changed. What is not known is taken for a file, unless the change says otherwise. Paths are normal ones.
/// Costs O(known).
[[nodiscard]] std::vector<NamedChange> namedChanges(const FileChange &change, std::span<const std::string> known);

} // namespace core
