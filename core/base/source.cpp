// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/source.h"

#include "core/base/taken_bytes.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace core {

namespace {

class FileDescriptor final {
public:
    explicit FileDescriptor(int descriptor)
        : m_descriptor(descriptor)
    {
    }
    FileDescriptor(const FileDescriptor &) = delete;
    FileDescriptor &operator=(const FileDescriptor &) = delete;
    ~FileDescriptor()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    [[nodiscard]] int value() const { return m_descriptor; }

private:
    int m_descriptor;
};

/// The mapped sources, for the signal handler: a fixed table of atomics, because a handler may not lock or allocate.
constexpr size_t kMaxMappings = 256;
std::array<std::atomic<const Source *>, kMaxMappings> mappedSources {};
struct sigaction previousAction = {};

std::atomic<uint64_t> takenByteCount = 0;

extern "C" void handleBusError(int signal, siginfo_t *info, void *context)
{
    for (const auto &entry : mappedSources) {
        const Source *source = entry.load(std::memory_order_acquire);
        if (source != nullptr && source->claimFault(info->si_addr))
            return;
    }
    // Not a fault of ours. Calls the previous handler if it is permanent. Otherwise restores it and returns, so that
    // the instruction faults again under it: such a handler may rely on being reset, and calling it from here could
    // loop for ever.
    const bool stays
        = (previousAction.sa_flags & SA_SIGINFO) != 0 && (previousAction.sa_flags & int(SA_RESETHAND)) == 0;
    if (stays && previousAction.sa_sigaction != nullptr) {
        previousAction.sa_sigaction(signal, info, context);
        return;
    }
    ::sigaction(signal, &previousAction, nullptr);
    if (info->si_code <= 0)
        ::raise(signal); // sent by kill(): it does not come again by itself
}

void installBusHandler()
{
    static std::once_flag once;
    std::call_once(once, [] {
        struct sigaction action = {};
        action.sa_sigaction = handleBusError;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigemptyset(&action.sa_mask);
        ::sigaction(SIGBUS, &action, &previousAction);
    });
}

bool registerMapping(const Source *source)
{
    for (auto &entry : mappedSources) {
        const Source *none = nullptr;
        if (entry.compare_exchange_strong(none, source, std::memory_order_acq_rel))
            return true;
    }
    return false;
}

void unregisterMapping(const Source *source)
{
    for (auto &entry : mappedSources) {
        const Source *mine = source;
        if (entry.compare_exchange_strong(mine, nullptr, std::memory_order_acq_rel))
            return;
    }
}

size_t pageSize() { return static_cast<size_t>(::sysconf(_SC_PAGESIZE)); }

std::string systemSentence(int error, const char *deed)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return "There is no such file.";
    case ENXIO: // a socket, or a device without a driver
        return "This is not a regular file.";
    case EACCES:
    case EPERM:
        return "You have no permission to read this file.";
    default:
        return std::string("The file could not be ") + deed + ": " + std::strerror(error) + ".";
    }
}

/// Reads what the descriptor holds now, up to `expected` bytes.
Result<std::string> readAll(int descriptor, size_t expected, const std::string &name)
{
    std::string buffer;
    buffer.reserve(expected + Source::kPadding);
    buffer.resize(expected);
    size_t done = 0;
    while (done < expected) {
        const ssize_t count = ::read(descriptor, buffer.data() + done, expected - done);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return failure(ErrorKind::NotReadable, systemSentence(errno, "read"), name);
        if (count == 0)
            break; // the file shrank while being read; hasChanged() reports that
        done += static_cast<size_t>(count);
    }
    buffer.resize(done);
    return buffer;
}

} // namespace

Source::Stamp Source::stampOf(const struct ::stat &status)
{
    return { static_cast<uint64_t>(status.st_size), static_cast<uint64_t>(status.st_ino),
        static_cast<int64_t>(status.st_mtim.tv_sec), static_cast<int64_t>(status.st_mtim.tv_nsec) };
}

