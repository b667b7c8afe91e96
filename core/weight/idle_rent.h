// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/uses.h"
#include "core/weight/hot_zones.h"
#include "core/weight/weight_groups.h"

namespace core {

/// The last time a block was needed, with the link to it.
struct LastUse {
    UseKind kind = UseKind::Quote;
    CallIndex call; ///< see Use::call
    BlockId by;     ///< invalid: never used

    [[nodiscard]] bool isUsed() const { return by.isValid(); }
};

/// By BlockId, of the uses of these kinds: a use counts for the block that it is bound to, one of several together for
/// each of them. O(blocks + uses).
[[nodiscard]] std::vector<LastUse> lastUses(const Session &session, const Uses &uses, UseKinds kinds = kHeadlineUses);

/// By BlockId: the calls of the thread before the position that were sent the block after the call of its last use;
/// all of them where it was never used. A block that is needed after the position is not idle at it: the whole thread
/// is known. Costs O((blocks + ranges of the thread's calls) × log).
[[nodiscard]] std::vector<uint32_t> idleCallsPerBlock(
    const Session &session, Position position, std::span<const LastUse> lastUses);

/// Blocks of an array that belong together, and what they have cost since they were last needed.
struct IdleGroup {
    std::string name;        ///< as WeightGroup::name
    uint32_t firstBlock = 0; ///< into IdleRents::blocks
    uint32_t blockCount = 0; ///< the one with most idle rent first
    double rent = 0;         ///< tokens × idle calls, summed over the blocks
    double weight = 0;       ///< tokens
    uint32_t staleCount = 0; ///< blocks whose file was changed since, before the position
    double staleRent = 0;    ///< their part of `rent`
    uint32_t usedCount = 0;  ///< blocks that were used at all
    LastUse last;            ///< of all its blocks

    [[nodiscard]] bool isStale() const { return staleCount > 0; }
};

/// The idle rent of one array, of all blocks or those before a keep window.
struct IdleRents {
    std::vector<IdleGroup> groups; ///< with idle rent: those with stale bodies first, by their idle rent, then the rest
    std::vector<BlockId> blocks;   ///< group by group
    double rent = 0;               ///< of all groups
    size_t listedCount = 0;        ///< how many groups to list: until they hold 80 % of the rent, at most 20

    [[nodiscard]] std::span<const BlockId> blocksOf(const IdleGroup &group) const
    {
        return std::span(blocks).subspan(group.firstBlock, group.blockCount);
    }
};

/// What hot zones rank by. `by` puts blocks together as `weightGroups` does: each on its own, or by file and family of
/// commands. `cutoff` is the first slot of the keep window; the blocks from there on are in no group.
/// Costs O((blocks + ranges of the thread's calls) × log), no text.
[[nodiscard]] IdleRents idleRents(const Transcript &transcript, Position position, size_t cutoff, GroupBy by,
    const BlockTokensPtr &tokens, const Uses &uses, UseKinds kinds = kHeadlineUses);

/// How many of idle groups, in the order of `IdleRents::groups`, are listed: until they hold 80 % of their rent
/// together, at most 20.
[[nodiscard]] size_t listedCount(std::span<const IdleGroup> groups);

/// Orders hot zones by the idle rents of single blocks (`GroupBy::Block`): stale ones first, then by idle rent; those
/// that do not idle stay behind, as they were.
void rankByIdleRent(HotZones &zones, const IdleRents &idle);

} // namespace core
