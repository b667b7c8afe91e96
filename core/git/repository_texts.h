// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Where else a text is: in the files below a working folder as they are now, and in the git repository that the folder
/// belongs to, if it does. Nothing is written, no hook or filter runs. A value that is moved, used by one thread at a
/// time.
class RepositoryTexts final {
public:
    /// A folder that is none, or in no repository, holds nothing there: that is no error.
    explicit RepositoryTexts(const std::filesystem::path &folder);
    ~RepositoryTexts();
    RepositoryTexts(RepositoryTexts &&) noexcept;
    RepositoryTexts &operator=(RepositoryTexts &&) noexcept;

    /// What the file at `path` holds now: absolute, or relative to the folder. Nothing unless it is a regular file
    /// below the folder (links are followed) of at most 64 MiB. The view stays until the next path is asked for.
    [[nodiscard]] std::optional<std::string_view> fileAt(const std::string &path);

    /// Whether the repository holds a blob of these very bytes, in whatever commit, or in none any more.
    [[nodiscard]] bool hasBlob(std::string_view bytes) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