Source::~Source()
{
    if (m_mapping != nullptr) {
        unregisterMapping(this);
        ::munmap(m_mapping, m_mappingSize);
    }
}

Result<SourcePtr> Source::open(const std::filesystem::path &path) { return open(path, kMapThreshold); }

Result<SourcePtr> Source::reopen() const
{
    constexpr size_t kCompared = 4096;
    const auto changed = [&] {
        return failure(
            ErrorKind::Changed, "The file was replaced or written over since it was opened; load it again.", m_name);
    };
    if (m_path.empty())
        return changed();
    auto grown = open(m_path, 1);
    if (!grown)
        return grown;
    const std::string_view before = bytes();
    const std::string_view now = (*grown)->bytes().substr(0, before.size());
    const size_t compared = std::min(kCompared, before.size());
    const bool goesOn = (*grown)->m_stamp.inode == m_stamp.inode && now.size() == before.size()
        && now.substr(now.size() - compared) == before.substr(before.size() - compared);
    if (!goesOn)
        return changed();
    return grown;
}

Result<SourcePtr> Source::open(const std::filesystem::path &path, uint64_t mapThreshold)
{
    const std::string name = path.string();
    // O_NONBLOCK: opening a pipe that nobody writes to must not hang.
    const FileDescriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.value() < 0) {
        const int error = errno;
        const ErrorKind kind = error == ENOENT || error == ENOTDIR ? ErrorKind::NotFound
            : error == ENXIO                                       ? ErrorKind::NotAFile
                                                                   : ErrorKind::NotReadable;
        return failure(kind, systemSentence(errno, "opened"), name);
    }
    struct ::stat status = {};
    if (::fstat(file.value(), &status) != 0)
        return failure(ErrorKind::NotReadable, systemSentence(errno, "examined"), name);
    if (S_ISDIR(status.st_mode))
        return failure(ErrorKind::NotAFile, "This is a folder; choose a session file in it.", name);
    if (!S_ISREG(status.st_mode))
        return failure(ErrorKind::NotAFile, "This is not a regular file.", name);

    auto source = std::shared_ptr<Source>(new Source);
    source->m_name = name;
    source->m_path = path;
    source->m_stamp = stampOf(status);
    const auto size = static_cast<size_t>(status.st_size);
    if (size >= mapThreshold) {
        installBusHandler();
        const size_t page = pageSize();
        const size_t rounded = (size + page - 1) / page * page;
        // One anonymous page more than the file needs, so that the padding can be read.
        void *mapping = ::mmap(nullptr, rounded + page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping != MAP_FAILED) {
            if (::mmap(mapping, size, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.value(), 0) != MAP_FAILED) {
                source->m_mapping = mapping;
                source->m_mappingSize = rounded + page;
                source->m_data = static_cast<const char *>(mapping);
                source->m_size = size;
                ::madvise(mapping, rounded, MADV_SEQUENTIAL);
                if (registerMapping(source.get()))
                    return source;
                source->m_mapping = nullptr;
            }
            ::munmap(mapping, rounded + page);
        }
        // Too many mappings, or the file system cannot map: read the file.
    }
    auto buffer = readAll(file.value(), size, name);
    if (!buffer)
        return std::unexpected(buffer.error());
    source->m_buffer = std::move(*buffer);
    source->m_size = source->m_buffer.size();
    source->m_buffer.resize(source->m_size + kPadding, '\0');
    source->m_data = source->m_buffer.data();
    return source;
}

SourcePtr Source::own(std::string bytes, std::string name)
{
    auto source = std::shared_ptr<Source>(new Source);
    source->m_name = std::move(name);
    source->m_size = bytes.size();
    bytes.resize(bytes.size() + kPadding, '\0');
    source->m_buffer = std::move(bytes);
    source->m_data = source->m_buffer.data();
    return source;
}

