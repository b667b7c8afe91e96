// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace core {

/// A file that is not there yet, in two steps: written beside its place, on the disk, then put there at once, so that
/// it is there whole or not at all. What stands there already, whatever it is, stays, and that is an error, as is a
/// folder that is not there. A file that was not put in place leaves nothing behind.
class NewFile final {
public:
    /// Whether a file could stand at `path`: nothing is there yet, not even a link, but its folder is.
    [[nodiscard]] static Result<void> check(const std::filesystem::path &path);
    [[nodiscard]] static Result<NewFile> write(const std::filesystem::path &path, std::string_view bytes);
    ~NewFile();
    NewFile(NewFile &&other) noexcept;
    NewFile &operator=(NewFile &&) = delete;

    [[nodiscard]] Result<void> putInPlace();

private:
    NewFile(std::string beside, std::string path);

    std::string m_beside; ///< empty once nothing is there
    std::string m_path;
};

/// Both steps.
[[nodiscard]] Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes);

} // namespace core
