// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/hot_zones.h"

#include "core/base/stable_order.h"
#include "core/weight/block_reasons.h"
#include "core/weight/range_counts.h"

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

bool HotZones::hasIn(SlotIndex first, SlotIndex last) const
{
    const auto slotOf = [this](uint32_t place) { return blocks[place].slot; };
    const auto found = std::ranges::lower_bound(bySlot, first, {}, slotOf);
    return found != bySlot.end() && slotOf(*found) <= last;
}

void HotZones::index()
{
    // Packs slot and place into one number: sorting numbers is much faster than sorting records.
    std::vector<uint64_t> keys(blocks.size());
    for (size_t i = 0; i < blocks.size(); ++i)
        keys[i] = uint64_t { blocks[i].slot.value() } << 32U | i;
    std::ranges::sort(keys);
    bySlot.resize(keys.size());
    std::ranges::transform(keys, bySlot.begin(), [](uint64_t key) { return static_cast<uint32_t>(key); });
}

HotZones hotZones(
    const Transcript &transcript, Position position, size_t cutoff, const Weights &weights, const ArraySums &sums)
{
    HotZones zones = HotZoneFinder(transcript, position, weights, sums).before(cutoff);
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

HotZoneFinder::HotZoneFinder(
    const Transcript &transcript, Position position, const Weights &weights, const ArraySums &sums)
{
    m_weightBefore.push_back(0);
    if (transcript.isEmpty())
        return;
    const Session &session = *transcript.session();
    std::vector<uint32_t> laterCalls(session.blocks.size(), 0);
    if (!position.isEnd()) {
        const CallIndex next(position.call.value() + 1);
        laterCalls = callsPerBlock(session, position.thread, next);
        const std::vector<uint32_t> unsure
            = unsureCallsPerBlock(session, position.thread, sums, [&](BlockId) { return next.index(); }, UINT32_MAX);
        std::ranges::transform(laterCalls, unsure, laterCalls.begin(), std::minus());
    }
    const auto slots = transcript.slots();
    m_candidates.reserve(transcript.blocks().size());
    m_weightBefore.reserve(slots.size() + 1);
    for (size_t i = 0; i < slots.size(); ++i) {
        double sum = 0;
        for (const BlockId id : transcript.blocksOf(slots[i])) {
            const double weight = weights.of(session, id);
            const double tokens = weights.tokens() ? weights.tokens()->of(id) : weight;
            const uint32_t later = laterCalls[id.index()];
            sum += weight;
            if (weight > 0)
                m_candidates.push_back({ weight, tokens * static_cast<double>(later), id, SlotIndex(i), later });
        }
        m_weightBefore.push_back(m_weightBefore.back() + sum);
    }
    m_heaviest.resize(m_candidates.size());
    std::iota(m_heaviest.begin(), m_heaviest.end(), 0U);
    const auto blockOf = [this](uint32_t place) { return uint64_t { m_candidates[place].block.value() }; };
    if (!std::ranges::is_sorted(m_heaviest, {}, blockOf))
        orderBy(m_heaviest, blockOf); // of equally heavy blocks the first
    orderBy(m_heaviest, [this](uint32_t place) { return descendingKey(m_candidates[place].weight); });
    m_byResent = m_heaviest;
    orderBy(m_byResent, [this](uint32_t place) { return descendingKey(m_candidates[place].resentLater); });
    m_ranked = m_byResent;
}

void HotZoneFinder::rank(std::span<const uint32_t> ranks)
{
    m_ranked = m_byResent;
    if (!ranks.empty())
        orderBy(m_ranked, [&](uint32_t place) { return uint64_t { ranks[m_candidates[place].block.index()] }; });
}

HotZones HotZoneFinder::before(size_t cutoff) const
{
    HotZones zones;
    zones.removable = m_weightBefore.empty() ? 0 : m_weightBefore[std::min(cutoff, m_weightBefore.size() - 1)];
    // Select the heaviest blocks until they hold 80 % together, and all blocks of at least 5 %.
    constexpr uint32_t kCold = UINT32_MAX;
    std::vector<uint32_t> places(m_candidates.size(), kCold); // by candidate: its place in the zones
    double sum = 0;
    size_t count = 0;
    for (const uint32_t heavy : m_heaviest) {
        const Candidate &each = m_candidates[heavy];
        if (each.slot.index() >= cutoff)
            continue;
        const bool isNeeded = sum < kShareOfAll * zones.removable;
        const bool isLarge = each.weight >= kShareOfOne * zones.removable;
        if (!isNeeded && !isLarge)
            break;
        sum += each.weight;
        places[heavy] = 0;
        ++count;
    }
    zones.blocks.reserve(count);
    for (const uint32_t ranked : m_ranked) {
        if (places[ranked] == kCold)
            continue;
        const Candidate &each = m_candidates[ranked];
        places[ranked] = static_cast<uint32_t>(zones.blocks.size());
        zones.blocks.push_back({ .block = each.block,
            .slot = each.slot,
            .weight = each.weight,
            .share = each.weight / zones.removable,
            .laterCalls = each.laterCalls,
            .resentLater = each.resentLater,
            .reason = {} });
    }
    zones.bySlot.reserve(count);
    std::ranges::copy_if(places, std::back_inserter(zones.bySlot), [](uint32_t place) { return place != kCold; });
    const auto isOtherSlot = [&](uint32_t a, uint32_t b) { return zones.blocks[a].slot != zones.blocks[b].slot; };
    for (auto from = zones.bySlot.begin(); from != zones.bySlot.end();) {
        auto to = std::adjacent_find(from, zones.bySlot.end(), isOtherSlot);
        to = to == zones.bySlot.end() ? to : std::next(to);
        std::sort(from, to); // of several in a slot the first comes first
        from = to;
    }
    return zones;
}

std::vector<uint32_t> callsPerBlock(const Session &session, ThreadIndex thread, CallIndex first)
{
    // A difference array: each range adds one at its start and subtracts one at its end. Unsigned numbers wrap.
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

std::vector<uint32_t> unsureCallsPerBlock(const Session &session, ThreadIndex thread, const ArraySums &sums,
    const std::function<size_t(BlockId)> &first, size_t end)
{
    std::vector<uint32_t> unsure(session.blocks.size());
    if (sums.unsure.empty())
        return unsure;
    const std::vector<Call> &calls = session.thread(thread).calls;
    end = std::min(end, calls.size());
    // Counts the calls before the end of each span, minus those before its beginning. Unsigned numbers wrap.
    std::vector<std::vector<BlockId>> begins(end + 1);
    std::vector<std::vector<BlockId>> ends(end + 1);
    for (const UnsureSpan &span : sums.unsure) {
        const size_t from = std::max<size_t>(span.from, first(span.block));
        const size_t to = std::min<size_t>(span.to, end);
        if (from >= to)
            continue;
        begins[from].push_back(span.block);
        ends[to].push_back(span.block);
    }
    RangeCounts counts(session.blocks.size());
    for (size_t call = 0; call <= end; ++call) {
        for (const BlockId id : begins[call])
            unsure[id.index()] -= counts.at(id.index());
        for (const BlockId id : ends[call])
            unsure[id.index()] += counts.at(id.index());
        if (call < end)
            calls[call].input.forEachRange([&](BlockRange range) { counts.add(range); });
    }
    return unsure;
}

} // namespace core
