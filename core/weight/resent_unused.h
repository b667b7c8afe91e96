// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/uses.h"
#include "core/weight/hot_zones.h"
#include "core/weight/weight_groups.h"

namespace core {

/// The last use of a block.
struct LastUse {
    UseKind kind = UseKind::Quote;
    CallIndex call; ///< see Use::call
    BlockId by;     ///< invalid if the block was never used

    [[nodiscard]] bool isUsed() const { return by.isValid(); }
};

/// By BlockId: the last use of one of `kinds`. A use counts for the block it is bound to; a use with carriers together
/// counts for each of them. O(blocks + uses).
[[nodiscard]] std::vector<LastUse> lastUses(const Session &session, const Uses &uses, UseKinds kinds = kHeadlineUses);

/// By BlockId: how many calls of the thread before the position sent the block after its last use, or at all if it was
/// never used. Zero for a block that a call at or after the position uses. A call that may not have been sent the block
/// (`ArraySums::mayBeMissing`) does not count. Costs O((blocks + ranges of the thread's calls) × log).
[[nodiscard]] std::vector<uint32_t> unusedCallsPerBlock(
    const Session &session, Position position, std::span<const LastUse> lastUses, const ArraySums &sums);

/// A group of blocks in an array, and the tokens resent since their last use.
struct UnusedGroup {
    std::string name;        ///< like WeightGroup::name
    uint32_t firstBlock = 0; ///< index into ResentUnused::blocks
    uint32_t blockCount = 0; ///< the blocks with most tokens resent unused come first
    double resent = 0;       ///< tokens × calls after the last use, summed over the blocks
    double weight = 0;       ///< tokens
    uint32_t staleCount = 0; ///< blocks whose file was changed later, but before the position
    double staleResent = 0;  ///< the part of `resent` from stale blocks
    uint32_t usedCount = 0;  ///< blocks with any use
    LastUse last;            ///< the latest last use of its blocks

    [[nodiscard]] bool isStale() const { return staleCount > 0; }
};

/// Tokens of one array that were sent again after their last use: for each block, tokens × calls after its last use
/// (`unusedCallsPerBlock`).
struct ResentUnused {
    std::vector<UnusedGroup> groups; ///< groups with stale blocks first, then the others; each part by descending
                                     ///< `resent`
    std::vector<BlockId> blocks;     ///< group by group
    double resent = 0;               ///< sum over all groups

    [[nodiscard]] std::span<const BlockId> blocksOf(const UnusedGroup &group) const
    {
        return std::span(blocks).subspan(group.firstBlock, group.blockCount);
    }
};

/// Ranks the groups of an array by tokens resent unused. `by` groups blocks as `weightGroups` does. `cutoff` is the
/// first slot of the keep window; later blocks are in no group. Groups without tokens resent unused are left out. Costs
/// O((blocks + ranges of the thread's calls) × log); reads no text.
[[nodiscard]] ResentUnused resentUnused(const Transcript &transcript, Position position, size_t cutoff, GroupBy by,
    const BlockTokensPtr &tokens, const Uses &uses, const ArraySums &sums, UseKinds kinds = kHeadlineUses);

/// By BlockId: the place of a block in the `groups` of `ResentUnused` by single blocks (`GroupBy::Block`). Blocks that
/// are in no group have the number of groups.
[[nodiscard]] std::vector<uint32_t> unusedRanks(const Session &session, const ResentUnused &unused);

/// Orders hot zones by `unusedRanks`: stale blocks first, then by tokens resent unused. The other zones keep their
/// order at the end.
void rankHotZones(HotZones &zones, std::span<const uint32_t> ranks);

} // namespace core
