// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/weight/idle_zones.h"

namespace core {

IdleZoneFinder::IdleZoneFinder(
    const Transcript &transcript, Position position, const Weights &weights, const Uses &uses)
{
    if (transcript.isEmpty())
        return;
    const Session &session = *transcript.session();
    const IdleRents rents
        = idleRents(transcript, position, transcript.slotCount(), GroupBy::Block, weights.tokens(), uses);
    std::vector<uint32_t> laterCalls(session.blocks.size());
    if (!position.isEnd())
        laterCalls = callsPerBlock(session, position.thread, CallIndex(position.call.value() + 1));
    for (const IdleGroup &group : rents.groups) {
        const BlockId id = rents.blocksOf(group).front();
        HotBlock block;
        block.block = id;
        block.slot = transcript.slotOf(id);
        block.weight = weights.of(session, id);
        block.laterCalls = laterCalls[id.index()];
        block.rent = weights.tokens()->of(id) * static_cast<double>(block.laterCalls);
        m_candidates.push_back({ group, std::move(block) });
    }
}

HotZones IdleZoneFinder::before(size_t cutoff, const HotZones &byRent) const
{
    std::vector<IdleGroup> idle;
    HotZones zones;
    zones.removable = byRent.removable;
    for (const Candidate &each : m_candidates) {
        if (each.block.slot.index() >= cutoff)
            continue;
        idle.push_back(each.idle);
        zones.blocks.push_back(each.block);
        zones.blocks.back().share = zones.removable > 0 ? each.block.weight / zones.removable : 0;
    }
    zones.blocks.resize(listedCount(idle));
    if (zones.blocks.empty())
        return byRent;
    zones.index();
    return zones;
}

} // namespace core
