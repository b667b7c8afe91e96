// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/transcript.h"

#include "core/session/format_traits.h"

#include <algorithm>
#include <ranges>

namespace core {

Transcript::Transcript(SessionPtr session, const BlockRanges &ranges)
    : m_session(std::move(session))
{
    m_blocks.reserve(ranges.blockCount());
    MessageId previous;
    ranges.forEach([&](BlockId id) {
        const Block &block = m_session->block(id);
        const auto place = static_cast<uint32_t>(m_blocks.size());
        m_blocks.push_back(id);
        const bool sameMessage = previous.isValid() && block.message == previous;
        previous = block.message;
        if (sameMessage) {
            ++m_slots.back().blockCount;
            return;
        }
        const Role role = m_session->message(block.message).role;
        const bool mergesUsers = m_session->traits->mergesUsers() && role == Role::User && !m_slots.empty()
            && m_slots.back().role == Role::User;
        if (mergesUsers) {
            ++m_slots.back().blockCount;
            return;
        }
        m_slots.push_back({ block.message, role, place, 1 });
    });
}

SlotIndex Transcript::slotOf(BlockId block) const
{
    auto place = std::ranges::lower_bound(m_blocks, block);
    if (place == m_blocks.end() || *place != block)
        place = std::ranges::find(m_blocks, block); // not in pool order: the history was rewound or rewritten
    if (place == m_blocks.end())
        return {};
    const auto index = static_cast<uint32_t>(place - m_blocks.begin());
    const auto next = std::ranges::upper_bound(m_slots, index, {}, &Slot::firstBlock);
    return SlotIndex(static_cast<size_t>(next - m_slots.begin()) - 1);
}

SlotIndex Transcript::slotOf(MessageId message) const
{
    for (size_t i = 0; i < m_slots.size(); ++i) {
        for (const BlockId id : blocksOf(m_slots[i])) {
            if (m_session->block(id).message == message)
                return SlotIndex(i);
        }
    }
    return {};
}

TextLengths Transcript::lengthsOf(const Slot &slot) const
{
    TextLengths lengths;
    for (const BlockId id : blocksOf(slot))
        lengths += m_session->block(id).lengths;
    return lengths;
}

std::vector<BlockId> callAndAnswers(const Transcript &transcript, BlockId block)
{
    const StringId callId = transcript.block(block).callId;
    std::vector<BlockId> group;
    bool isFound = false;
    for (const BlockId id : transcript.blocks()) {
        const Block &each = transcript.block(id);
        if (!callId.isValid() || each.callId != callId)
            continue;
        if (each.kind == BlockKind::ToolCall) {
            if (isFound)
                break;
            group.clear();
        }
        group.push_back(id);
        isFound = isFound || id == block;
    }
    return isFound ? group : std::vector<BlockId>();
}

const BlockRanges &rangesAt(const Session &session, Position position)
{
    const Thread &thread = session.thread(position.thread);
    return position.call.isValid() && position.call.index() < thread.calls.size()
        ? thread.calls[position.call.index()].input
        : thread.end;
}

std::optional<BlockRange> preludeAt(const Session &session, Position position)
{
    const Thread &thread = session.thread(position.thread);
    return position.call.isValid() && position.call.index() < thread.calls.size()
        ? thread.calls[position.call.index()].prelude
        : thread.prelude;
}

const RecordedCompaction *compactionAfter(const Session &session, Position position)
{
    if (position.isEnd())
        return nullptr;
    const Thread &thread = session.thread(position.thread);
    const auto found
        = std::ranges::find(thread.compactions | std::views::reverse, position.call, &RecordedCompaction::call);
    return found == thread.compactions.rend() ? nullptr : &*found;
}

} // namespace core
