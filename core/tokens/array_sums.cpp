// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/array_sums.h"

#include "core/tokens/array_weights.h"
#include "core/tokens/prompt_growth.h"
#include "core/tokens/silent_clearings.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace core {

namespace {

constexpr double kReturned = 0.8;    ///< of what was cleared
constexpr double kSameSize = 0.2;    ///< a fall by as much as was put in before, more or less
constexpr size_t kFewestFramed = 10; ///< calls with usage

std::atomic<uint64_t> arraySumsRunCount = 0;

/// A stretch lasts until the array is written anew. Returns the first call of each, and one past the end.
std::vector<size_t> stretches(const Thread &thread)
{
    std::vector<size_t> begins { 0 };
    for (const RecordedCompaction &compaction : thread.compactions) {
        const bool writesAnew
            = compaction.kind == CompactionKind::Summary || compaction.kind == CompactionKind::Replacement;
        const size_t next = compaction.call.isValid() ? compaction.call.index() + 1 : 0;
        if (writesAnew && next > begins.back() && next <= thread.calls.size())
            begins.push_back(next);
    }
    begins.push_back(thread.calls.size() + 1); // the end counts as a call
    return begins;
}

class Adder final {
public:
    Adder(const Session &session, const Thread &thread, const BlockTokens &tokens)
        : m_thread(thread)
        , m_tokens(tokens)
        , m_weights(session, tokens)
        , m_count(thread.calls.size())
    {
        m_sums.calls.resize(m_count);
        const auto first
            = std::ranges::find_if(thread.calls, [](const Call &call) { return call.prompt().has_value(); });
        if (first != thread.calls.end())
            m_now.prelude = m_usual = std::max(0.0, *first->prompt() - m_weights.of(first->input));
    }

    ArraySums run()
    {
        const std::vector<size_t> begins = stretches(m_thread);
        for (size_t i = 0; i + 1 < begins.size(); ++i)
            addStretch(begins[i], begins[i + 1]);
        return std::move(m_sums);
    }

private:
    [[nodiscard]] double arrayAt(size_t place) const
    {
        return m_weights.of(place < m_count ? m_thread.calls[place].input : m_thread.end);
    }
    [[nodiscard]] std::optional<double> recordedPreludeAt(size_t place) const
    {
        const auto &prelude = place < m_count ? m_thread.calls[place].prelude : m_thread.prelude;
        return prelude ? std::optional(m_weights.of(*prelude)) : std::nullopt;
    }

    /// Sets prelude and unlogged tokens by the first call of the stretch with usage.
    void beginStretch(size_t begin, size_t end)
    {
        m_now.unlogged = m_now.notSent = m_now.remainder = m_putIn = 0;
        size_t first = begin;
        while (first < std::min(end, m_count) && !m_thread.calls[first].prompt())
            ++first;
        if (first >= std::min(end, m_count)) {
            m_before = nullptr;
            return; // the prelude stays
        }
        m_before = &m_thread.calls[first];
        const double array = arrayAt(first);
        const double excess = *m_before->prompt() - array;
        const std::optional<double> recorded = recordedPreludeAt(first);
        // The excess at the first call of a resumed session is more than system prompt and tools.
        m_now.prelude = recorded.value_or(std::min(m_usual, std::max(0.0, excess)));
        m_now.unlogged = std::max(0.0, excess - m_now.prelude);
        m_now.remainder = excess - m_now.prelude - m_now.unlogged;
        m_beforeLogged = m_now.prelude + array;
    }

    void addStretch(size_t begin, size_t end)
    {
        beginStretch(begin, end);
        for (size_t place = begin; place < end; ++place) {
            const Call *call = place < m_count ? &m_thread.calls[place] : nullptr;
            m_now.slots = arrayAt(place);
            m_now.isPreludeRecorded = recordedPreludeAt(place).has_value();
            m_now.prelude = recordedPreludeAt(place).value_or(m_now.prelude);
            ArraySum &sum = call != nullptr ? m_sums.calls[place] : m_sums.end;
            if (call != nullptr && call->prompt() && m_before != nullptr)
                grow(*call, CallIndex(place));
            sum = m_now;
            sum.isDoubtful = call != nullptr && call->isDoubtful;
            sum.recorded = call != nullptr && call->usage ? static_cast<double>(call->usage->prompt()) : 0;
            const bool isExact = call != nullptr && call->prompt();
            // The slots are counted, but the other parts come from other calls.
            const bool isDerived = m_tokens.basis == Basis::Exact && m_before != nullptr;
            sum.basis = isExact ? Basis::Exact : isDerived ? Basis::Estimated : m_tokens.basis;
            sum.error = isExact ? 0 : m_tokens.error;
            m_sums.recordedCount += isExact ? 1 : 0;
            m_sums.peak = std::max(m_sums.peak, sum.value());
        }
        if (m_before != nullptr)
            nameFraming(begin, end);
    }

    /// Takes framing and small reminders, which come with each block and are not logged, from the remainder. Fits their
    /// tokens a block to the calls of the stretch with usage.
    void nameFraming(size_t begin, size_t end)
    {
        const auto blocksAt = [&](size_t place) {
            return static_cast<double>((place < m_count ? m_thread.calls[place].input : m_thread.end).blockCount());
        };
        const auto sumAt
            = [&](size_t place) -> ArraySum & { return place < m_count ? m_sums.calls[place] : m_sums.end; };
        size_t first = begin;
        while (first < std::min(end, m_count) && !m_thread.calls[first].prompt())
            ++first;
        size_t calls = 0;
        double squares = 0;
        double products = 0;
        for (size_t place = first; place < std::min(end, m_count); ++place) {
            if (!m_thread.calls[place].prompt())
                continue;
            ++calls;
            const double blocks = blocksAt(place) - blocksAt(first);
            squares += blocks * blocks;
            products += blocks * (sumAt(place).remainder - sumAt(first).remainder);
        }
        if (calls < kFewestFramed || squares <= 0 || products <= 0)
            return;
        for (size_t place = first; place < end; ++place) {
            const double framing = std::max(0.0, (blocksAt(place) - blocksAt(first)) * products / squares);
            sumAt(place).framing = framing;
            sumAt(place).remainder -= framing;
        }
    }

