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

} // namespace

const HotBlock *HotZones::of(SlotIndex slot) const
{
    const auto slotOf = [this](uint32_t place) { return blocks[place].slot; };
    const auto found = std::ranges::lower_bound(bySlot, slot, {}, slotOf);
    return found == bySlot.end() || slotOf(*found) != slot ? nullptr : &blocks[*found];
}

void HotZones::index()
{
    bySlot.resize(blocks.size());
    std::iota(bySlot.begin(), bySlot.end(), 0U);
    std::ranges::stable_sort(bySlot, {}, [this](uint32_t place) { return blocks[place].slot; });
}

HotZones hotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights)
{
    HotZones zones = HotZoneFinder(transcript, position, weights).before(cutoff);
    std::vector<BlockId> blocks;
    for (const HotBlock &each : zones.blocks)
        blocks.push_back(each.block);
    if (blocks.empty())
        return zones;
    std::vector<std::string> reasons = blockReasons(transcript, position.thread, blocks);
    for (size_t i = 0; i < blocks.size(); ++i)
        zones.blocks[i].reason = std::move(reasons[i]);
    return zones;
}

HotZoneFinder::HotZoneFinder(const Transcript &transcript, Position position, const Weights &weights)
{
    m_weightBefore.push_back(0);
    if (transcript.isEmpty())
        return;
    const Session &session = *transcript.session();
    std::vector<uint32_t> laterCalls(session.blocks.size(), 0);
    if (!position.isEnd())
        laterCalls = callsPerBlock(session, position.thread, CallIndex(position.call.value() + 1));
    const auto slots = transcript.slots();
    for (size_t i = 0; i < slots.size(); ++i) {
        double sum = 0;
        for (const BlockId id : transcript.blocksOf(slots[i])) {
            const double weight = weights.of(session, id);
            const double tokens = weights.tokens() ? weights.tokens()->of(id) : weight;
            sum += weight;
            if (weight > 0)
                m_candidates.push_back({ weight, tokens, id, SlotIndex(i), laterCalls[id.index()] });
        }
        m_weightBefore.push_back(m_weightBefore.back() + sum);
    }
    std::ranges::sort(m_candidates, [](const Candidate &a, const Candidate &b) {
        return a.weight != b.weight ? a.weight > b.weight : a.block < b.block;
    });
}

HotZones HotZoneFinder::before(size_t cutoff) const
{
    HotZones zones;
    zones.removable = m_weightBefore.empty() ? 0 : m_weightBefore[std::min(cutoff, m_weightBefore.size() - 1)];
    // The heaviest blocks: until they hold 80 % together, and those of 5 % each.
    double sum = 0;
    for (const Candidate &each : m_candidates) {
        if (each.slot.index() >= cutoff)
            continue;
        const bool isNeeded = sum < kShareOfAll * zones.removable;
        const bool isLarge = each.weight >= kShareOfOne * zones.removable;
        if (!isNeeded && !isLarge)
            break;
        sum += each.weight;
        zones.blocks.push_back({ .block = each.block,
            .slot = each.slot,
            .weight = each.weight,
            .share = each.weight / zones.removable,
            .laterCalls = each.laterCalls,
            .rent = each.tokens * static_cast<double>(each.laterCalls),
            .reason = {} });
    }
    std::ranges::stable_sort(zones.blocks, [](const HotBlock &a, const HotBlock &b) { return a.rent > b.rent; });
    zones.index();
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