bool Source::hasChanged() const
{
    if (m_path.empty())
        return false;
    struct ::stat status = {};
    if (::stat(m_path.c_str(), &status) != 0)
        return true;
    return stampOf(status) != m_stamp;
}

uint64_t takenBytes() { return takenByteCount; }

bool Source::claimFault(const void *address) const noexcept
{
    const auto *at = static_cast<const char *>(address);
    if (at < m_data || at >= m_data + m_mappingSize)
        return false;
    m_torn.store(true, std::memory_order_relaxed);
    // Maps zeros in place of the page, so that readers can finish. The pages behind it stay, as some may be held.
    const size_t page = pageSize();
    const auto offset = static_cast<size_t>(at - m_data) / page * page;
    const auto putZeros = [&](size_t size) {
        return ::mmap(static_cast<char *>(m_mapping) + offset, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
                   -1, 0)
            != MAP_FAILED;
    };
    // Too many mappings for the system: zero everything behind the page, too.
    return putZeros(page) || putZeros(m_mappingSize - offset);
}

void SourceHold::hold(std::string_view range)
{
    letGo();
    takenByteCount += range.size();
    if (!m_source.isMapped() || range.empty())
        return;
    const size_t page = pageSize();
    auto *base = static_cast<char *>(m_source.m_mapping);
    const auto offset = static_cast<size_t>(range.data() - base);
    const size_t begin = offset / page * page;
    const size_t end = (offset + range.size() + page - 1) / page * page;
    // Replaces the pages by private memory, because writing to or truncating a file changes even private mappings of
    // it. Vanished pages are copied as zeros. If the system has no room, nothing is held.
    void *copy
        = ::mmap(nullptr, end - begin, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED)
        return;
    std::memcpy(copy, base + begin, end - begin);
    if (::mremap(copy, end - begin, end - begin, MREMAP_MAYMOVE | MREMAP_FIXED, base + begin) == MAP_FAILED)
        ::munmap(copy, end - begin);
    else
        m_range = range;
}

void SourceHold::letGo()
{
    if (m_range.empty())
        return;
    // Other holds may hold the rest of the first and last page.
    const size_t page = pageSize();
    auto *base = static_cast<char *>(m_source.m_mapping);
    const auto offset = static_cast<size_t>(m_range.data() - base);
    const size_t begin = (offset + page - 1) / page * page;
    const size_t end = (offset + m_range.size()) / page * page;
    m_range = {};
    if (begin >= end)
        return;
    // Maps the file's pages again; if the file was replaced, the copy stays.
    const FileDescriptor file(::open(m_source.m_path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct ::stat status = {};
    if (file.value() < 0 || ::fstat(file.value(), &status) != 0 || status.st_ino != m_source.m_stamp.inode)
        return;
    if (::mmap(base + begin, end - begin, PROT_READ, MAP_PRIVATE | MAP_FIXED, file.value(), static_cast<off_t>(begin))
        == MAP_FAILED)
        m_source.m_torn.store(true, std::memory_order_relaxed);
}

SourcePart::SourcePart(SourcePtr source)
    : m_whole(std::move(source))
    , m_part(new Source)
{
    m_part->m_name = m_whole->name();
    take(0, 0);
}

void SourcePart::take(size_t begin, size_t size)
{
    const std::string_view part = m_whole->bytes().substr(begin, size);
    m_begin = begin;
    takenByteCount += part.size();
    m_part->m_size = part.size();
    m_part->m_data = part.data();
    if (!m_whole->isMapped())
        return;
    std::string &buffer = m_part->m_buffer;
    buffer.resize(std::max(buffer.size(), part.size() + Source::kPadding));
    std::memcpy(buffer.data(), part.data(), part.size());
    std::memset(buffer.data() + part.size(), 0, Source::kPadding);
    m_part->m_data = buffer.data();
}

} // namespace core
