// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/record_feed.h"

#include <memory>

namespace core {

/// Collects the parsed records of one stretch of lines. Used by one thread at a time; independent of other stretches.
class StretchReader {
public:
    StretchReader() = default;
    StretchReader(const StretchReader &) = delete;
    StretchReader &operator=(const StretchReader &) = delete;
    virtual ~StretchReader() = default;

    /// Reads one record; may throw `simdjson_error`. Its line is counted from 0 at the start of the stretch, its place
    /// from the start of the reader's own source.
    virtual void read(simdjson::ondemand::object &object, const Record &record) = 0;
    /// Called if the last record is complete, so that it counts. A record without this call must leave no trace.
    virtual void keep() = 0;
};

/// The position of a stretch in the file.
struct StretchPlace {
    uint64_t lines = 0;
    uint64_t bytes = 0;
};

/// A reader in two halves. The first parses each record separately, on any thread. The second takes over the parsed
/// records in file order, on the calling thread.
struct StretchWork {
    /// Makes the first half. `stretch` has its bytes only while the reader reads.
    std::function<std::unique_ptr<StretchReader>(const SourcePtr &stretch)> make;
    /// Takes over the records `[from, to)` that the stretch kept.
    std::function<void(StretchReader &stretch, size_t from, size_t to, const StretchPlace &place)> take;
    /// Reads and takes over a record that is damaged or shares its line, in file order.
    RecordVisitor visit;
    /// Called after each stretch with the fraction done; may publish.
    std::function<void(double)> afterSome;
};

/// Reads the records of a JSONL source that may grow, like `RecordFeed`, on `context.threads` threads. Stretches are
/// taken over in order, so the result depends neither on the number of threads nor on how the source grew.
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

    /// Returns false if the job was cancelled. Throws what the work threw on any of the threads.
    bool read(const ReadContext &context, Upto upto);

private:
    SessionBuilder &m_builder;
    SourceId m_source;
    StretchWork m_work;
    RecordReader m_reader;
    LineMark m_mark;
};

} // namespace core
