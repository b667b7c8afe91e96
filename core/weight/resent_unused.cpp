// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/resent_unused.h"

#include "core/weight/range_counts.h"

#include <algorithm>

namespace core {

std::vector<LastUse> lastUses(const Session &session, const Uses &uses, UseKinds kinds)
{
    std::vector<LastUse> last(session.blocks.size());
    for (const Use &use : uses.uses) {
        if ((kinds & only(use.kind)) == 0)
            continue;
        for (const BlockId carrier : uses.boundOf(use))
            last[carrier.index()] = { use.kind, use.call, use.by };
    }
    return last;
}

std::vector<uint32_t> unusedCallsPerBlock(
    const Session &session, Position position, std::span<const LastUse> lastUses, const ArraySums &sums)
{
    const std::vector<Call> &calls = session.thread(position.thread).calls;
    const size_t end = position.isEnd() ? calls.size() : std::min(calls.size(), position.call.index());
    std::vector<std::vector<BlockId>> askedAfter(end); // by call
    for (uint32_t i = 0; i < lastUses.size(); ++i) {
        if (lastUses[i].isUsed() && lastUses[i].call.isValid() && lastUses[i].call.index() < end)
            askedAfter[lastUses[i].call.index()].emplace_back(i);
    }
    RangeCounts counts(session.blocks.size());
    std::vector<uint32_t> sent(session.blocks.size());
    for (size_t call = 0; call < end; ++call) {
        calls[call].input.forEachRange([&](BlockRange range) { counts.add(range); });
        for (const BlockId id : askedAfter[call])
            sent[id.index()] = counts.at(id.index());
    }
    const auto behindLastUse = [&](BlockId id) {
        const LastUse &use = lastUses[id.index()];
        return use.isUsed() && use.call.isValid() ? use.call.index() + 1 : 0;
    };
    const std::vector<uint32_t> unsure = unsureCallsPerBlock(session, position.thread, sums, behindLastUse, end);
    std::vector<uint32_t> unused(session.blocks.size());
    for (size_t i = 0; i < unused.size(); ++i) {
        const bool isNeededLater
            = lastUses[i].isUsed() && lastUses[i].call.isValid() && lastUses[i].call.index() >= end;
        unused[i] = isNeededLater ? 0 : counts.at(i) - sent[i] - unsure[i];
    }
    return unused;
}

ResentUnused resentUnused(const Transcript &transcript, Position position, size_t cutoff, GroupBy by,
    const BlockTokensPtr &tokens, const Uses &uses, const ArraySums &sums, UseKinds kinds)
{
    ResentUnused result;
    if (transcript.isEmpty())
        return result;
    const Session &session = *transcript.session();
    const std::vector<LastUse> last = lastUses(session, uses, kinds);
    const std::vector<uint32_t> unused = unusedCallsPerBlock(session, position, last, sums);
    const auto resentOf = [&](BlockId id) { return tokens->of(id) * unused[id.index()]; };
    std::vector<bool> isRemovable(session.blocks.size());
    std::vector<bool> isInArray(session.blocks.size());
    for (size_t i = 0; i < transcript.slotCount(); ++i) {
        for (const BlockId id : transcript.blocksOf(transcript.slot(SlotIndex(i)))) {
            isInArray[id.index()] = true;
            if (i < cutoff)
                isRemovable[id.index()] = true;
        }
    }
    const auto isStale = [&](BlockId id) {
        const BlockId change = id.index() < uses.changedBy.size() ? uses.changedBy[id.index()] : BlockId();
        return change.isValid() && isInArray[change.index()];
    };
    const WeightGroups groups
        = weightGroups(transcript, position.thread, by, Weights(tokens, WeightUnit::Tokens), HotZones());
    for (const WeightGroup &group : groups.groups) {
        UnusedGroup made;
        made.name = group.name;
        made.firstBlock = static_cast<uint32_t>(result.blocks.size());
        for (const BlockId id : groups.blocksOf(group)) {
            if (!isRemovable[id.index()])
                continue;
            result.blocks.push_back(id);
            made.resent += resentOf(id);
            made.weight += tokens->of(id);
            if (isStale(id)) {
                ++made.staleCount;
                made.staleResent += resentOf(id);
            }
            const LastUse &use = last[id.index()];
            made.usedCount += use.isUsed() ? 1 : 0;
            // Uses follow the order of the log. Block ids do not always, but calls do.
            const auto order = [](const LastUse &each) { return each.call.isValid() ? each.call.index() + 1 : 0; };
            if (use.isUsed() && (!made.last.isUsed() || order(use) >= order(made.last)))
                made.last = use;
        }
        made.blockCount = static_cast<uint32_t>(result.blocks.size()) - made.firstBlock;
        if (made.resent <= 0) {
            result.blocks.resize(made.firstBlock);
            continue;
        }
        std::ranges::stable_sort(
            result.blocks.begin() + made.firstBlock, result.blocks.end(), std::ranges::greater(), resentOf);
        result.resent += made.resent;
        result.groups.push_back(std::move(made));
    }
    std::ranges::stable_sort(result.groups, [](const UnusedGroup &a, const UnusedGroup &b) {
        return a.isStale() != b.isStale() ? a.isStale() : a.resent > b.resent;
    });
    return result;
}

std::vector<uint32_t> unusedRanks(const Session &session, const ResentUnused &unused)
{
    std::vector<uint32_t> ranks(session.blocks.size(), static_cast<uint32_t>(unused.groups.size()));
    for (uint32_t i = 0; i < unused.groups.size(); ++i) {
        for (const BlockId id : unused.blocksOf(unused.groups[i]))
            ranks[id.index()] = i;
    }
    return ranks;
}

void rankHotZones(HotZones &zones, std::span<const uint32_t> ranks)
{
    std::ranges::stable_sort(zones.blocks, {}, [&](const HotBlock &each) { return ranks[each.block.index()]; });
    zones.index();
}

} // namespace core
