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

/// A link keeps what is there; file systems without links are looked at first.
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

} // namespace

Result<void> writeNewFile(const std::filesystem::path &path, std::string_view bytes)
{
    const auto fail = [&](int code) {
        return failure(ErrorKind::NotWritable,
            code == EEXIST ? std::string("There is a file at this place already; it was left as it is.")
                           : std::string("The file could not be written: ") + std::strerror(code) + ".",
            path.string());
    };
    const std::string beside = path.string() + ".new-" + std::to_string(::getpid());
    ::unlink(beside.c_str()); // of a process that had this number and was killed
    const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return fail(errno);
    const bool isWritten = writeAll(file, bytes) && ::fsync(file) == 0;
    int code = errno;
    ::close(file);
    const bool isInPlace = isWritten && putInPlace(beside, path.string());
    if (isWritten)
        code = errno;
    ::unlink(beside.c_str());
    if (!isInPlace)
        return fail(code);
    return {};
}

} // namespace core
