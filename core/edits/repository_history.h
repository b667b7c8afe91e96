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

/// The git repository that a folder belongs to: its HEAD, its objects, its history. Nothing is written, no hook or
/// filter runs. A value that is moved, used by one thread at a time.
class RepositoryHistory final {
public:
    /// A folder in no repository has no history: that is no error.
    explicit RepositoryHistory(const std::filesystem::path &folder);
    ~RepositoryHistory();
    RepositoryHistory(RepositoryHistory &&) noexcept;
    RepositoryHistory &operator=(RepositoryHistory &&) noexcept;

    [[nodiscard]] bool isThere() const;
    /// The id that a blob of these bytes has, and whether the repository holds it, in whatever commit or in none.
    [[nodiscard]] std::string blobOf(std::string_view bytes) const;
    [[nodiscard]] bool holdsBlob(const std::string &id) const;
    /// The file as HEAD has it, `path` relative to the folder; nothing where it has none.
    [[nodiscard]] std::optional<std::string> headText(const std::string &path) const;

    /// A blob that stood at a path.
    struct Wanted {
        std::string path;
        std::string blob;
        std::string commit; ///< found: the oldest commit of HEAD's history in which it does; empty if none
        Timestamp time = 0; ///< of that commit
    };
    /// Looks through the first 20,000 commits from HEAD. Costs O(commits × paths).
    void findCommits(std::vector<Wanted> &wanted, const Progress *progress = nullptr) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
