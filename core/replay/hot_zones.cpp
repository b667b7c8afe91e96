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

/// A block that may be hot: small, because all that could be removed are sorted.
struct Candidate {
    double weight = 0;
    BlockId block;
    SlotIndex slot;
};

/// The blocks of the slots before `cutoff` with their weights.
std::vector<Candidate> removableBlocks(const Transcript &transcript, size_t cutoff, const Weights &weights)
{
    std::vector<Candidate> blocks;
    const auto slots = transcript.slots();
    for (size_t i = 0; i < std::min(cutoff, slots.size()); ++i) {
        for (const BlockId id : transcript.blocksOf(slots[i]))
            blocks.push_back({ weights.of(*transcript.session(), id), id, SlotIndex(i) });
    }
    return blocks;
}

/// The heaviest blocks: until they hold 80 % together, and those of 5 % each.
std::vector<HotBlock> hottest(std::vector<Candidate> blocks, double removable)
{
    std::ranges::sort(blocks, [](const Candidate &a, const Candidate &b) {
        return a.weight != b.weight ? a.weight > b.weight : a.block < b.block;
    });
    std::vector<HotBlock> hot;
    double sum = 0;
    for (const Candidate &each : blocks) {
        const bool isNeeded = sum < kShareOfAll * removable;
        const bool isLarge = each.weight >= kShareOfOne * removable;
        if (each.weight <= 0 || (!isNeeded && !isLarge))
            break;
        sum += each.weight;
        hot.push_back({ .block = each.block, .slot = each.slot, .weight = each.weight, .reason = {} });
    }
    return hot;
}

} // namespace

const HotBlock *HotZones::of(SlotIndex slot) const
{
    const auto slotOf = [this](uint32_t place) { return blocks[place].slot; };
    const auto found = std::ranges::lower_bound(bySlot, slot, {}, slotOf);
    return found == bySlot.end() || slotOf(*found) != slot ? nullptr : &blocks[*found];
}

void HotZones::explain(std::vector<std::string> reasons)
{
    for (size_t i = 0; i < std::min(reasons.size(), blocks.size()); ++i)
        blocks[i].reason = std::move(reasons[i]);
}

HotZones hotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights)
{
    HotZones zones = unexplainedHotZones(transcript, position, cutoff, weights);
    zones.explain(hotReasons(transcript, position.thread, zones));
    return zones;
}

HotZones unexplainedHotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights)
{
    HotZones zones;
    if (transcript.isEmpty())
        return zones;
    const Session &session = *transcript.session();
    std::vector<Candidate> removable = removableBlocks(transcript, cutoff, weights);
    for (const Candidate &block : removable)
        zones.removable += block.weight;
    zones.blocks = hottest(std::move(removable), zones.removable);
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

    return zones;
}

std::vector<std::string> hotReasons(const Transcript &transcript, ThreadIndex thread, const HotZones &zones)
{
    std::vector<BlockId> ids;
    for (const HotBlock &block : zones.blocks)
        ids.push_back(block.block);
    return ids.empty() ? std::vector<std::string>() : blockReasons(transcript, thread, ids);
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
