// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/originals/store_lock.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace core {

namespace {

constexpr std::chrono::milliseconds kPause { 10 };

/// `4711 host`, as written to the file.
std::string ownName()
{
    std::array<char, 256> host {};
    if (::gethostname(host.data(), host.size() - 1) != 0)
        host[0] = '?';
    return std::to_string(::getpid()) + " " + host.data();
}

std::string contentOf(int file)
{
    std::array<char, 400> buffer {};
    const ssize_t count = ::pread(file, buffer.data(), buffer.size(), 0);
    std::string text(buffer.data(), count > 0 ? static_cast<size_t>(count) : 0);
    return text.substr(0, text.find('\n'));
}

/// "Process 4711 on host", if the file says so.
std::string holderOf(int file)
{
    const std::string content = contentOf(file);
    const size_t blank = content.find(' ');
    if (blank == std::string::npos)
        return "Another process";
    return "Process " + content.substr(0, blank) + " on " + content.substr(blank + 1);
}

} // namespace

Result<StoreLock> StoreLock::take(const std::filesystem::path &folder, std::chrono::milliseconds timeout)
{
    const std::filesystem::path path = folder / kFile;
    StoreLock lock;
    lock.m_file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock.m_file < 0) {
        return failure(ErrorKind::NotWritable,
            std::string("The store cannot be written to: ") + std::strerror(errno) + ".", folder.string());
    }
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (::flock(lock.m_file, LOCK_EX | LOCK_NB) != 0) {
        const int code = errno;
        if (code != EWOULDBLOCK && code != EINTR) {
            ::close(std::exchange(lock.m_file, -1));
            return failure(ErrorKind::NotWritable,
                std::string("The store cannot be locked: ") + std::strerror(code) + ".", folder.string());
        }
        if (std::chrono::steady_clock::now() >= deadline) {
            const std::string holder = holderOf(lock.m_file);
            ::close(std::exchange(lock.m_file, -1)); // another process's lock, so do not empty the file
            return failure(ErrorKind::Busy,
                holder + " is writing to the store. Nothing was written after "
                    + std::to_string(std::chrono::duration_cast<std::chrono::seconds>(timeout).count())
                    + " seconds of waiting.",
                folder.string());
        }
        std::this_thread::sleep_for(kPause);
    }
    lock.m_wasLeftBehind = !contentOf(lock.m_file).empty();
    const std::string name = ownName() + "\n";
    // Never empties the file in between: if killed then, the next writer would not know that files of the last one are
    // left.
    const bool isWritten = ::pwrite(lock.m_file, name.data(), name.size(), 0) == static_cast<ssize_t>(name.size())
        && ::ftruncate(lock.m_file, static_cast<off_t>(name.size())) == 0;
    if (!isWritten) {
        return failure(ErrorKind::NotWritable,
            std::string("The store cannot be written to: ") + std::strerror(errno) + ".", folder.string());
    }
    return lock;
}

StoreLock::StoreLock(StoreLock &&other) noexcept
    : m_file(std::exchange(other.m_file, -1))
    , m_wasLeftBehind(other.m_wasLeftBehind)
{
}

StoreLock::~StoreLock()
{
    if (m_file < 0)
        return;
    // Emptied rather than removed, as waiting processes have it open.
    (void)!::ftruncate(m_file, 0);
    ::close(m_file);
}

} // namespace core
