// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/append_log.h"

#include "core/context/array_difference.h"

#include <algorithm>
#include <unordered_set>

namespace core {

namespace {

/// Builds the log call by call.
class LogMaker final {
public:
    LogMaker(const SessionPtr &session, ThreadIndex thread)
        : m_session(*session)
        , m_thread(session->thread(thread))
        , m_isIn(session->blocks.size(), false)
    {
        m_log.session = session;
        m_log.thread = thread;
        m_log.firstCounterfactual = static_cast<uint32_t>(m_thread.calls.size());
    }

    AppendLog make()
    {
        for (size_t i = 0; i <= m_thread.calls.size(); ++i) {
            const BlockRanges &array = i < m_thread.calls.size() ? m_thread.calls[i].input : m_thread.end;
            step(i, rangesOf(array));
        }
        return std::move(m_log);
    }

private:
    /// Whether a harness rewrote the array between the call before `index` and that call; rollbacks do not count. Also
    /// records the blocks that were in the array then but that no call sent.
    bool isCompactedBefore(size_t index)
    {
        bool isCompacted = false;
        m_grown.clear();
        for (; m_nextCompaction < m_thread.compactions.size(); ++m_nextCompaction) {
            const RecordedCompaction &each = m_thread.compactions[m_nextCompaction];
            if (each.call.isValid() && each.call.index() >= index)
                break;
            const std::vector<BlockRange> grown = grownBefore(m_thread, each);
            m_grown.insert(m_grown.end(), grown.begin(), grown.end());
            isCompacted = isCompacted || each.kind != CompactionKind::Rollback;
        }
        return isCompacted;
    }

    void step(size_t index, std::vector<BlockRange> array)
    {
        const bool isCompacted = isCompactedBefore(index);
        if (isCompacted && !m_isApart) {
            m_isApart = true;
            m_log.firstCounterfactual = static_cast<uint32_t>(std::min(index, m_thread.calls.size()));
        }
        const ArrayDifference difference = differenceOf(m_array, array);
        m_step = { static_cast<uint32_t>(m_blocks.size()), static_cast<uint32_t>(m_log.added.size()), 0 };
        if (!m_isApart)
            follow(difference);
        else
            goOn(difference, isCompacted, index);
        m_step.count = static_cast<uint32_t>(m_log.added.size()) - m_step.first;
        m_log.steps.push_back(m_step);
        m_array = std::move(array);
    }

    /// Follows the recorded array exactly.
    void follow(const ArrayDifference &difference)
    {
        truncate(difference.common);
        forEachBlock(difference.added, [&](BlockId id) { append(id); });
    }

    /// Appends the new blocks of the recorded array. Removes blocks that left it, unless a harness removed them.
    void goOn(const ArrayDifference &difference, bool isCompacted, size_t index)
    {
        if (isCompacted) {
            // The response of the previous call was in context, even if no recorded array contains it.
            if (index > 0)
                forEachBlock({ { m_thread.calls[index - 1].output } }, [&](BlockId id) { enter(id, false); });
            forEachBlock(m_grown, [&](BlockId id) { enter(id, false); });
        } else {
            takeBack(difference);
        }
        forEachBlock(difference.added, [&](BlockId id) { enter(id, isCompacted); });
    }

    /// Removes the blocks that left the recorded array without a compaction.
    void takeBack(const ArrayDifference &difference)
    {
        std::unordered_set<BlockId> leaving;
        forEachBlock(difference.removed, [&](BlockId id) {
            if (m_isIn[id.index()])
                leaving.insert(id);
        });
        forEachBlock(difference.added, [&](BlockId id) { leaving.erase(id); });
        if (leaving.empty())
            return;
        const auto first = std::ranges::find_if(m_blocks, [&](BlockId id) { return leaving.contains(id); });
        const std::vector<BlockId> rest(first, m_blocks.end());
        truncate(static_cast<size_t>(first - m_blocks.begin()));
        for (const BlockId id : rest) {
            if (!leaving.contains(id))
                append(id);
        }
    }

    /// Handles a block of a recorded array after a compaction.
    void enter(BlockId id, bool isCompacted)
    {
        const Block &block = m_session.block(id);
        const bool isPutBack = isCompacted && block.is(BlockFlag::Injected);
        if (!m_isIn[id.index()] && !isPutBack && !block.is(BlockFlag::Summary) && !block.is(BlockFlag::Stub))
            append(id);
    }

    void append(BlockId id)
    {
        m_isIn[id.index()] = true;
        m_blocks.push_back(id);
        m_log.added.push_back(id);
    }

    void truncate(size_t count)
    {
        for (size_t i = count; i < m_blocks.size(); ++i)
            m_isIn[m_blocks[i].index()] = false;
        m_blocks.resize(count);
        m_step.kept = static_cast<uint32_t>(count);
    }

    const Session &m_session;
    const Thread &m_thread;
    AppendLog m_log;
    std::vector<BlockRange> m_array; ///< the recorded array of the step before
    std::vector<BlockRange> m_grown; ///< see grownBefore
    std::vector<BlockId> m_blocks;   ///< the array of the log
    std::vector<bool> m_isIn;        ///< by BlockId: is in the array of the log
    LogStep m_step;
    size_t m_nextCompaction = 0;
    bool m_isApart = false;
};

} // namespace

std::vector<BlockId> AppendLog::arrayAt(size_t step) const
{
    std::vector<BlockId> array;
    for (size_t i = 0; i <= step; ++i) {
        array.resize(steps[i].kept);
        array.insert(array.end(), addedAt(i).begin(), addedAt(i).end());
    }
    return array;
}

AppendLog appendLog(const SessionPtr &session, ThreadIndex thread) { return LogMaker(session, thread).make(); }

} // namespace core
