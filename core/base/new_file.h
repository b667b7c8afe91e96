// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// Creates a file atomically: writes it to a temporary file in the same folder, flushes it to disk, then links it into
/// place. An existing file, link or folder at the path is never replaced, and is an error; so is a missing parent
/// folder. An uncommitted file is removed.
class NewFile final {
public:
    /// Checks that the parent folder exists and that nothing is at `path`, not even a link.
    [[nodiscard]] static Result<void> check(const std::filesystem::path &path);
    [[nodiscard]] static Result<NewFile> write(const std::filesystem::path &path, std::string_view bytes);
    ~NewFile();
    NewFile(NewFile &&other) noexcept;
    NewFile &operator=(NewFile &&) = delete;

    [[nodiscard]] Result<void> putInPlace();

private:
    NewFile(std::string beside, std::string path);

    std::string m_beside; ///< the temporary file; empty once it is gone
    std::string m_path;
};

/// Writes and commits a new file.
[[nodiscard]] Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes);

} // namespace core
