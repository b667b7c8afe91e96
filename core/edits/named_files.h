// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A change of one concrete file, derived from a change of a folder or pattern.
struct NamedChange {
    FileChange change;
    bool isUncertain = false; ///< the log does not show whether this file is among those changed
};

/// Whether `path` is relative and does not leave its base folder.
[[nodiscard]] bool isBelowFolder(std::string_view path);

/// Whether `path` has one of the suffixes: ` .py .pyi `.
[[nodiscard]] bool hasSuffix(std::string_view path, std::string_view suffixes);

/// Resolves a change of a folder or pattern to the files among `known`. Moving, copying and removing a folder affects
/// all its files. For files of a pattern, and for formatters or git on a folder, it is uncertain which files were
/// changed. An unknown path counts as a file, unless the change says otherwise. Paths must be normalised. O(known).
[[nodiscard]] std::vector<NamedChange> namedChanges(const FileChange &change, std::span<const std::string> known);

} // namespace core
