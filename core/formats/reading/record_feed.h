// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/record_reader.h"

namespace core {

/// Which lines a reading goes up to.
enum class Upto : uint8_t {
    LineFeed, ///< the last one that ends with a line feed
    End,      ///< the last one, even if it may still be growing
};

/// How far the lines of a source have been read.
class LineMark final {
public:
    [[nodiscard]] size_t begin() const { return m_begin; }   ///< of the first line that was not read
    [[nodiscard]] uint64_t count() const { return m_count; } ///< lines read

    /// The offset behind the last line to read; `begin()` is behind a byte order mark then. No byte is searched twice.
    [[nodiscard]] size_t stopIn(std::string_view bytes, Upto upto);
    void moveTo(size_t begin) { m_begin = begin; }
    void addLines(uint64_t count) { m_count += count; }

private:
    size_t m_begin = 0;
    size_t m_searched = 0; ///< from `m_begin` to here there is no line feed
    uint64_t m_count = 0;
};

/// Walks the records of a JSONL source that may grow, as `forEachRecord` does; each reading goes on where the last one
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

    /// Returns false if the job was cancelled. `afterSome` is called a few times a megabyte with the share done.
    bool read(const ReadContext &context, Upto upto, const std::function<void(double)> &afterSome = {});

private:
    SessionBuilder &m_builder;
    SourceId m_source;
    RecordVisitor m_visit;
    RecordReader m_reader;
    LineMark m_mark;
};

} // namespace core
