// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <chrono>
#include <filesystem>
#include <string>

namespace core {

/// Waits for changes of a file, of the log beside a database, and of the name itself: a file that is replaced, removed
/// or made anew. Watches the folder with inotify; where that is not possible, each wait is only a pause, and the caller
/// has to look whether something changed.
class FileWatch final {
public:
    explicit FileWatch(const std::filesystem::path &file);
    FileWatch(const FileWatch &) = delete;
    FileWatch &operator=(const FileWatch &) = delete;
    ~FileWatch();

    /// Network folders do not report the changes that other computers make, so callers look now and then anyway.
    static constexpr std::chrono::milliseconds kLookAnyway { 2000 };
    /// The pause between two looks in a folder that cannot be watched.
    static constexpr std::chrono::milliseconds kPollEvery { 250 };

    [[nodiscard]] bool isWatching() const { return m_isWatching; }
    /// Returns true as soon as something may have changed, false after `longest` without a change.
    [[nodiscard]] bool wait(std::chrono::milliseconds longest);

private:
    [[nodiscard]] bool readEvents();

    std::string m_name; ///< without its folder
    int m_inotify = -1;
    bool m_isWatching = false;
};

} // namespace core
