// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/reading/record_stretches.h"

#include "core/formats/reading/record_reader.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <variant>

namespace core {

namespace {

/// A stretch has the lines that begin within this many bytes: long enough to be worth a thread's turn, short enough for
/// its cache.
constexpr size_t kStretch = 512U << 10U;
/// Stretches per thread that may wait to be taken over.
constexpr size_t kAhead = 32;

/// A line that the stretch leaves to the record reader.
struct CarefulLine {
    size_t begin = 0; ///< offset in the source
    size_t end = 0;
    uint64_t line = 0; ///< line number in the stretch, from 0
    size_t kept = 0;   ///< records of the stretch before it
};

/// A beginning of records that is new to the stretch.
struct NewHead {
    std::string record; ///< how it begins
    size_t kept = 0;    ///< records of the stretch before it
};

struct Stretch {
    std::unique_ptr<StretchReader> records;
    size_t begin = 0; ///< offset in the source
    size_t kept = 0;
    uint64_t lines = 0;
    std::vector<CarefulLine> careful;
    std::vector<NewHead> heads;
};

/// Reads stretches one after the other; one per thread, because of its parser.
class StretchParser final {
public:
    /// For the lines in `[first, stop)` of the source.
    StretchParser(const SourcePtr &holder, SourceId source, size_t first, size_t stop, const StretchWork &work)
        : m_bytes(holder->bytes().substr(0, stop))
        , m_first(first)
        , m_part(holder)
        , m_source(source)
        , m_work(work)
    {
    }

    Stretch parse(size_t number)
    {
        Stretch stretch;
        stretch.records = m_work.make(m_part.source());
        stretch.begin = firstLine(number);
        const size_t behind = std::min(m_first + (number + 1) * kStretch, m_bytes.size());
        if (stretch.begin >= behind)
            return stretch; // a line from an earlier stretch covers all of it
        m_part.take(stretch.begin, endOfLine(m_bytes, behind - 1) - stretch.begin);
        const std::string_view text = m_part.bytes();
        RecordHeads heads;
        for (size_t begin = 0; begin <= text.size();) { // the last line may be empty
            const auto [end, hasBraces] = lookAtLine(text, begin);
            const std::string_view record = trimmed(text.substr(begin, end - begin));
            if (!record.empty()) {
                if (!(hasBraces && !gluedBehind(record).empty()) && readWhole(record, stretch)) {
                    if (heads.add(record))
                        stretch.heads.push_back({ heads.all().back(), stretch.kept });
                    stretch.records->keep();
                    ++stretch.kept;
                } else {
                    stretch.careful.push_back(
                        { stretch.begin + begin, stretch.begin + end, stretch.lines, stretch.kept });
                }
            }
            ++stretch.lines;
            begin = end + 1;
        }
        return stretch;
    }

private:
    /// The first line that begins in the stretch.
    [[nodiscard]] size_t firstLine(size_t number) const
    {
        return number == 0 ? m_first : endOfLine(m_bytes, m_first + number * kStretch - 1) + 1;
    }

    /// True if the line is one whole record.
    bool readWhole(std::string_view text, Stretch &stretch)
    {
        const auto offset = static_cast<uint64_t>(text.data() - m_part.bytes().data());
        try {
            auto document = m_parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
            simdjson::ondemand::object object = document.get_object();
            stretch.records->read(object, { m_source, offset, stretch.lines, text });
            return document.value().is_alive() && document.at_end();
        } catch (const simdjson::simdjson_error &) {
            return false;
        }
    }

    std::string_view m_bytes;
    size_t m_first;
    SourcePart m_part;
    SourceId m_source;
    const StretchWork &m_work;
    simdjson::ondemand::parser m_parser;
};

/// Hands out stretches for reading and takes them back in order. Limits how many are out at a time.
class StretchQueue final {
public:
    StretchQueue(size_t count, size_t ahead)
        : m_count(count)
        , m_ready(ahead)
    {
    }

