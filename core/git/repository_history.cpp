// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/git/repository_history.h"

#include "core/git/git_handle.h"

#include <algorithm>
#include <array>
#include <map>
#include <ranges>

namespace core {

namespace {

constexpr size_t kMostCommits = 20'000;
constexpr git_object_size_t kLargestBlob = 16U << 20U;

using GitWalk = GitHandle<git_revwalk, git_revwalk_free>;
using GitReflog = GitHandle<git_reflog, git_reflog_free>;
using GitIndex = GitHandle<git_index, git_index_free>;

/// A tree of the folders and files to look for, by name.
struct PathNode {
    std::map<std::string, PathNode> children;
    std::vector<size_t> paths; ///< indices of the paths that end here
};

PathNode treeOf(const std::vector<std::string> &paths)
{
    PathNode root;
    for (size_t i = 0; i < paths.size(); ++i) {
        PathNode *node = &root;
        for (const auto &part : std::views::split(paths[i], '/'))
            node = &node->children[std::string(std::string_view(part))];
        node->paths.push_back(i);
    }
    return root;
}

/// The id of the tree's entry; zero if there is none.
git_oid idOf(const git_tree *tree, const std::string &name)
{
    const git_tree_entry *entry = tree == nullptr ? nullptr : git_tree_entry_byname(tree, name.c_str());
    return entry == nullptr ? git_oid {} : *git_tree_entry_id(entry);
}

/// Compares a commit with its parents, descending only into folders that differ.
class TouchedPaths final {
public:
    TouchedPaths(git_repository *repository, std::vector<std::vector<FileVersion>> &versions)
        : m_repository(repository)
        , m_versions(versions)
    {
    }

    void look(const PathNode &wanted, const git_oid &id, bool isInHistory)
    {
        GitCommit commit;
        GitTree tree;
        if (git_commit_lookup(commit.out(), m_repository, &id) != 0 || git_commit_tree(tree.out(), commit.get()) != 0)
            return;
        std::vector<GitTree> parents(git_commit_parentcount(commit.get()));
        for (unsigned int i = 0; i < parents.size(); ++i) {
            GitCommit parent;
            if (git_commit_parent(parent.out(), commit.get(), i) == 0)
                std::ignore = git_commit_tree(parents[i].out(), parent.get());
        }
        constexpr Timestamp kMilliseconds = 1000;
        m_version = { {}, hexOf(id), git_commit_time(commit.get()) * kMilliseconds, isInHistory };
        std::erase_if(parents, [](const GitTree &parent) { return !parent; }); // missing parents: a shallow clone ends
                                                                               // here
        look(wanted, tree.get(), parents);
    }

private:
    void look(const PathNode &wanted, const git_tree *tree, const std::vector<GitTree> &parents)
    {
        for (const auto &[name, child] : wanted.children) {
            const git_oid own = idOf(tree, name);
            const auto isSame = [&](const GitTree &parent) {
                const git_oid its = idOf(parent.get(), name);
                return git_oid_equal(&own, &its) != 0;
            };
            if (std::ranges::any_of(parents, isSame) || (parents.empty() && git_oid_is_zero(&own) != 0))
                continue;
            for (const size_t path : child.paths) {
                m_version.blob = git_oid_is_zero(&own) != 0 ? std::string() : hexOf(own);
                m_versions[path].push_back(m_version);
            }
            if (child.children.empty())
                continue;
            std::vector<GitTree> below;
            below.reserve(parents.size());
            for (const GitTree &parent : parents)
                below.push_back(treeAt(parent.get(), name));
            look(child, treeAt(tree, name).get(), below);
        }
    }

    /// Null if the parent has no such folder, and so none of its files.
    [[nodiscard]] GitTree treeAt(const git_tree *tree, const std::string &name) const
    {
        GitTree below;
        const git_tree_entry *entry = tree == nullptr ? nullptr : git_tree_entry_byname(tree, name.c_str());
        if (entry != nullptr && git_tree_entry_type(entry) == GIT_OBJECT_TREE)
            std::ignore = git_tree_lookup(below.out(), m_repository, git_tree_entry_id(entry));
        return below;
    }

    git_repository *m_repository;
    std::vector<std::vector<FileVersion>> &m_versions;
    FileVersion m_version;
};

/// The commits of a walk, oldest first.
std::vector<git_oid> commitsOf(git_revwalk *walk)
{
    std::vector<git_oid> commits;
    git_oid id {};
    while (commits.size() < kMostCommits && git_revwalk_next(&id, walk) == 0)
        commits.push_back(id);
    std::ranges::reverse(commits);
    return commits;
}

/// Adds the former values of a reference to the walk. Checks for the reflog first, as reading a missing one would
/// create it.
void pushReflog(git_revwalk *walk, git_repository *repository, const char *name)
{
    GitReflog log;
    if (git_reference_has_log(repository, name) != 1 || git_reflog_read(log.out(), repository, name) != 0)
        return;
    for (size_t i = 0; i < git_reflog_entrycount(log.get()); ++i)
        std::ignore = git_revwalk_push(walk, git_reflog_entry_id_new(git_reflog_entry_byindex(log.get(), i)));
}

} // namespace

class RepositoryHistory::Private {
public:
    explicit Private(const std::filesystem::path &folder)
    {
        if (git_repository_open_ext(m_repository.out(), folder.c_str(), 0, nullptr) != 0
            || git_repository_odb(m_odb.out(), m_repository.get()) != 0) {
            m_repository.reset();
            return;
        }
        std::error_code error;
        if (const char *root = git_repository_workdir(m_repository.get()); root != nullptr)
            m_root = std::filesystem::canonical(root, error);
        if (git_repository_index(m_index.out(), m_repository.get()) != 0)
            m_index.reset();
        GitObject tree;
        if (git_revparse_single(tree.out(), m_repository.get(), "HEAD^{tree}") == 0)
            std::ignore = git_tree_lookup(m_head.out(), m_repository.get(), git_object_id(tree.get()));
    }

