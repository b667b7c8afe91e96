// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/context_curve.h"

#include <algorithm>
#include <optional>

namespace core {

namespace {

/// Weighs arrays of a session by prefix sums over its pool.
class ArrayWeights final {
public:
    ArrayWeights(const Session &session, const BlockTokens &tokens)
        : m_sums(session.blocks.size() + 1, 0.0)
    {
        for (size_t i = 0; i < session.blocks.size(); ++i)
            m_sums[i + 1] = m_sums[i] + tokens.of(BlockId(i));
    }

    [[nodiscard]] double of(BlockRange range) const { return m_sums[range.end] - m_sums[range.begin]; }
    [[nodiscard]] double of(const BlockRanges &ranges) const
    {
        double sum = 0;
        ranges.forEachRange([&](BlockRange range) { sum += of(range); });
        return sum;
    }

private:
    std::vector<double> m_sums;
};

/// Failed calls record a usage of zeros.
bool isRecorded(const Call &call) { return call.usage && call.usage->prompt() > 0; }

/// First calls of the stretches between replacements of the array; the last entry is behind the end.
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

} // namespace

ContextCurve contextCurve(const Session &session, ThreadIndex threadIndex, const BlockTokens &tokens)
{
    const Thread &thread = session.thread(threadIndex);
    const ArrayWeights weights(session, tokens);
    const size_t count = thread.calls.size();
    ContextCurve curve;
    curve.calls.resize(count);
    curve.error = tokens.error;

    const auto preludeAt = [&](size_t place) {
        const auto &prelude = place < count ? thread.calls[place].prelude : thread.prelude;
        return prelude ? weights.of(*prelude) : 0.0;
    };
    const auto arrayAt
        = [&](size_t place) { return weights.of(place < count ? thread.calls[place].input : thread.end); };
    const auto excessOf
        = [&](size_t place) { return static_cast<double>(thread.calls[place].usage->prompt()) - arrayAt(place); };

    // Stretches without usage take the overhead of the thread's first recorded call.
    const auto first = std::ranges::find_if(thread.calls, isRecorded);
    const std::optional<double> usual = first == thread.calls.end()
        ? std::nullopt
        : std::optional(std::max(0.0, excessOf(static_cast<size_t>(first - thread.calls.begin()))));

    const std::vector<size_t> begins = stretches(thread);
    for (size_t stretch = 0; stretch + 1 < begins.size(); ++stretch) {
        const size_t begin = begins[stretch];
        const size_t end = begins[stretch + 1];
        std::optional<double> excess;
        for (size_t place = begin; place < std::min(end, count) && !excess; ++place) {
            if (isRecorded(thread.calls[place]))
                excess = excessOf(place);
        }
        if (!excess)
            excess = usual;
        for (size_t place = begin; place < end; ++place) {
            ContextPoint &point = place < count ? curve.calls[place] : curve.end;
            if (place < count && isRecorded(thread.calls[place])) {
                point = { static_cast<double>(thread.calls[place].usage->prompt()), Basis::Exact };
                excess = excessOf(place);
                ++curve.recordedCount;
            } else {
                point = { std::max(0.0, arrayAt(place) + excess.value_or(preludeAt(place))), tokens.basis };
            }
            curve.peak = std::max(curve.peak, point.tokens);
        }
    }
    return curve;
}

} // namespace core