    /// For helpers: waits for the next stretch to read; nullopt when there are no more.
    std::optional<size_t> waitForWork()
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_isStopped || m_next == m_count || hasWork(); });
        return m_isStopped || m_next == m_count ? std::nullopt : std::optional(m_next++);
    }

    /// For the thread that takes over: what comes next in order, or the number of a stretch to read meanwhile. Waits
    /// where there is neither. Throws what a helper threw.
    std::variant<Stretch, size_t> takeNext()
    {
        std::unique_lock lock(m_mutex);
        std::optional<Stretch> &wanted = m_ready[m_taken % m_ready.size()];
        m_changed.wait(lock, [&] { return wanted.has_value() || hasWork() || m_thrown; });
        if (m_thrown)
            std::rethrow_exception(m_thrown);
        if (!wanted)
            return m_next++;
        Stretch stretch = std::move(*wanted);
        wanted.reset();
        ++m_taken;
        m_changed.notify_all();
        return stretch;
    }

    void putBack(size_t number, Stretch stretch)
    {
        const std::lock_guard lock(m_mutex);
        m_ready[number % m_ready.size()] = std::move(stretch);
        m_changed.notify_all();
    }

    /// For helpers: hands the exception that ends this one to the thread that takes over.
    void fail(std::exception_ptr thrown)
    {
        const std::lock_guard lock(m_mutex);
        m_thrown = std::move(thrown);
        m_isStopped = true;
        m_changed.notify_all();
    }

    void stop()
    {
        const std::lock_guard lock(m_mutex);
        m_isStopped = true;
        m_changed.notify_all();
    }

private:
    [[nodiscard]] bool hasWork() const { return m_next < m_count && m_next < m_taken + m_ready.size(); }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    size_t m_count;
    size_t m_next = 0;                           ///< next stretch to read
    size_t m_taken = 0;                          ///< stretches taken over
    std::vector<std::optional<Stretch>> m_ready; ///< a ring buffer
    bool m_isStopped = false;
    std::exception_ptr m_thrown;
};

class QueueStop final {
public:
    explicit QueueStop(StretchQueue &queue)
        : m_queue(queue)
    {
    }
    QueueStop(const QueueStop &) = delete;
    QueueStop &operator=(const QueueStop &) = delete;
    ~QueueStop() { m_queue.stop(); }

private:
    StretchQueue &m_queue;
};

/// Takes over stretches, with the careful lines between their records.
class StretchTaker final {
public:
    StretchTaker(const Source &holder, const StretchWork &work, RecordReader &reader, LineMark &mark)
        : m_bytes(holder.bytes())
        , m_hold(holder)
        , m_work(work)
        , m_reader(reader)
        , m_mark(mark)
    {
    }

    void take(const Stretch &stretch)
    {
        size_t taken = 0;
        auto head = stretch.heads.begin();
        const auto takeUpTo = [&](size_t end) {
            for (; head != stretch.heads.end() && head->kept < end; ++head)
                m_reader.rememberHead(head->record);
            if (taken < end)
                m_work.take(*stretch.records, taken, end, { m_mark.count(), stretch.begin });
            taken = end;
        };
        for (const CarefulLine &each : stretch.careful) {
            takeUpTo(each.kept);
            const std::string_view line = m_bytes.substr(each.begin, each.end - each.begin);
            m_hold.hold(line);
            m_reader.readLine(line, m_mark.count() + each.line + 1);
        }
        m_hold.letGo();
        takeUpTo(stretch.kept);
        m_mark.addLines(stretch.lines);
    }

private:
    std::string_view m_bytes;
    SourceHold m_hold;
    const StretchWork &m_work;
    RecordReader &m_reader;
    LineMark &m_mark;
};

} // namespace

bool StretchFeed::read(const ReadContext &context, Upto upto)
{
    const SourcePtr holder = m_builder.session().sources[m_source.index()];
    const size_t stop = m_mark.stopIn(holder->bytes(), upto);
    const size_t first = m_mark.begin();
    const size_t count = (stop - first + kStretch - 1) / kStretch;
    const size_t threads = std::clamp<size_t>(context.threads, 1, std::max<size_t>(count, 1));
    StretchQueue queue(count, threads * kAhead);
    std::vector<std::jthread> helpers;
    const QueueStop stopper(queue); // stops the queue before waiting for the helpers, however this ends
    for (size_t i = 1; i < threads; ++i) {
        helpers.emplace_back([&] {
            try {
                StretchParser parser(holder, m_source, first, stop, m_work);
                while (const auto number = queue.waitForWork())
                    queue.putBack(*number, parser.parse(*number));
            } catch (...) {
                queue.fail(std::current_exception());
            }
        });
    }
    StretchParser parser(holder, m_source, first, stop, m_work);
    StretchTaker taker(*holder, m_work, m_reader, m_mark);
    for (size_t taken = 0; taken < count && !context.isCancelled();) {
        auto next = queue.takeNext();
        if (const size_t *number = std::get_if<size_t>(&next)) {
            queue.putBack(*number, parser.parse(*number));
            continue;
        }
        taker.take(std::get<Stretch>(next));
        ++taken;
        const double share = static_cast<double>(taken) / static_cast<double>(count);
        context.setFraction(share);
        if (m_work.afterSome)
            m_work.afterSome(share);
    }
    m_mark.moveTo(stop);
    m_reader.endsWithLine(m_mark.count());
    return !context.isCancelled();
}

} // namespace core
