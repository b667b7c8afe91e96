// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/new_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace core {

namespace {

bool writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return false;
        bytes.remove_prefix(static_cast<size_t>(count));
    }
    return true;
}

std::string pathOf(int file) { return "/proc/self/fd/" + std::to_string(file); }

/// A file without a name in the folder of `path`: if the process dies, the system removes it. -1 where the file system
/// knows no such files, or where it could get no name later.
int openUnnamed(const std::filesystem::path &path)
{
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const int file = ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
    if (file < 0 || ::access(pathOf(file).c_str(), F_OK) == 0)
        return file;
    ::close(file);
    return -1;
}

/// A hard link never replaces an existing file.
bool nameFile(int file, const std::string &path)
{
    return ::linkat(AT_FDCWD, pathOf(file).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

/// Links the file as well. On file systems without links, checks for an existing file first.
bool putInPlace(const std::string &from, const std::string &to)
{
    if (::link(from.c_str(), to.c_str()) == 0)
        return true;
    struct ::stat status {};
    if (errno == EEXIST)
        return false;
    if (::lstat(to.c_str(), &status) == 0) {
        errno = EEXIST;
        return false;
    }
    return ::rename(from.c_str(), to.c_str()) == 0;
}

std::unexpected<Error> notWritten(int code, const std::string &path)
{
    return failure(ErrorKind::NotWritable,
        code == EEXIST ? std::string("There is a file at this place already; it was left as it is.")
                       : std::string("The file could not be written: ") + std::strerror(code) + ".",
        path);
}

} // namespace

Result<void> NewFile::check(const std::filesystem::path &path)
{
    struct ::stat status {};
    if (::lstat(path.c_str(), &status) == 0) {
        return failure(ErrorKind::NotWritable,
            S_ISLNK(status.st_mode)       ? "There is a link at this place already; it was left as it is."
                : S_ISDIR(status.st_mode) ? "There is a folder at this place already; it was left as it is."
                                          : "There is a file at this place already; it was left as it is.",
            path.string());
    }
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    const bool isThere = ::stat(folder.c_str(), &status) == 0;
    if (isThere ? !S_ISDIR(status.st_mode) : errno == ENOENT || errno == ENOTDIR)
        return failure(
            ErrorKind::NotWritable, "There is no folder “" + folder.string() + "” to write it to.", path.string());
    return {};
}

Result<NewFile> NewFile::write(
    const std::filesystem::path &path, std::string_view bytes, std::filesystem::perms permissions)
{
    if (const auto free = check(path); !free)
        return std::unexpected(free.error());
    std::string beside;
    int file = openUnnamed(path);
    if (file < 0) {
        beside = path.string() + ".new-" + std::to_string(::getpid());
        ::unlink(beside.c_str()); // left by a killed process with the same id
        file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (file < 0)
        return notWritten(errno, path.string());
    NewFile written(file, beside, path.string());
    const bool isPermitted
        = permissions == std::filesystem::perms::unknown || ::fchmod(file, static_cast<mode_t>(permissions)) == 0;
    if (!isPermitted || !writeAll(file, bytes) || ::fsync(file) != 0)
        return notWritten(errno, path.string());
    return written;
}

NewFile::NewFile(int file, std::string beside, std::string path)
    : m_file(file)
    , m_beside(std::move(beside))
    , m_path(std::move(path))
{
}

NewFile::NewFile(NewFile &&other) noexcept
    : m_file(std::exchange(other.m_file, -1))
    , m_beside(std::exchange(other.m_beside, {}))
    , m_path(std::move(other.m_path))
{
}

NewFile::~NewFile()
{
    if (!m_beside.empty())
        ::unlink(m_beside.c_str());
    if (m_file >= 0)
        ::close(m_file);
}

Result<void> NewFile::putInPlace()
{
    const bool isPlaced = m_beside.empty() ? nameFile(m_file, m_path) : core::putInPlace(m_beside, m_path);
    if (!isPlaced)
        return notWritten(errno, m_path);
    return {};
}

Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes)
{
    auto file = NewFile::write(path, bytes);
    return file ? file->putInPlace() : std::unexpected(file.error());
}

} // namespace core
