// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/originals/ledger.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace core {

/// The git blob id of the bytes: 40 hexadecimal digits, the same in every store.
[[nodiscard]] std::string objectIdOf(std::string_view bytes);

/// Bytes to store under a name. The view must outlive the commit.
struct StoredOriginal {
    std::string name; ///< unique among the originals of one compaction; rewrites and splices refer to it
    std::string_view bytes;
    std::optional<Coding> coding {}; ///< see LedgerOriginal
};

/// A file that the harness would have kept. The view must outlive the commit.
struct StoredArtifact {
    LedgerArtifact entry; ///< without path, oid and bytes
    std::string_view bytes;
};

/// All data of one compaction for a store.
struct StoredCompaction {
    Ledger ledger;      ///< the commit fills in its originals, artifacts and policy hash
    std::string policy; ///< the JSON document, stored unchanged
    std::vector<StoredOriginal> originals;
    std::vector<StoredArtifact> artifacts;
    int64_t seconds = 0; ///< commit time, since 1970, UTC
};

/// One commit of a store.
struct CommitInfo {
    std::string oid; ///< 40 hexadecimal digits
    std::string subject;
    int64_t seconds = 0;
    size_t number = 0; ///< 1 for the first compaction of the store
};

/// A store of originals: a bare git repository with one commit on the branch `main` for each committed compaction.
/// Plain `git show main:originals/…` can read it. A commit contains
///
///     ledger.json   policy.json   originals/NAME…   and the harness's artifacts under their own names
///
/// (tree_names.h maps names to paths). A commit writes and flushes everything, reads it back through another handle and
/// compares it, and only then moves `main` to it in one step. So a store whose writer is killed at any time is at its
/// last complete commit. One process writes at a time; readers need no lock. The same compactions in the same order
/// give the same object ids.
///
/// Movable; used by one thread at a time.
class Store final {
public:
    struct Options {
        std::chrono::milliseconds lockTimeout { 10'000 }; ///< how long to wait for another writer
        bool flushes = true; ///< flush to disk before `main` moves; without it a power failure may lose the last
                             ///< commits
    };

    /// Opens the store at `path`; fails if there is none.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path &path, const Options &options);
    [[nodiscard]] static Result<Store> open(const std::filesystem::path &path) { return open(path, Options()); }
    /// Opens the store, or creates it if the folder is missing or empty. Fails without touching anything if the folder
    /// has other content, another git repository included, or if the parent folder is missing.
    [[nodiscard]] static Result<Store> openOrCreate(const std::filesystem::path &path, const Options &options);
    [[nodiscard]] static Result<Store> openOrCreate(const std::filesystem::path &path)
    {
        return openOrCreate(path, Options());
    }
    ~Store();
    Store(Store &&) noexcept;
    Store &operator=(Store &&) noexcept;

    [[nodiscard]] const std::filesystem::path &path() const;

    /// Stores a compaction. After an error the store is unchanged. Errors: Busy (another writer, named in the message,
    /// did not finish in time), NotWritable (disk full, no permission), Malformed (the stored data reads back
    /// differently: the disk or the store is damaged), Internal (a rewrite names a missing original).
    [[nodiscard]] Result<CommitInfo> commit(const StoredCompaction &compaction);

    /// All commits, oldest first. Empty for a new store.
    [[nodiscard]] Result<std::vector<CommitInfo>> commits() const;
    /// One commit, by its number, its oid or a prefix of at least 7 digits; the last commit if `which` is empty.
    [[nodiscard]] Result<CommitInfo> find(std::string_view which) const;
    [[nodiscard]] Result<Ledger> ledger(const CommitInfo &commit) const;
    /// The bytes of an original or artifact. `name` is a path in the tree or an exact name; originals take precedence.
    [[nodiscard]] Result<std::string> read(const CommitInfo &commit, std::string_view name) const;
    /// The bytes of any file in a commit: `policy.json`.
    [[nodiscard]] Result<std::string> readPath(const CommitInfo &commit, std::string_view path) const;

private:
    class Private;
    explicit Store(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_private;
};

} // namespace core
