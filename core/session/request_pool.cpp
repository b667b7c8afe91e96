// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_pool.h"

#include <algorithm>
#include <unordered_map>

namespace core::requests {

std::vector<Hash> Pool::keysOf(std::span<const uint32_t> blocks) const
{
    std::vector<Hash> keys;
    keys.reserve(blocks.size());
    for (const uint32_t id : blocks)
        keys.push_back(m_blocks[id].key);
    return keys;
}

uint32_t Pool::addMessage(const MessageDraft &draft)
{
    PoolMessage message;
    message.head = draft;
    message.head.blocks.clear();
    m_messages.push_back(std::move(message));
    return static_cast<uint32_t>(m_messages.size() - 1);
}

/// Adds a block to a message, behind one of its blocks or before one, else at its end.
uint32_t Pool::addBlock(const Block &block, Hash key, uint32_t message, uint32_t behind, uint32_t before)
{
    const auto id = static_cast<uint32_t>(m_blocks.size());
    PoolBlock &added = m_blocks.emplace_back();
    added.block = block;
    added.key = key;
    added.message = message;
    PoolMessage &owner = m_messages[message];
    auto place = owner.blocks.end();
    // The blocks of an output stay together.
    if (!owner.isOutput) {
        place = std::ranges::find(owner.blocks, behind);
        if (place != owner.blocks.end())
            ++place;
        else
            place = std::ranges::find(owner.blocks, before);
    }
    owner.blocks.insert(place, id);
    return id;
}

/// `found` holds the known block of each item of `message`, or none. Takes back those that would tear a message apart:
/// all come from one message that no other message of this request has. Only merged user messages may have several.
/// A message of which nothing but injected blocks is known is another one under the same reminders.
void Pool::resolveOwners(const RequestDraft &request, const Items &items, size_t message, bool mergesUsers,
    std::vector<uint32_t> &found) const
{
    const size_t begin = items.begins[message];
    const size_t end = items.begins[message + 1];
    std::unordered_map<uint32_t, size_t> counts;
    uint32_t owner = kNone;
    bool hasOwn = false;
    bool hasKnownOwn = false;
    for (size_t i = begin; i < end; ++i) {
        hasOwn = hasOwn || !items.blocks[i]->is(BlockFlag::Injected);
        if (found[i] == kNone)
            continue;
        const uint32_t candidate = m_blocks[found[i]].message;
        if (m_messages[candidate].claimedBy == m_requestCount) {
            found[i] = kNone;
            continue;
        }
        hasKnownOwn = hasKnownOwn || !items.blocks[i]->is(BlockFlag::Injected);
        const size_t count = ++counts[candidate];
        if (owner == kNone || count > counts[owner])
            owner = candidate;
    }
    if (hasOwn && !hasKnownOwn) {
        std::fill(found.begin() + static_cast<ptrdiff_t>(begin), found.begin() + static_cast<ptrdiff_t>(end), kNone);
        return;
    }
    if (counts.size() <= 1 || (mergesUsers && request.messages[message].role == Role::User))
        return;
    for (size_t i = begin; i < end; ++i) {
        if (found[i] != kNone && m_blocks[found[i]].message != owner)
            found[i] = kNone;
    }
}

std::vector<uint32_t> Pool::arrayOf(
    const RequestDraft &request, const Items &items, std::vector<uint32_t> known, bool mergesUsers)
{
    std::vector<uint32_t> array = std::move(known);
    for (size_t message = 0; message < request.messages.size(); ++message) {
        resolveOwners(request, items, message, mergesUsers, array);
        const size_t begin = items.begins[message];
        const size_t end = items.begins[message + 1];
        size_t firstKnown = begin;
        while (firstKnown < end && array[firstKnown] == kNone)
            ++firstKnown;
        uint32_t owner = firstKnown < end ? m_blocks[array[firstKnown]].message : addMessage(request.messages[message]);
        const uint32_t before = firstKnown < end ? array[firstKnown] : kNone;
        uint32_t behind = kNone;
        for (size_t i = begin; i < end; ++i) {
            if (array[i] == kNone)
                array[i] = addBlock(*items.blocks[i], items.keys[i], owner, behind, before);
            else if (items.blocks[i]->is(BlockFlag::CacheMark))
                m_blocks[array[i]].block.set(BlockFlag::CacheMark);
            behind = array[i];
            owner = m_blocks[behind].message;
            m_messages[owner].claimedBy = m_requestCount;
        }
    }
    ++m_requestCount;
    return array;
}

std::vector<uint32_t> Pool::addOutput(const MessageDraft &draft)
{
    const uint32_t message = addMessage(draft);
    m_messages[message].isOutput = true;
    std::vector<uint32_t> blocks;
    for (const Block &block : draft.blocks)
        blocks.push_back(addBlock(block, keyOf(draft.role, block), message, kNone, kNone));
    return blocks;
}

std::vector<uint32_t> Pool::inferredOutput(std::span<const uint32_t> array, size_t knownBlocks)
{
    std::vector<uint32_t> output;
    for (const uint32_t id : array) {
        PoolMessage &message = m_messages[messageOf(id)];
        const bool isKnown = std::ranges::any_of(message.blocks, [&](uint32_t each) { return each < knownBlocks; });
        if (isKnown && output.empty())
            continue;
        if (isKnown || message.head.role != Role::Assistant)
            break;
        message.isOutput = true;
        output.push_back(id);
    }
    return output;
}

void Pool::place(std::span<const uint32_t> blocks, ThreadIndex thread, SessionBuilder &builder)
{
    for (const uint32_t id : blocks) {
        PoolMessage &message = m_messages[m_blocks[id].message];
        if (message.isPlaced)
            continue;
        message.isPlaced = true;
        for (const uint32_t each : message.blocks)
            message.head.blocks.push_back(m_blocks[each].block);
        BlockRange range = builder.rangeOf(builder.addMessage(thread, message.head));
        for (const uint32_t each : message.blocks)
            m_blocks[each].placed = BlockId(range.begin++);
        message.head.blocks.clear();
    }
}

void Pool::appendRanges(BlockRanges &ranges, std::span<const uint32_t> blocks) const
{
    BlockRange range;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (range.size() > 0 && range.end == place) {
            ++range.end;
            continue;
        }
        ranges.append(range);
        range = { place, place + 1 };
    }
    ranges.append(range);
}

BlockRanges Pool::rangesOf(std::span<const uint32_t> blocks) const
{
    std::vector<BlockRange> ranges;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (!ranges.empty() && ranges.back().end == place)
            ++ranges.back().end;
        else
            ranges.push_back({ place, place + 1 });
    }
    return BlockRanges::of(ranges);
}

BlockRange Pool::contiguous(std::span<const uint32_t> blocks) const
{
    BlockRange range;
    for (const uint32_t id : blocks) {
        const uint32_t place = m_blocks[id].placed.value();
        if (range.size() == 0)
            range = { place, place + 1 };
        else if (range.end == place)
            ++range.end;
        else
            break;
    }
    return range;
}

} // namespace core::requests
