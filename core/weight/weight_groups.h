// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/slot_label.h"
#include "core/tokens/array_sums.h"
#include "core/weight/hot_zones.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// How the blocks of an array are grouped.
enum class GroupBy : uint8_t {
    Block, ///< each on its own
    File,  ///< by the file or command family that a tool call is about; other blocks by kind
    Tool,  ///< by tool name; other blocks by kind
    Kind,  ///< user text, model text, thinking, tool calls, tool results, …
};

/// A group of blocks in an array, and its weight.
struct WeightGroup {
    std::string name;   ///< path (below the working folder), command, tool or kind; empty for a single block
    std::string detail; ///< the parts of the group: `4 reads, 3 stale, 1 edit`; empty for a single block
    Material material = Material::Prose; ///< of the heaviest part
    uint32_t firstBlock = 0;             ///< index into WeightGroups::blocks
    uint32_t blockCount = 0;             ///< 0: not a part of the slots, see addBesides
    BlockId heaviest;                    ///< invalid without blocks
    double weight = 0;
    double share = 0;       ///< of the weight of the slots; of the prompt, see addBesides
    uint32_t callCount = 0; ///< calls of the thread whose array contains any of its blocks
    double resent = 0;      ///< tokens × calls whose array contains them, summed over the blocks
    uint32_t hotCount = 0;  ///< blocks in hot zones
    std::string reason;     ///< reason of the first hot block

    [[nodiscard]] bool isHot() const { return hotCount > 0; }
};

/// All blocks of an array, each in exactly one group: hot groups first, by tokens resent, then the others by weight.
struct WeightGroups {
    std::vector<WeightGroup> groups;
    std::vector<BlockId> blocks; ///< group by group, in the array's order within each
    double total = 0;

    [[nodiscard]] std::span<const BlockId> blocksOf(const WeightGroup &group) const
    {
        return std::span(blocks).subspan(group.firstBlock, group.blockCount);
    }
};

/// A body is stale if a later call of the same array writes or edits its file without an error. Costs O(blocks of the
/// array × log + ranges of the thread's calls). Reads only the first bytes of long user texts.
[[nodiscard]] WeightGroups weightGroups(
    const Transcript &transcript, ThreadIndex thread, GroupBy by, const Weights &weights, const HotZones &hot);

/// Adds what was sent beside the slots, and what is subtracted, as groups without blocks: prelude, unlogged, `logged,
/// not sent`, remainder. The shares become those of the whole prompt, `total` stays that of the slots. For groups in
/// tokens.
void addBesides(WeightGroups &groups, const ArraySum &sum);

/// The part that related commands share: `cd web && FOO=1 npm run test -- -v` → `npm run test`, `/usr/bin/grep -rn x` →
/// `grep`.
[[nodiscard]] std::string commandFamily(std::string_view command);

} // namespace core
