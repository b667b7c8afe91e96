// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/unused_zones.h"

namespace core {

UnusedZoneFinder::UnusedZoneFinder(
    const Transcript &transcript, Position position, const Weights &weights, const Uses &uses)
{
    if (transcript.isEmpty())
        return;
    const Session &session = *transcript.session();
    const ResentUnused resent
        = resentUnused(transcript, position, transcript.slotCount(), GroupBy::Block, weights.tokens(), uses);
    std::vector<uint32_t> laterCalls(session.blocks.size());
    if (!position.isEnd())
        laterCalls = callsPerBlock(session, position.thread, CallIndex(position.call.value() + 1));
    for (const UnusedGroup &group : resent.groups) {
        const BlockId id = resent.blocksOf(group).front();
        HotBlock block;
        block.block = id;
        block.slot = transcript.slotOf(id);
        block.weight = weights.of(session, id);
        block.laterCalls = laterCalls[id.index()];
        block.resent = weights.tokens()->of(id) * static_cast<double>(block.laterCalls);
        m_candidates.push_back({ group, std::move(block) });
    }
}

HotZones UnusedZoneFinder::before(size_t cutoff, const HotZones &byResent) const
{
    std::vector<UnusedGroup> unused;
    HotZones zones;
    zones.removable = byResent.removable;
    for (const Candidate &each : m_candidates) {
        if (each.block.slot.index() >= cutoff)
            continue;
        unused.push_back(each.unused);
        zones.blocks.push_back(each.block);
        zones.blocks.back().share = zones.removable > 0 ? each.block.weight / zones.removable : 0;
    }
    zones.blocks.resize(listedCount(unused));
    if (zones.blocks.empty())
        return byResent;
    zones.index();
    return zones;
}

} // namespace core
