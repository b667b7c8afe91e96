// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/context_spans.h"

#include "core/context/array_difference.h"
#include "core/session/user_message.h"
#include "core/tokens/silent_clearings.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace core {

namespace {

using Array = std::vector<BlockRange>;

/// Builds spans from consecutive arrays.
class SpanWriter final {
public:
    explicit SpanWriter(size_t blockCount)
        : m_openSince(blockCount, kClosed)
        , m_standing(blockCount, 0)
        , m_hasSpan(blockCount, false)
    {
    }

    /// The array of the next call.
    void next(Array array)
    {
        const ArrayDifference difference = differenceOf(m_array, array);
        m_changed.clear();
        const auto step = [this](const Array &ranges, auto count) {
            forEachBlock(ranges, [&](BlockId id) {
                count(m_standing[id.index()]);
                m_changed.push_back(id.value());
            });
        };
        step(difference.removed, [](uint32_t &standing) { --standing; });
        step(difference.added, [](uint32_t &standing) { ++standing; });
        for (const uint32_t id : m_changed)
            settle(id);
        m_array = std::move(array);
        ++m_call;
    }

    /// Adds a block that was in an array after that of the previous call. Its span is empty unless a call sends it.
    void unsent(BlockId id) { m_unsent.push_back({ id, m_call, m_call }); }

    /// Closes all spans and returns them.
    [[nodiscard]] std::vector<ContextSpan> finish()
    {
        next({});
        for (const ContextSpan &span : m_unsent) {
            if (!m_hasSpan[span.block.index()])
                m_spans.push_back(span);
            m_hasSpan[span.block.index()] = true;
        }
        std::ranges::sort(m_spans, {}, [](const ContextSpan &span) { return std::pair(span.block, span.from); });
        return std::move(m_spans);
    }

private:
    static constexpr uint32_t kClosed = std::numeric_limits<uint32_t>::max();

    void settle(uint32_t id)
    {
        uint32_t &since = m_openSince[id];
        if (m_standing[id] > 0 && since == kClosed) {
            since = m_call;
            m_hasSpan[id] = true;
        } else if (m_standing[id] == 0 && since != kClosed) {
            m_spans.push_back({ BlockId(id), since, m_call });
            since = kClosed;
        }
    }

    Array m_array;
    std::vector<uint32_t> m_changed;
    std::vector<uint32_t> m_openSince; ///< by block
    std::vector<uint32_t> m_standing;  ///< by block: number of occurrences in the array
    std::vector<bool> m_hasSpan;       ///< by block
    std::vector<ContextSpan> m_spans;
    std::vector<ContextSpan> m_unsent;
    uint32_t m_call = 0;
};

Array arrayOf(const std::optional<BlockRange> &prelude, const BlockRanges &ranges)
{
    Array array;
    if (prelude)
        array.push_back(*prelude);
    const Array messages = rangesOf(ranges);
    array.insert(array.end(), messages.begin(), messages.end());
    return array;
}

} // namespace

void ContextSpans::setClearings(std::vector<SilentClearing> silent)
{
    clearings = std::move(silent);
    unsure = unsureSpans(clearings);
}

ContextSpans recordedSpans(const SessionPtr &session, ThreadIndex thread, const ArraySums *sums)
{
    const Thread &recorded = session->thread(thread);
    ContextSpans result;
    result.session = session;
    result.callCount = static_cast<uint32_t>(recorded.calls.size());
    result.end = recorded.end;
    SpanWriter writer(session->blocks.size());
    size_t compaction = 0;
    for (uint32_t i = 0; i < recorded.calls.size(); ++i) {
        writer.next(arrayOf(recorded.calls[i].prelude, recorded.calls[i].input));
        for (; compaction < recorded.compactions.size(); ++compaction) {
            const RecordedCompaction &each = recorded.compactions[compaction];
            if (each.call.isValid() && each.call.value() > i)
                break;
            forEachBlock(grownBefore(recorded, each), [&](BlockId id) {
                if (isUserMessage(session->block(id)))
                    writer.unsent(id);
            });
        }
    }
    writer.next(arrayOf(recorded.prelude, recorded.end));
    result.spans = writer.finish();
    for (const RecordedCompaction &each : recorded.compactions) {
        const uint32_t first = each.call.isValid() ? each.call.value() + 1 : 0;
        result.rewrites.push_back({ first, each.kind });
    }
    if (sums != nullptr)
        result.setClearings(sums->clearings);
    return result;
}

} // namespace core