    /// Compares the growth of a prompt with that of the log. A departure is an event; other differences go to the
    /// remainder.
    void grow(const Call &call, CallIndex index)
    {
        const double excess = *call.prompt() - m_now.value();
        const double expected = m_now.prelude + m_now.slots - m_beforeLogged;
        const bool isEvent = isDeparture(excess, expected);
        if (!isEvent || call.model != m_before->model)
            m_now.remainder += excess;
        if (isEvent && call.model != m_before->model)
            say(index, SumEvent::Kind::OtherModel, std::abs(excess));
        else if (isEvent && excess < 0)
            takeOut(index, -excess);
        else if (isEvent && m_now.notSent > 0 && excess > kReturned * m_now.notSent)
            giveBack(index, excess, expected);
        else if (isEvent)
            putIn(index, excess);
        m_before = &call;
        m_beforeLogged = m_now.prelude + m_now.slots;
    }

    void say(CallIndex call, SumEvent::Kind kind, double tokens) { m_sums.events.push_back({ call, kind, tokens }); }

    void putIn(CallIndex call, double tokens)
    {
        m_now.unlogged += tokens;
        m_putIn += tokens;
        say(call, SumEvent::Kind::PutIn, tokens);
    }

    /// A fall took logged text, unless it is as large as what was put in without a record, or larger than the array.
    void takeOut(CallIndex call, double tokens)
    {
        const bool wasPutIn = std::abs(tokens - m_putIn) < kSameSize * m_putIn;
        const double sent = std::max(0.0, m_now.slots - m_now.notSent);
        const double unlogged = wasPutIn || tokens > sent ? std::min(tokens, m_now.unlogged) : 0;
        const double logged = std::min(tokens - unlogged, sent);
        m_now.notSent += logged;
        m_now.unlogged -= unlogged;
        m_now.remainder -= tokens - logged - unlogged;
        m_putIn = std::max(0.0, m_putIn - unlogged);
        if (logged > 0)
            say(call, isClearedBefore(call) ? SumEvent::Kind::Recorded : SumEvent::Kind::Cleared, logged);
        if (unlogged > 0)
            say(call, SumEvent::Kind::TakenOut, unlogged);
    }

    /// Whether a clearing is recorded between the last call with usage and this one.
    [[nodiscard]] bool isClearedBefore(CallIndex call) const
    {
        const auto last = static_cast<size_t>(m_before - m_thread.calls.data());
        return std::ranges::any_of(m_thread.compactions, [&](const RecordedCompaction &each) {
            return each.kind == CompactionKind::Clearing && each.call.isValid() && each.call.index() >= last
                && each.call < call;
        });
    }

    void giveBack(CallIndex call, double excess, double expected)
    {
        say(call, SumEvent::Kind::Returned, m_now.notSent);
        const double more = excess - m_now.notSent;
        m_now.notSent = 0;
        if (more > 0 && isDeparture(more, expected))
            putIn(call, more);
        else
            m_now.remainder += more;
    }

    const Thread &m_thread;
    const BlockTokens &m_tokens;
    ArrayWeights m_weights;
    size_t m_count;
    ArraySum m_now;                 ///< of the last array; the next one begins with its other parts
    double m_usual = 0;             ///< the prelude by the first call with usage
    double m_putIn = 0;             ///< part of `unlogged`: put in without a record
    const Call *m_before = nullptr; ///< the last call with usage
    double m_beforeLogged = 0;      ///< its prelude and array
    ArraySums m_sums;
};

} // namespace

ArraySum ArraySum::withSlots(double weight, const BlockTokens &tokens) const
{
    ArraySum sum = *this;
    sum.slots = weight;
    sum.recorded = 0;
    sum.isDoubtful = false;
    const bool isDerived = tokens.basis == Basis::Exact && std::abs(besides()) >= 0.5;
    sum.basis = isDerived ? Basis::Estimated : tokens.basis;
    sum.error = tokens.error;
    return sum;
}

bool mayBeMissing(std::span<const UnsureSpan> unsure, BlockId block, uint32_t call)
{
    const auto [first, last] = std::ranges::equal_range(unsure, block, {}, &UnsureSpan::block);
    return std::any_of(first, last, [&](const UnsureSpan &span) { return span.from <= call && call < span.to; });
}

ArraySumsPtr arraySums(const Session &session, ThreadIndex thread, const BlockTokens &tokens)
{
    ++arraySumsRunCount;
    auto sums = std::make_shared<ArraySums>(Adder(session, session.thread(thread), tokens).run());
    sums->clearings = silentClearings(session, thread, *sums, tokens);
    sums->unsure = unsureSpans(sums->clearings);
    return sums;
}

uint64_t arraySumsRuns() { return arraySumsRunCount; }

SessionSumsPtr sessionSums(const Session &session, const BlockTokens &tokens)
{
    auto sums = std::make_shared<SessionSums>();
    for (size_t i = 0; i < session.threads.size(); ++i)
        sums->push_back(arraySums(session, ThreadIndex(i), tokens));
    return sums;
}

} // namespace core
