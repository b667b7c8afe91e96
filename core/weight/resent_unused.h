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

/// By BlockId: how many calls of the thread before the position were sent the block after its last use; all calls that
/// were sent it if it was never used. Zero for a block that a call at or after the position uses.
/// Costs O((blocks + ranges of the thread's calls) × log).
[[nodiscard]] std::vector<uint32_t> unusedCallsPerBlock(
    const Session &session, Position position, std::span<const LastUse> lastUses);

/// Blocks of an array that belong together, and the tokens that were resent since their last use.
struct UnusedGroup {
    std::string name;        ///< as WeightGroup::name
    uint32_t firstBlock = 0; ///< into ResentUnused::blocks
    uint32_t blockCount = 0; ///< most tokens resent unused first
    double resent = 0;       ///< tokens × calls after the last use, summed over the blocks
    double weight = 0;       ///< tokens
    uint32_t staleCount = 0; ///< blocks whose file was changed since, before the position
    double staleResent = 0;  ///< their part of `resent`
    uint32_t usedCount = 0;  ///< blocks that were used at all
    LastUse last;            ///< of all its blocks

    [[nodiscard]] bool isStale() const { return staleCount > 0; }
};

/// Tokens of one array that were sent again and not used again: tokens × calls after the last use of each block.
struct ResentUnused {
    std::vector<UnusedGroup> groups; ///< groups with stale blocks first, then the rest; by `resent`, descending
    std::vector<BlockId> blocks;     ///< group by group
    double resent = 0;               ///< of all groups
    size_t listedCount = 0;          ///< how many groups to list: the fewest that hold 80 % of `resent`, at most 20

    [[nodiscard]] std::span<const BlockId> blocksOf(const UnusedGroup &group) const
    {
        return std::span(blocks).subspan(group.firstBlock, group.blockCount);
    }
};

/// Finds what hot zones rank by. `by` groups blocks as `weightGroups` does. `cutoff` is the first slot of the keep
/// window; blocks from there on are in no group. Groups that were not resent unused are left out.
/// Costs O((blocks + ranges of the thread's calls) × log), no text.
[[nodiscard]] ResentUnused resentUnused(const Transcript &transcript, Position position, size_t cutoff, GroupBy by,
    const BlockTokensPtr &tokens, const Uses &uses, UseKinds kinds = kHeadlineUses);

/// How many groups, in the order of `ResentUnused::groups`, to list: the fewest that hold 80 % of the tokens resent
/// unused, at most 20.
[[nodiscard]] size_t listedCount(std::span<const UnusedGroup> groups);

/// Orders hot zones by `ResentUnused` of single blocks (`GroupBy::Block`): stale blocks first, then by tokens resent
/// unused. The other zones keep their order at the end.
void rankByResentUnused(HotZones &zones, const ResentUnused &unused);

} // namespace core
