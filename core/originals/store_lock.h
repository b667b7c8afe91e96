// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <chrono>
#include <filesystem>

namespace core {

/// The right to write to a store: a lock of the operating system on the file `palimpsest.lock` in its folder, which
/// holds `PID HOST` of the writer while it writes. The system drops the lock of a process that dies, so that a lock
/// file left behind stops nobody.
class StoreLock final {
public:
    static constexpr std::string_view kFile = "palimpsest.lock";

    /// Waits for another writer until `timeout` has passed; then an error of kind Busy says who holds the lock.
    [[nodiscard]] static Result<StoreLock> take(const std::filesystem::path &folder, std::chrono::milliseconds timeout);
    ~StoreLock();
    StoreLock(StoreLock &&other) noexcept;
    StoreLock &operator=(StoreLock &&) = delete;

    /// The writer before did not come to its end: what it had begun may lie about.
    [[nodiscard]] bool wasLeftBehind() const { return m_wasLeftBehind; }

private:
    StoreLock() = default;

    int m_file = -1;
    bool m_wasLeftBehind = false;
};

} // namespace core
