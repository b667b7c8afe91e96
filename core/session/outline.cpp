// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/outline.h"

#include <algorithm>

namespace core {

namespace {

/// Index behind the last block of an array in pool order; 0 for an empty array.
uint32_t endOf(const BlockRanges &ranges)
{
    uint32_t end = 0;
    ranges.forEachRange([&](BlockRange range) { end = std::max(end, range.end); });
    return end;
}

/// Finds the messages that begin a turn.
class TurnStarts final {
public:
    TurnStarts(const Session &session, const std::vector<MessageId> &messages)
        : m_session(session)
    {
        for (const MessageId id : messages)
            m_hasTyped = m_hasTyped || holds(id, [](const Block &block) { return block.is(BlockFlag::Typed); });
    }

    [[nodiscard]] bool operator()(MessageId id) const
    {
        if (m_hasTyped)
            return holds(id, [](const Block &block) { return block.is(BlockFlag::Typed); });
        return m_session.message(id).role == Role::User && holds(id, [](const Block &block) {
            return block.kind == BlockKind::Text && !block.is(BlockFlag::Injected) && !block.is(BlockFlag::Summary);
        });
    }

    [[nodiscard]] bool isSummary(MessageId id) const
    {
        return holds(id, [](const Block &block) { return block.is(BlockFlag::Summary); });
    }

private:
    template <typename Predicate>
    [[nodiscard]] bool holds(MessageId id, Predicate predicate) const
    {
        const Message &message = m_session.message(id);
        const auto first = m_session.blocks.begin() + message.first.value();
        return std::any_of(first, first + message.count, predicate);
    }

    const Session &m_session;
    bool m_hasTyped = false;
};

class OutlineBuilder final {
public:
    OutlineBuilder(const Session &session, ThreadIndex thread)
        : m_session(session)
        , m_thread(session.thread(thread))
    {
        for (size_t i = 0; i < session.messages.size(); ++i) {
            // A message without blocks of its own has nothing to show.
            if (session.messages[i].thread == thread && session.messages[i].count > 0)
                m_outline.messages.emplace_back(i);
        }
    }

    Outline build()
    {
        placeCompactions();
        const TurnStarts startsTurn(m_session, m_outline.messages);
        size_t compaction = 0;
        for (size_t i = 0; i < m_outline.messages.size(); ++i) {
            for (; compaction < m_places.size() && m_places[compaction] <= i; ++compaction)
                addCompaction(compaction, i);
            const MessageId id = m_outline.messages[i];
            const bool isTurn = startsTurn(id);
            const bool isSummaryOfCompaction
                = !isTurn && isLast(OutlineEntry::Kind::Compaction) && startsTurn.isSummary(id);
            if (isTurn)
                add(OutlineEntry::Kind::Turn, ++m_outline.turnCount, i);
            else if (m_outline.entries.empty() || (isLast(OutlineEntry::Kind::Compaction) && !isSummaryOfCompaction))
                resume(i);
            m_outline.entries.back().lastMessage = i + 1;
        }
        for (; compaction < m_places.size(); ++compaction)
            addCompaction(compaction, m_outline.messages.size());
        countCalls();
        return std::move(m_outline);
    }

private:
    [[nodiscard]] bool isLast(OutlineEntry::Kind kind) const
    {
        return !m_outline.entries.empty() && m_outline.entries.back().kind == kind;
    }

    void add(OutlineEntry::Kind kind, size_t number, size_t message)
    {
        OutlineEntry entry;
        entry.kind = kind;
        entry.number = number;
        entry.firstMessage = message;
        entry.lastMessage = message;
        m_outline.entries.push_back(entry);
    }

    void addCompaction(size_t number, size_t message)
    {
        add(OutlineEntry::Kind::Compaction, number + 1, message);
        m_outline.entries.back().firstCall = m_thread.compactions[number].call;
    }

    /// Continues the turn before a compaction.
    void resume(size_t message)
    {
        const bool isOpening = m_outline.turnCount == 0;
        add(isOpening ? OutlineEntry::Kind::Opening : OutlineEntry::Kind::Turn, m_outline.turnCount, message);
        m_outline.entries.back().isContinued = m_outline.entries.size() > 1;
    }

    [[nodiscard]] size_t messageAt(uint32_t block) const
    {
        const auto next = std::ranges::upper_bound(
            m_outline.messages, block, {}, [&](MessageId id) { return m_session.message(id).first.value(); });
        return static_cast<size_t>(next - m_outline.messages.begin());
    }

