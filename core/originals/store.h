// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/originals/ledger.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace core {

/// The object id that bytes have in every store: that of a git blob, 40 hexadecimal digits.
[[nodiscard]] std::string objectIdOf(std::string_view bytes);

/// Bytes to keep under a name. The view must outlive the commit.
struct StoredOriginal {
    std::string name; ///< unique among the originals of one compaction: rewrites and splices call it by this
    std::string_view bytes;
    std::optional<Coding> coding {}; ///< as LedgerOriginal says it
};

/// What the harness would have kept. The view must outlive the commit.
struct StoredArtifact {
    LedgerArtifact entry; ///< all but path, oid and bytes
    std::string_view bytes;
};

/// Everything that one committed compaction leaves in a store.
struct StoredCompaction {
    Ledger ledger;      ///< its lists of originals and artifacts and its policy hash are written by the commit
    std::string policy; ///< JSON, as it is to be read again
    std::vector<StoredOriginal> originals;
    std::vector<StoredArtifact> artifacts;
    int64_t seconds = 0; ///< since 1970, UTC: when it was committed
};

/// One commit of a store.
struct CommitInfo {
    std::string oid; ///< 40 hexadecimal digits
    std::string subject;
    int64_t seconds = 0;
    size_t number = 0; ///< 1 is the first compaction of the store
};

/// Where originals are kept: a bare git repository with one commit for each committed compaction on the branch `main`,
/// which `git show main:originals/…` reads as well as we do. A commit holds
///
///     ledger.json   policy.json   originals/NAME…   and the harness's artifacts at the harness's own names
///
/// (tree_names.h says how names become paths). Everything is written and flushed, read back by another handle and
/// compared before `main` moves to it, in one step: a store whose writer is killed at any instant stands at its last
/// commit. One process writes at a time; readers need no lock. The same compactions in the same order give the same
/// object ids.
///
/// A store is a value that is moved, used by one thread at a time.
class Store final {
public:
    struct Options {
        std::chrono::milliseconds lockTimeout { 10'000 }; ///< how long another writer is waited for
        bool flushes = true; ///< to the disk before `main` moves; without it a power failure may lose the last commits
    };

    /// Opens the store at `path`; an error if there is none.
    [[nodiscard]] static Result<Store> open(const std::filesystem::path &path, const Options &options);
    [[nodiscard]] static Result<Store> open(const std::filesystem::path &path) { return open(path, Options()); }
    /// The same, making it where there is nothing or an empty folder. A folder that is something else, be it another
    /// git repository, is an error and stays as it is; so is a place whose folder is not there.
    [[nodiscard]] static Result<Store> openOrCreate(const std::filesystem::path &path, const Options &options);
    [[nodiscard]] static Result<Store> openOrCreate(const std::filesystem::path &path)
    {
        return openOrCreate(path, Options());
    }
    ~Store();
    Store(Store &&) noexcept;
    Store &operator=(Store &&) noexcept;

    [[nodiscard]] const std::filesystem::path &path() const;

    /// Stores a compaction. After an error the store is as it was before. Kinds: Busy (another writer, named, did not
    /// end in time), NotWritable (disk full, no permission), Malformed (it does not read back as it was written: the
    /// disk or the store is damaged), Internal (a rewrite names an original that is not there).
    [[nodiscard]] Result<CommitInfo> commit(const StoredCompaction &compaction);

    /// All commits, the oldest first. Empty for a new store.
    [[nodiscard]] Result<std::vector<CommitInfo>> commits() const;
    /// One of them: by its number, by its oid or the first 7 or more digits of it, or the last one if `which` is empty.
    [[nodiscard]] Result<CommitInfo> find(std::string_view which) const;
    [[nodiscard]] Result<Ledger> ledger(const CommitInfo &commit) const;
    /// The bytes of an original or artifact: `name` is its path in the tree or its exact name (originals first).
    [[nodiscard]] Result<std::string> read(const CommitInfo &commit, std::string_view name) const;
    /// The bytes of any file of a commit: `policy.json`.
    [[nodiscard]] Result<std::string> readPath(const CommitInfo &commit, std::string_view path) const;

private:
    class Private;
    explicit Store(std::unique_ptr<Private> d);
    std::unique_ptr<Private> m_private;
};

} // namespace core
