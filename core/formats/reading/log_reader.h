// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/reading/format.h"
#include "core/formats/reading/record_feed.h"

namespace core {

/// Reads a JSONL source that may grow. `Log` collects the records; it has
///
///     static constexpr std::string_view kHarness;                      // for display
///     void accept(SessionBuilder &builder, const Record &record);      // parsed without errors
///     bool isEmpty() const;                                            // nothing to show so far
///     void finish(SessionBuilder &builder) const;                      // adds everything; a main thread is there
template <typename Log>
class LogReader final : public Reader {
public:
    LogReader(ReadContext context, const Format &format)
        : Reader(std::move(context))
        , m_source(m_builder.addSource(Source::own({}, {})))
        , m_feed(m_builder, m_source, [this](simdjson::ondemand::object &object, const Record &record) {
            Record own = record;
            own.bytes = object.raw_json().value(); // parse to the end before using any of it
            m_log.accept(m_builder, own);
        })
    {
        m_builder.addThread(ThreadKind::Main);
        setFormat(m_builder.session(), format);
        m_builder.session().harness = Log::kHarness;
    }

    Result<void> append(const SourcePtr &source) override
    {
        m_context.source = source;
        m_builder.replaceSource(m_source, source);
        return read(Upto::LineFeed);
    }

    Result<SessionPtr> snapshot() override
    {
        if (m_log.isEmpty())
            return m_context.noRecords();
        SessionBuilder copy = m_builder;
        copy.session().isComplete = false;
        m_log.finish(copy);
        return copy.finish();
    }

    Result<SessionPtr> end() override
    {
        if (const auto rest = read(Upto::End); !rest)
            return std::unexpected(rest.error());
        if (m_log.isEmpty())
            return m_context.noRecords();
        m_log.finish(m_builder);
        return m_builder.finish();
    }

private:
    Result<void> read(Upto upto)
    {
        if (!m_feed.read(m_context, upto, [this](double) { m_publisher.publishIfDue(m_context.publish, *this); }))
            return m_context.cancelled();
        return {};
    }

    SessionBuilder m_builder;
    Log m_log;
    SourceId m_source;
    RecordFeed m_feed;
    Publisher m_publisher;
};

/// `Format::open` for such a format.
template <typename Log, const Format &format>
std::unique_ptr<Reader> openLog(const ReadContext &context)
{
    return std::make_unique<LogReader<Log>>(context, format);
}

} // namespace core
