// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/hot_zones.h"

#include "core/replay/block_reasons.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

constexpr double kShareOfAll = 0.8;
constexpr double kShareOfOne = 0.05;

/// The blocks of the slots before `cutoff` with their weights.
std::vector<HotBlock> removableBlocks(const Transcript &transcript, size_t cutoff, const Weights &weights)
{
    std::vector<HotBlock> blocks;
    const auto slots = transcript.slots();
    for (size_t i = 0; i < std::min(cutoff, slots.size()); ++i) {
        for (const BlockId id : transcript.blocksOf(slots[i])) {
            HotBlock block;
            block.block = id;
            block.slot = SlotIndex(i);
            block.weight = weights.of(*transcript.session(), id);
            blocks.push_back(std::move(block));
        }
    }
    return blocks;
}

/// Keeps the heaviest blocks: until they hold 80 % together, and those of 5 % each.
void keepHot(std::vector<HotBlock> &blocks, double removable)
{
    std::ranges::sort(blocks, [](const HotBlock &a, const HotBlock &b) {
        return a.weight != b.weight ? a.weight > b.weight : a.block < b.block;
    });
    double sum = 0;
    size_t count = 0;
    while (count < blocks.size() && blocks[count].weight > 0) {
        const bool isNeeded = sum < kShareOfAll * removable;
        const bool isLarge = blocks[count].weight >= kShareOfOne * removable;
        if (!isNeeded && !isLarge)
            break;
        sum += blocks[count].weight;
        ++count;
    }
    blocks.resize(count);
}

} // namespace

const HotBlock *HotZones::of(SlotIndex slot) const
{
    const auto slotOf = [this](uint32_t place) { return blocks[place].slot; };
    const auto found = std::ranges::lower_bound(bySlot, slot, {}, slotOf);
    return found == bySlot.end() || slotOf(*found) != slot ? nullptr : &blocks[*found];
}

HotZones hotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights)
{
    HotZones zones;
    if (transcript.isEmpty())
        return zones;
    const Session &session = *transcript.session();
    zones.blocks = removableBlocks(transcript, cutoff, weights);
    for (const HotBlock &block : zones.blocks)
        zones.removable += block.weight;
    keepHot(zones.blocks, zones.removable);
    if (zones.blocks.empty())
        return zones;

    std::vector<uint32_t> laterCalls(session.blocks.size(), 0);
    if (!position.isEnd())
        laterCalls = callsPerBlock(session, position.thread, CallIndex(position.call.value() + 1));
    for (HotBlock &block : zones.blocks) {
        block.share = block.weight / zones.removable;
        block.laterCalls = laterCalls[block.block.index()];
        const double tokens = weights.tokens() ? weights.tokens()->of(block.block) : block.weight;
        block.rent = tokens * static_cast<double>(block.laterCalls);
    }
    std::ranges::stable_sort(zones.blocks, [](const HotBlock &a, const HotBlock &b) { return a.rent > b.rent; });

    zones.bySlot.resize(zones.blocks.size());
    std::iota(zones.bySlot.begin(), zones.bySlot.end(), 0U);
    std::ranges::stable_sort(zones.bySlot, {}, [&](uint32_t place) { return zones.blocks[place].slot; });

    std::vector<BlockId> ids;
    for (const HotBlock &block : zones.blocks)
        ids.push_back(block.block);
    const std::vector<std::string> reasons = blockReasons(transcript, position.thread, ids);
    for (size_t i = 0; i < zones.blocks.size(); ++i)
        zones.blocks[i].reason = reasons[i];
    return zones;
}

std::vector<uint32_t> callsPerBlock(const Session &session, ThreadIndex thread, CallIndex first)
{
    // Unsigned numbers wrap: a range adds one where it begins and takes one where it ends.
    std::vector<uint32_t> counts(session.blocks.size() + 1, 0);
    const std::vector<Call> &calls = session.thread(thread).calls;
    for (size_t i = first.index(); i < calls.size(); ++i) {
        calls[i].input.forEachRange([&](BlockRange range) {
            ++counts[range.begin];
            --counts[range.end];
        });
    }
    uint32_t running = 0;
    for (uint32_t &count : counts) {
        running += count;
        count = running;
    }
    counts.pop_back();
    return counts;
}

} // namespace core
