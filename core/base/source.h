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

/// Bytes with an owner: a file (small files are read, large files mapped) or an own buffer (decompressed, repaired).
/// The bytes never move. At least `kPadding` readable bytes follow them, as simdjson requires.
///
/// A mapped file may change while it is mapped. Pages that vanish read as zeros, and the source becomes torn. After
/// computing from a source, check `isTorn()` and `hasChanged()` before using the result. A parser, which relies on
/// reading the same bytes twice, uses a `SourceHold` or a `SourcePart` while it reads.
class Source final {
public:
    static constexpr size_t kPadding = 64;
    /// Files below this size are read into memory instead of being mapped.
    static constexpr uint64_t kMapThreshold = 16U << 20U;

    Source(const Source &) = delete;
    Source &operator=(const Source &) = delete;
    ~Source();

    /// Opens a file read-only. Folders, devices and unreadable files are errors; an empty file is an empty source.
    [[nodiscard]] static Result<std::shared_ptr<const Source>> open(const std::filesystem::path &path);
    /// The same for a file of which little will be read: always maps it.
    [[nodiscard]] static Result<std::shared_ptr<const Source>> openMapped(const std::filesystem::path &path)
    {
        return open(path, 0);
    }
    /// Opens the same file again to see bytes appended since. Always maps it, so this reads nothing. Fails with Changed
    /// if the file was replaced, truncated or overwritten near the old end, and for buffers.
    [[nodiscard]] Result<std::shared_ptr<const Source>> reopen() const;
    /// Takes over a buffer; `name` identifies it in messages.
    [[nodiscard]] static std::shared_ptr<const Source> own(std::string bytes, std::string name);

    [[nodiscard]] std::string_view bytes() const { return { m_data, m_size }; }
    [[nodiscard]] const std::string &name() const { return m_name; }
    [[nodiscard]] bool isFile() const { return !m_path.empty(); }
    [[nodiscard]] bool isMapped() const { return m_mapping != nullptr; }

    /// True once a page of the mapping could not be read.
    [[nodiscard]] bool isTorn() const { return m_torn.load(std::memory_order_relaxed); }
    /// Compares size, time and inode of the file with those at opening; false for buffers. One system call.
    [[nodiscard]] bool hasChanged() const;

    /// For the signal handler only.
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

/// Freezes one range of a source at a time: until the range is released, changes to the file are not visible in it. The
/// pages of a mapped file are replaced by a private copy at the same address and mapped again afterwards. Buffers and
/// small files need no copy. Ranges held at the same time must not overlap.
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

    /// Holds `range` and releases the range held before.
    void hold(std::string_view range);
    void letGo();

private:
    const Source &m_source;
    std::string_view m_range;
};

/// Copies one part of a source at a time into a source of its own, which changes to the file do not reach. The buffer
/// is reused for the next part. Much cheaper than a hold, for readers that do not need the original addresses.
class SourcePart final {
public:
    explicit SourcePart(SourcePtr source);

    /// Replaces the part; views of the part before become invalid.
    void take(size_t begin, size_t size);
    /// The same object for every part.
    [[nodiscard]] SourcePtr source() const { return m_part; }
    [[nodiscard]] std::string_view bytes() const { return m_part->bytes(); }
    /// Offset of the part in the whole source.
    [[nodiscard]] size_t begin() const { return m_begin; }

private:
    SourcePtr m_whole;
    std::shared_ptr<Source> m_part;
    size_t m_begin = 0;
};

} // namespace core
