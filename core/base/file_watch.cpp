// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/file_watch.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <poll.h>
#include <sys/inotify.h>
#include <thread>
#include <unistd.h>

namespace core {

FileWatch::FileWatch(const std::filesystem::path &file)
    : m_name(file.filename().string())
    , m_inotify(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK))
{
    constexpr uint32_t kEvents
        = IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    m_isWatching = m_inotify >= 0 && ::inotify_add_watch(m_inotify, folder.c_str(), kEvents) >= 0;
}

FileWatch::~FileWatch()
{
    if (m_inotify >= 0)
        ::close(m_inotify);
}

bool FileWatch::wait(std::chrono::milliseconds longest)
{
    using Clock = std::chrono::steady_clock;
    if (!m_isWatching) {
        std::this_thread::sleep_for(std::min(longest, kPollEvery));
        return true;
    }
    const auto until = Clock::now() + longest;
    while (true) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        pollfd waited { m_inotify, POLLIN, 0 };
        if (left.count() <= 0 || ::poll(&waited, 1, static_cast<int>(left.count())) == 0)
            return false;
        if (readEvents())
            return true;
    }
}

/// Takes all events there are. True if one is about the file, or if the folder is not watched any more.
bool FileWatch::readEvents()
{
    bool isOurs = false;
    alignas(inotify_event) std::array<char, 16U << 10U> buffer {};
    for (ssize_t size = 0; (size = ::read(m_inotify, buffer.data(), buffer.size())) > 0;) {
        for (ssize_t at = 0; at < size;) {
            inotify_event event {};
            std::memcpy(&event, buffer.data() + at, sizeof(event));
            const char *name = buffer.data() + at + sizeof(event);
            const std::string_view changed = event.len > 0 ? std::string_view(name) : std::string_view();
            m_isWatching = m_isWatching && (event.mask & IN_IGNORED) == 0;
            isOurs = isOurs || !m_isWatching || (event.mask & IN_Q_OVERFLOW) != 0 || changed.starts_with(m_name);
            at += static_cast<ssize_t>(sizeof(event) + event.len);
        }
    }
    return isOurs;
}

} // namespace core
