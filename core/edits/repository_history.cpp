// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/repository_history.h"

#include "core/originals/git_handle.h"

namespace core {

namespace {

constexpr size_t kMostCommits = 20'000;

using GitWalk = GitHandle<git_revwalk, git_revwalk_free>;

std::string idAt(const git_tree *tree, const std::string &path)
{
    GitTreeEntry entry;
    if (git_tree_entry_bypath(entry.out(), tree, path.c_str()) != 0)
        return {};
    return hexOf(*git_tree_entry_id(entry.get()));
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
        const char *root = git_repository_workdir(m_repository.get());
        std::error_code error;
        const auto below = root == nullptr
            ? std::filesystem::path()
            : std::filesystem::relative(folder, std::filesystem::canonical(root, error), error);
        if (!error && !below.empty() && below != ".")
            m_prefix = below.string() + "/";
    }

    [[nodiscard]] bool isThere() const { return static_cast<bool>(m_repository); }
    [[nodiscard]] git_repository *repository() const { return m_repository.get(); }
    [[nodiscard]] git_odb *objects() const { return m_odb.get(); }
    [[nodiscard]] std::string inTree(const std::string &path) const { return m_prefix + path; }

private:
    GitLibrary m_library;
    GitRepository m_repository;
    GitOdb m_odb;
    std::string m_prefix; ///< of the folder below the repository's root
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

bool RepositoryHistory::isThere() const { return m_private->isThere(); }

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

std::optional<std::string> RepositoryHistory::headText(const std::string &path) const
{
    GitObject tree;
    if (!isThere() || git_revparse_single(tree.out(), m_private->repository(), "HEAD^{tree}") != 0)
        return std::nullopt;
    GitTreeEntry entry;
    const auto *treeOf = reinterpret_cast<const git_tree *>(tree.get());
    GitBlob blob;
    if (git_tree_entry_bypath(entry.out(), treeOf, m_private->inTree(path).c_str()) != 0
        || git_tree_entry_type(entry.get()) != GIT_OBJECT_BLOB
        || git_blob_lookup(blob.out(), m_private->repository(), git_tree_entry_id(entry.get())) != 0)
        return std::nullopt;
    return std::string(
        static_cast<const char *>(git_blob_rawcontent(blob.get())), static_cast<size_t>(git_blob_rawsize(blob.get())));
}

void RepositoryHistory::findCommits(std::vector<Wanted> &wanted, const Progress *progress) const
{
    GitWalk walk;
    if (wanted.empty() || !isThere() || git_revwalk_new(walk.out(), m_private->repository()) != 0
        || git_revwalk_push_head(walk.get()) != 0)
        return;
    git_revwalk_sorting(walk.get(), GIT_SORT_TOPOLOGICAL | GIT_SORT_TIME);
    git_oid id {};
    for (size_t i = 0; i < kMostCommits && git_revwalk_next(&id, walk.get()) == 0; ++i) {
        if (progress != nullptr && progress->isCancelled())
            return;
        GitCommit commit;
        GitTree tree;
        if (git_commit_lookup(commit.out(), m_private->repository(), &id) != 0
            || git_commit_tree(tree.out(), commit.get()) != 0)
            continue;
        std::string path;
        std::string blob;
        for (Wanted &each : wanted) { // those of one path stand together
            if (each.path != path || blob.empty()) {
                path = each.path;
                blob = idAt(tree.get(), m_private->inTree(path));
            }
            if (blob == each.blob && !blob.empty()) {
                each.commit = hexOf(id);
                constexpr Timestamp kMilliseconds = 1000;
                each.time = git_commit_time(commit.get()) * kMilliseconds;
            }
        }
    }
}

} // namespace core
