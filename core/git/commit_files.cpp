// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/git/commit_files.h"

namespace core {

CommitFiles::CommitFiles(const GitRepository &repository, std::string oid, std::string where)
    : m_repository(repository)
    , m_oid(std::move(oid))
    , m_where(std::move(where))
{
}

Result<std::string> CommitFiles::read(std::string_view path)
{
    const auto entry = entryAt(path);
    if (!entry)
        return std::unexpected(entry.error());
    if (*entry == nullptr || git_tree_entry_type(*entry) != GIT_OBJECT_BLOB)
        return missing(path);
    GitBlob blob;
    if (git_blob_lookup(blob.out(), m_repository.get(), git_tree_entry_id(*entry)) != 0)
        return damaged();
    return std::string(
        static_cast<const char *>(git_blob_rawcontent(blob.get())), static_cast<size_t>(git_blob_rawsize(blob.get())));
}

Result<const git_tree_entry *> CommitFiles::entryAt(std::string_view path)
{
    const size_t slash = path.rfind('/');
    const bool isInFolder = slash != std::string_view::npos;
    const auto tree = treeOf(isInFolder ? path.substr(0, slash) : std::string_view());
    if (!tree)
        return std::unexpected(tree.error());
    const std::string name(isInFolder ? path.substr(slash + 1) : path);
    return *tree == nullptr ? nullptr : git_tree_entry_byname(*tree, name.c_str());
}

Result<git_tree *> CommitFiles::treeOf(std::string_view folder)
{
    const auto known = m_trees.find(folder);
    if (known != m_trees.end())
        return known->second.get();
    GitTree tree;
    if (folder.empty()) {
        git_oid id;
        GitCommit commit;
        const bool isThere = git_oid_fromstr(&id, m_oid.c_str()) == 0
            && git_commit_lookup(commit.out(), m_repository.get(), &id) == 0
            && git_commit_tree(tree.out(), commit.get()) == 0;
        if (!isThere)
            return damaged();
    } else {
        const auto entry = entryAt(folder);
        if (!entry)
            return std::unexpected(entry.error());
        if (*entry == nullptr || git_tree_entry_type(*entry) != GIT_OBJECT_TREE)
            return nullptr;
        if (git_tree_lookup(tree.out(), m_repository.get(), git_tree_entry_id(*entry)) != 0)
            return damaged();
    }
    return m_trees.emplace(std::string(folder), std::move(tree)).first->second.get();
}

std::unexpected<Error> CommitFiles::damaged() const
{
    return gitFailure(ErrorKind::Malformed, "The store is damaged", m_where);
}

std::unexpected<Error> CommitFiles::missing(std::string_view path) const
{
    return failure(
        ErrorKind::NotFound, "The commit " + m_oid.substr(0, 10) + " holds no “" + std::string(path) + "”.", m_where);
}

} // namespace core
