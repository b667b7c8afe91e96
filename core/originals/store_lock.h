// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>

namespace core {

/// The write lock of a store: an operating system lock on the file `palimpsest.lock` in its folder, which contains `PID
/// HOST` of the writer. The system releases the lock of a process that dies, so a stale lock file blocks nobody.
class StoreLock final {
public:
    static constexpr std::string_view kFile = "palimpsest.lock";

    /// Waits for another writer for at most `timeout`; then fails with Busy and names the owner of the lock.
    [[nodiscard]] static Result<StoreLock> take(const std::filesystem::path &folder, std::chrono::milliseconds timeout);
    ~StoreLock();
    StoreLock(StoreLock &&other) noexcept;
    StoreLock &operator=(StoreLock &&) = delete;

    /// Whether the last writer died while writing; its incomplete files may be left in the folder.
    [[nodiscard]] bool wasLeftBehind() const { return m_wasLeftBehind; }

private:
    StoreLock() = default;

    int m_file = -1;
    bool m_wasLeftBehind = false;
};

} // namespace core