    /// Finds the message that each compaction follows.
    void placeCompactions()
    {
        size_t place = 0;
        for (const RecordedCompaction &compaction : m_thread.compactions) {
            uint32_t end = lastMessageBlockEnd(compaction.before);
            if (end == 0 && compaction.call.isValid())
                end = m_thread.calls[compaction.call.index()].output.end;
            if (end > 0)
                place = std::max(place, messageAt(end - 1));
            m_places.push_back(place);
        }
    }

    /// Like endOf, but for the messages of the blocks: stubs are behind everything else in the pool.
    [[nodiscard]] uint32_t lastMessageBlockEnd(const BlockRanges &ranges) const
    {
        uint32_t end = 0;
        ranges.forEachRange([&](BlockRange range) {
            // Only the last block of a range can belong to its latest message, unless the range has stubs.
            for (uint32_t i = range.end; i > range.begin; --i) {
                const Block &block = m_session.block(BlockId(i - 1));
                const Message &message = m_session.message(block.message);
                end = std::max(end, message.first.value() + message.count);
                if (!block.is(BlockFlag::Stub))
                    break;
            }
        });
        return end;
    }

    void countCalls()
    {
        for (size_t i = 0; i < m_thread.calls.size(); ++i) {
            const Call &call = m_thread.calls[i];
            const uint32_t end = call.output.size() > 0 ? call.output.begin + 1 : endOf(call.input);
            const size_t message = end > 0 ? messageAt(end - 1) : 0;
            const auto entry = m_outline.entryOf(message > 0 ? m_outline.messages[message - 1] : MessageId());
            if (!entry)
                continue;
            OutlineEntry &holder = m_outline.entries[*entry];
            if (holder.callCount++ == 0 && holder.kind != OutlineEntry::Kind::Compaction)
                holder.firstCall = CallIndex(i);
        }
    }

    const Session &m_session;
    const Thread &m_thread;
    Outline m_outline;
    std::vector<size_t> m_places;
};

} // namespace

std::optional<size_t> Outline::entryOf(MessageId message) const
{
    const auto found = std::ranges::lower_bound(messages, message);
    if (!message.isValid() || found == messages.end() || *found != message)
        return std::nullopt;
    const auto place = static_cast<size_t>(found - messages.begin());
    const auto next = std::ranges::upper_bound(entries, place, {}, &OutlineEntry::firstMessage);
    // Entries without messages have the same first message as the next entry.
    return static_cast<size_t>(next - entries.begin()) - 1;
}

Outline outlineOf(const Session &session, ThreadIndex thread) { return OutlineBuilder(session, thread).build(); }

const BlockRanges &shownRangesAt(const Session &session, Position position)
{
    const RecordedCompaction *compaction = compactionAfter(session, position);
    return compaction != nullptr ? compaction->before : rangesAt(session, position);
}

SlotLabel labelOf(const Session &session, MessageId message)
{
    // The transcript lives as long as this call; it only borrows the session.
    const SessionPtr borrowed(std::shared_ptr<void>(), &session);
    const uint32_t first = session.message(message).first.value();
    const Transcript one(borrowed, BlockRanges::of({ { first, first + session.message(message).count } }));
    SlotLabel label = labelOf(one, one.slots().front());
    if (label.what == "task")
        label.what = "text"; // only the first slot of an array is its task
    return label;
}

bool contains(const BlockRanges &ranges, BlockId block)
{
    bool found = false;
    ranges.forEachRange(
        [&](BlockRange range) { found = found || (range.begin <= block.value() && block.value() < range.end); });
    return found;
}

std::optional<Position> nearestPositionWith(const Session &session, BlockId block, Position from)
{
    if (!block.isValid() || block.index() >= session.blocks.size() || !session.block(block).message.isValid())
        return std::nullopt;
    const ThreadIndex thread = session.message(session.block(block).message).thread;
    const size_t count = session.thread(thread).calls.size(); // the call number of the end
    const auto positionAt
        = [&](size_t place) { return Position { thread, place < count ? CallIndex(place) : CallIndex() }; };
    const bool isFromHere = from.thread == thread && !from.isEnd() && from.call.index() < count;
    const size_t start = isFromHere ? from.call.index() : count;
    for (size_t distance = 0; distance <= count; ++distance) {
        if (distance <= start && contains(shownRangesAt(session, positionAt(start - distance)), block))
            return positionAt(start - distance);
        if (start + distance <= count && contains(shownRangesAt(session, positionAt(start + distance)), block))
            return positionAt(start + distance);
    }
    return std::nullopt;
}

} // namespace core
