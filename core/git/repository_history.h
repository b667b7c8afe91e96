// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/session/session.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// One version of a file in a repository's history.
struct FileVersion {
    std::string blob;        ///< object id; empty if the commit deleted the file
    std::string commit;      ///< the commit that introduced the version: no parent has it at that path
    Timestamp time = 0;      ///< commit time
    bool isInHistory = true; ///< of HEAD; else on another branch, a tag, the stash, or only in a reflog
};

/// The git repository of a folder: its HEAD, index, objects and history. Read-only; runs no hooks or filters. Paths are
/// relative to the root of the working tree. Movable; used by one thread at a time.
class RepositoryHistory final {
public:
    /// A folder outside of any repository has an empty history; this is not an error.
    explicit RepositoryHistory(const std::filesystem::path &folder);
    ~RepositoryHistory();
    RepositoryHistory(RepositoryHistory &&) noexcept;
    RepositoryHistory &operator=(RepositoryHistory &&) noexcept;

    [[nodiscard]] bool isThere() const;
    /// The root of the working tree; empty without a repository or if it is bare.
    [[nodiscard]] const std::filesystem::path &root() const;
    /// The object id of a blob with these bytes. `holdsBlob` also finds blobs that no commit reaches.
    [[nodiscard]] std::string blobOf(std::string_view bytes) const;
    [[nodiscard]] bool holdsBlob(const std::string &id) const;
    /// The bytes of a blob; nullopt if it is missing or larger than 16 MiB.
    [[nodiscard]] std::optional<std::string> textOf(const std::string &blob) const;
    /// The blob at a path in HEAD or in the index; empty if there is none.
    [[nodiscard]] std::string headBlob(const std::string &path) const;
    [[nodiscard]] std::string indexBlob(const std::string &path) const;

    /// The versions of each path: those in HEAD's history first, oldest first, then the others. Reads the newest 20,000
    /// commits from HEAD, and 20,000 more that only other references and the reflogs of HEAD and the stash name. Skips
    /// folders that a commit shares with a parent: costs O(commits + folders on the way to the paths that commits
    /// touched). If cancelled, returns what was found so far.
    [[nodiscard]] std::vector<std::vector<FileVersion>> versionsOf(
        const std::vector<std::string> &paths, const Progress *progress = nullptr) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
