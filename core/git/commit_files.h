// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/git/git_handle.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace core {

/// Reads files of one commit. The repository must outlive the object. Each folder's tree is read once: libgit2 parses a
/// large tree again for every path, which makes reading many files quadratic.
class CommitFiles final {
public:
    /// `where` is the place in error messages.
    CommitFiles(const GitRepository &repository, std::string oid, std::string where);

    [[nodiscard]] const std::string &oid() const { return m_oid; }
    /// Errors: NotFound (no such file), Malformed (an object is missing or damaged).
    [[nodiscard]] Result<std::string> read(std::string_view path);
    /// Number of trees read so far, a measure of the cost.
    [[nodiscard]] size_t treesRead() const { return m_trees.size(); }

private:
    /// The entry at a path; nullptr if there is none.
    [[nodiscard]] Result<const git_tree_entry *> entryAt(std::string_view path);
    /// The tree of a folder (`` or `originals`), read once; nullptr if there is none.
    [[nodiscard]] Result<git_tree *> treeOf(std::string_view folder);
    [[nodiscard]] std::unexpected<Error> damaged() const;
    [[nodiscard]] std::unexpected<Error> missing(std::string_view path) const;

    const GitRepository &m_repository;
    std::string m_oid;
    std::string m_where;
    std::map<std::string, GitTree, std::less<>> m_trees; ///< by folder
};

} // namespace core