    [[nodiscard]] git_repository *repository() const { return m_repository.get(); }
    [[nodiscard]] git_odb *objects() const { return m_odb.get(); }
    [[nodiscard]] git_index *index() const { return m_index.get(); }
    [[nodiscard]] git_tree *head() const { return m_head.get(); }
    [[nodiscard]] const std::filesystem::path &root() const { return m_root; }

    [[nodiscard]] std::vector<git_oid> historyOfHead() const
    {
        GitWalk walk;
        if (git_revwalk_new(walk.out(), repository()) != 0 || git_revwalk_push_head(walk.get()) != 0)
            return {};
        git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
        return commitsOf(walk.get());
    }
    [[nodiscard]] std::vector<git_oid> elsewhere() const
    {
        GitWalk walk;
        if (git_revwalk_new(walk.out(), repository()) != 0)
            return {};
        git_revwalk_sorting(walk.get(), GIT_SORT_TIME);
        std::ignore = git_revwalk_push_glob(walk.get(), "refs/*");
        pushReflog(walk.get(), repository(), "HEAD");
        pushReflog(walk.get(), repository(), "refs/stash");
        std::ignore = git_revwalk_hide_head(walk.get());
        return commitsOf(walk.get());
    }

private:
    GitLibrary m_library;
    GitRepository m_repository;
    GitOdb m_odb;
    GitIndex m_index;
    GitTree m_head;
    std::filesystem::path m_root;
};

RepositoryHistory::RepositoryHistory(const std::filesystem::path &folder)
{
    std::error_code error;
    const auto whole = std::filesystem::canonical(folder, error);
    m_private = std::make_unique<Private>(error ? folder : whole);
}

RepositoryHistory::~RepositoryHistory() = default;
RepositoryHistory::RepositoryHistory(RepositoryHistory &&) noexcept = default;
RepositoryHistory &RepositoryHistory::operator=(RepositoryHistory &&) noexcept = default;

bool RepositoryHistory::isThere() const { return m_private->repository() != nullptr; }

const std::filesystem::path &RepositoryHistory::root() const { return m_private->root(); }

std::string RepositoryHistory::blobOf(std::string_view bytes) const
{
    git_oid id {};
    return git_odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB) == 0 ? hexOf(id) : std::string();
}

bool RepositoryHistory::holdsBlob(const std::string &id) const
{
    git_oid oid {};
    return isThere() && git_oid_fromstr(&oid, id.c_str()) == 0 && git_odb_exists(m_private->objects(), &oid) == 1;
}

std::optional<std::string> RepositoryHistory::textOf(const std::string &blob) const
{
    git_oid oid {};
    size_t size = 0;
    git_object_t type = GIT_OBJECT_INVALID;
    GitBlob found;
    if (!isThere() || blob.empty() || git_oid_fromstr(&oid, blob.c_str()) != 0
        || git_odb_read_header(&size, &type, m_private->objects(), &oid) != 0 || type != GIT_OBJECT_BLOB
        || size > kLargestBlob || git_blob_lookup(found.out(), m_private->repository(), &oid) != 0)
        return std::nullopt;
    return std::string(static_cast<const char *>(git_blob_rawcontent(found.get())),
        static_cast<size_t>(git_blob_rawsize(found.get())));
}

std::string RepositoryHistory::headBlob(const std::string &path) const
{
    GitTreeEntry entry;
    if (m_private->head() == nullptr || git_tree_entry_bypath(entry.out(), m_private->head(), path.c_str()) != 0
        || git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB)
        return {};
    return hexOf(*git_tree_entry_id(entry.get()));
}

std::string RepositoryHistory::indexBlob(const std::string &path) const
{
    const git_index_entry *entry
        = m_private->index() == nullptr ? nullptr : git_index_get_bypath(m_private->index(), path.c_str(), 0);
    return entry == nullptr ? std::string() : hexOf(entry->id);
}

std::vector<std::vector<FileVersion>> RepositoryHistory::versionsOf(
    const std::vector<std::string> &paths, const Progress *progress) const
{
    std::vector<std::vector<FileVersion>> versions(paths.size());
    if (!isThere() || paths.empty())
        return versions;
    const PathNode wanted = treeOf(paths);
    TouchedPaths touched(m_private->repository(), versions);
    const std::array walks { m_private->historyOfHead(), m_private->elsewhere() };
    for (size_t walk = 0; walk < walks.size(); ++walk) {
        for (const git_oid &id : walks[walk]) {
            if (progress != nullptr && progress->isCancelled())
                return versions;
            touched.look(wanted, id, walk == 0);
        }
    }
    return versions;
}

} // namespace core
