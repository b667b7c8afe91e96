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

/// One text that a file had in a repository: a commit put it there, or took the file away.
struct FileVersion {
    std::string blob;        ///< id; empty: the commit took the file away
    std::string commit;      ///< that made it so: none of its parents has the same at that path
    Timestamp time = 0;      ///< when it was committed
    bool isInHistory = true; ///< of HEAD; else of another branch, a tag, the stash, or what the reflog still names
};

/// The git repository that a folder belongs to: its HEAD, its index, its objects, its history. Nothing is written, no
/// hook or filter runs. Paths are those of its trees: relative to the root of the working tree. A value that is moved,
/// used by one thread at a time.
class RepositoryHistory final {
public:
    /// A folder in no repository has no history: that is no error.
    explicit RepositoryHistory(const std::filesystem::path &folder);
    ~RepositoryHistory();
    RepositoryHistory(RepositoryHistory &&) noexcept;
    RepositoryHistory &operator=(RepositoryHistory &&) noexcept;

    [[nodiscard]] bool isThere() const;
    /// The root of the working tree; empty where there is none: no repository, or a bare one.
    [[nodiscard]] const std::filesystem::path &root() const;
    /// The id that a blob of these bytes has, and whether the repository holds it, in whatever commit or in none.
    [[nodiscard]] std::string blobOf(std::string_view bytes) const;
    [[nodiscard]] bool holdsBlob(const std::string &id) const;
    /// The bytes of a blob; nothing if there is none, or it is larger than 16 MiB.
    [[nodiscard]] std::optional<std::string> textOf(const std::string &blob) const;
    /// The blob at a path of HEAD, and of the index; empty where there is none.
    [[nodiscard]] std::string headBlob(const std::string &path) const;
    [[nodiscard]] std::string indexBlob(const std::string &path) const;

    /// The versions of each path, those of HEAD's history first and of these the oldest. Looks at the newest 20,000
    /// commits from HEAD, and as many that only other references and the reflogs of HEAD and the stash name. A folder
    /// that a commit has in common with a parent is not looked into: costs O(commits + folders on the way to the paths
    /// that commits touched). What was found so far, if cancelled.
    [[nodiscard]] std::vector<std::vector<FileVersion>> versionsOf(
        const std::vector<std::string> &paths, const Progress *progress = nullptr) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
