// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/record_reader.h"

namespace core {

/// Where a reading stops.
enum class Upto : uint8_t {
    LineFeed, ///< behind the last line that ends with a line feed
    End,      ///< at the end, even if the last line may still be growing
};

/// How far the lines of a source have been read.
class LineMark final {
public:
    [[nodiscard]] size_t begin() const { return m_begin; }   ///< offset of the first unread line
    [[nodiscard]] uint64_t count() const { return m_count; } ///< number of lines read

    /// Offset behind the last line to read. If the source starts with a byte order mark, `begin()` then skips it.
    /// Searches no byte twice.
    [[nodiscard]] size_t stopIn(std::string_view bytes, Upto upto);
    void moveTo(size_t begin) { m_begin = begin; }
    void addLines(uint64_t count) { m_count += count; }

private:
    size_t m_begin = 0;
    size_t m_searched = 0; ///< there is no line feed between `m_begin` and here
    uint64_t m_count = 0;
};

/// Reads the records of a JSONL source that may grow, like `forEachRecord`; each reading continues where the last one
/// stopped.
class RecordFeed final {
public:
    RecordFeed(SessionBuilder &builder, SourceId source, RecordVisitor visit)
        : m_builder(builder)
        , m_source(source)
        , m_visit(std::move(visit))
        , m_reader(builder, source, m_visit)
    {
    }

    RecordFeed(const RecordFeed &) = delete;
    RecordFeed &operator=(const RecordFeed &) = delete;
    ~RecordFeed() = default;

    /// Returns false if the job was cancelled. Calls `afterSome` a few times per megabyte with the fraction done.
    bool read(const ReadContext &context, Upto upto, const std::function<void(double)> &afterSome = {});

private:
    SessionBuilder &m_builder;
    SourceId m_source;
    RecordVisitor m_visit;
    RecordReader m_reader;
    LineMark m_mark;
};

} // namespace core
