// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct stat;

namespace core {

/// Bytes with an owner: a file (small ones read, large ones mapped) or a buffer of our own (decompressed, repaired).
/// The bytes never move, and at least `kPadding` readable bytes follow them, as simdjson wants it.
///
/// A mapped file may change under us. Pages that vanish read as zeros, and the source becomes torn. Whoever computed
/// something from a source asks `isTorn()` and `hasChanged()` before the result is believed; a reader that trusts what
/// it saw a moment before, as a parser does, takes a `SourceHold` or a `SourcePart` while it reads.
class Source final {
public:
    static constexpr size_t kPadding = 64;
    /// Files below this size are read into memory instead of being mapped.
    static constexpr uint64_t kMapThreshold = 16U << 20U;

    Source(const Source &) = delete;
    Source &operator=(const Source &) = delete;
    ~Source();

    /// Opens a file read-only. Folders, devices and unreadable files are errors, an empty file is a source of no bytes.
    [[nodiscard]] static Result<std::shared_ptr<const Source>> open(const std::filesystem::path &path);
    /// The same file as it is now, with what was written behind the bytes of this source. It is mapped, whatever its
    /// size, so this reads nothing. Fails with Changed if the file was replaced, cut short, or written over near the
    /// old end, and for buffers.
    [[nodiscard]] Result<std::shared_ptr<const Source>> reopen() const;
    /// Takes a buffer of our own; `name` is what messages call it.
    [[nodiscard]] static std::shared_ptr<const Source> own(std::string bytes, std::string name);

    [[nodiscard]] std::string_view bytes() const { return { m_data, m_size }; }
    [[nodiscard]] const std::string &name() const { return m_name; }
    [[nodiscard]] bool isMapped() const { return m_mapping != nullptr; }

    /// True once a page of the mapping could not be read any more.
    [[nodiscard]] bool isTorn() const { return m_torn.load(std::memory_order_relaxed); }
    /// Compares size, time and inode of the file with those at opening; false for buffers. Costs one system call.
    [[nodiscard]] bool hasChanged() const;

    /// Called by the signal handler; not for others.
    bool claimFault(const void *address) const noexcept;

private:
    friend class SourceHold;
    friend class SourcePart;

    struct Stamp {
        uint64_t size = 0;
        uint64_t inode = 0;
        int64_t seconds = 0;
        int64_t nanoseconds = 0;
        friend bool operator==(const Stamp &, const Stamp &) = default;
    };

    Source() = default;
    [[nodiscard]] static Result<std::shared_ptr<const Source>> open(
        const std::filesystem::path &path, uint64_t mapThreshold);
    [[nodiscard]] static Stamp stampOf(const struct ::stat &status);

    std::string m_name;
    std::filesystem::path m_path; ///< empty for buffers
    std::string m_buffer;
    void *m_mapping = nullptr;
    size_t m_mappingSize = 0;
    const char *m_data = nullptr;
    size_t m_size = 0;
    Stamp m_stamp;
    mutable std::atomic<bool> m_torn { false };
};

using SourcePtr = std::shared_ptr<const Source>;

/// Holds one range of a source at a time: nothing that is done to the file changes what is read there until the range
/// is let go. For that, the pages of a mapped file give way to a copy in memory of our own at the same place, and come
/// back afterwards; other bytes cannot change anyway. Ranges that are held at the same time do not overlap.
class SourceHold final {
public:
    /// The source must outlive the hold.
    explicit SourceHold(const Source &source)
        : m_source(source)
    {
    }
    SourceHold(const SourceHold &) = delete;
    SourceHold &operator=(const SourceHold &) = delete;
    ~SourceHold() { letGo(); }

    /// Holds this part of the source's bytes, in place of what was held before.
    void hold(std::string_view range);
    void letGo();

private:
    const Source &m_source;
    std::string_view m_range;
};

/// One part of a source at a time, as a source of its own: nothing that is done to the file changes it. The bytes of a
/// mapped file are copied, into memory that the next part uses again: much cheaper than a hold, for readers that do
/// not mind where the bytes stand.
class SourcePart final {
public:
    explicit SourcePart(SourcePtr source);

    /// In place of the part before; what was read of that one is no more.
    void take(size_t begin, size_t size);
    /// The same one all the time.
    [[nodiscard]] SourcePtr source() const { return m_part; }
    [[nodiscard]] std::string_view bytes() const { return m_part->bytes(); }
    /// Where it begins in the whole.
    [[nodiscard]] size_t begin() const { return m_begin; }

private:
    SourcePtr m_whole;
    std::shared_ptr<Source> m_part;
    size_t m_begin = 0;
};

} // namespace core
