// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Finds texts outside of the session: in the files below a working folder as they are now, and in the folder's git
/// repository, if any. Read-only; runs no hooks or filters. Movable; used by one thread at a time.
class RepositoryTexts final {
public:
    /// A missing folder, or a folder outside of any repository, finds nothing there; this is not an error.
    explicit RepositoryTexts(const std::filesystem::path &folder);
    ~RepositoryTexts();
    RepositoryTexts(RepositoryTexts &&) noexcept;
    RepositoryTexts &operator=(RepositoryTexts &&) noexcept;

    /// The current bytes of the file at `path`, absolute or relative to the folder. nullopt unless it is a regular file
    /// of at most 64 MiB below the folder (after following links). The view is valid until the next call.
    [[nodiscard]] std::optional<std::string_view> fileAt(const std::string &path);

    /// Whether the repository has a blob with exactly these bytes, in any commit or unreachable.
    [[nodiscard]] bool hasBlob(std::string_view bytes) const;

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
