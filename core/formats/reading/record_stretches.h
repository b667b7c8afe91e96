// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/record_feed.h"

#include <memory>

namespace core {

/// Collects what a reader makes of the records of one stretch of lines. It is used by one thread at a time, and knows
/// nothing of other stretches.
class StretchReader {
public:
    StretchReader() = default;
    StretchReader(const StretchReader &) = delete;
    StretchReader &operator=(const StretchReader &) = delete;
    virtual ~StretchReader() = default;

    /// Reads one record; may throw `simdjson_error`. Its line is counted from the beginning of the stretch, from 0; so
    /// is its place, in the source that the reader was made for.
    virtual void read(simdjson::ondemand::object &object, const Record &record) = 0;
    /// The record read last is whole: it counts. One that is not kept must leave no trace.
    virtual void keep() = 0;
};

/// The size of the file in front of a stretch.
struct StretchPlace {
    uint64_t lines = 0;
    uint64_t bytes = 0;
};

/// A reader in two halves. The first half parses each record by itself, on any thread. The second half takes over the
/// parsed records in the order of the file, on the calling thread.
struct StretchWork {
    /// The source holds the bytes of a stretch only while the reader reads it.
    std::function<std::unique_ptr<StretchReader>(const SourcePtr &stretch)> make;
    /// Takes over the records `[from, to)` that the stretch kept.
    std::function<void(StretchReader &stretch, size_t from, size_t to, const StretchPlace &place)> take;
    /// Reads and takes over a record that is damaged or shares its line, in its place in the order.
    RecordVisitor visit;
    /// Called with the share done after each stretch; it may publish.
    std::function<void(double)> afterSome;
};

/// Walks the records of a JSONL source that may grow as `RecordFeed` does, on `context.threads` threads. The result
/// depends on the source only, neither on the number of threads nor on how it grew: stretches are taken over in order.
class StretchFeed final {
public:
    StretchFeed(SessionBuilder &builder, SourceId source, StretchWork work)
        : m_builder(builder)
        , m_source(source)
        , m_work(std::move(work))
        , m_reader(builder, source, m_work.visit)
    {
    }

    StretchFeed(const StretchFeed &) = delete;
    StretchFeed &operator=(const StretchFeed &) = delete;
    ~StretchFeed() = default;

    /// Returns false if the job was cancelled.
    bool read(const ReadContext &context, Upto upto);

private:
    SessionBuilder &m_builder;
    SourceId m_source;
    StretchWork m_work;
    RecordReader m_reader;
    LineMark m_mark;
};

} // namespace core
