// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// Creates a file atomically: writes it to a file without a name in the same folder, flushes it to disk, then links it
/// into place. On file systems that know no such files it has a temporary name. An existing file, link or folder at the
/// path is never replaced, and is an error; so is a missing parent folder. An uncommitted file is removed.
class NewFile final {
public:
    /// Checks that the parent folder exists and that nothing is at `path`, not even a link.
    [[nodiscard]] static Result<void> check(const std::filesystem::path &path);
    /// `permissions` are `unknown` for those of any new file.
    [[nodiscard]] static Result<NewFile> write(const std::filesystem::path &path, std::string_view bytes,
        std::filesystem::perms permissions = std::filesystem::perms::unknown);
    ~NewFile();
    NewFile(NewFile &&other) noexcept;
    NewFile &operator=(NewFile &&) = delete;

    [[nodiscard]] Result<void> putInPlace();

private:
    NewFile(int file, std::string beside, std::string path);

    int m_file = -1;
    std::string m_beside; ///< its temporary name, or empty
    std::string m_path;
};

/// Writes and commits a new file.
[[nodiscard]] Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes);

} // namespace core
