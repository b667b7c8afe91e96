// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/replay/replay_cost.h"

#include <optional>
#include <vector>

namespace core {

/// A place in an array: `share` of the weight of `slot` stands before it. `slotCount()`: behind everything.
struct SlotPlace {
    SlotIndex slot { 0U };
    double share = 0;
    friend bool operator==(const SlotPlace &, const SlotPlace &) = default;
};

/// What a provider's cache made of one array: how far from its beginning it was read, where breakpoints stood on it,
/// and what broke the cache.
struct ArrayReading {
    enum class Source : uint8_t {
        Recorded, ///< usage of the call that was sent the array
        Replayed, ///< the cache model, of the call that a policy would have sent it with
        Shared,   ///< nothing was sent: what the array has in common with the one before it, if that was cached whole
    };
    Source source = Source::Recorded;
    double read = 0;   ///< tokens
    double prompt = 0; ///< tokens, system prompt and tools included
    CacheCause cause = CacheCause::None;
    std::optional<Timestamp> idle; ///< since the request before was sent
    SlotPlace end;                 ///< up to where it was read
    bool isEndExact = false;       ///< it is where an earlier array ended; else found by weight
    std::vector<BlockId> marked;   ///< blocks with a breakpoint, in array order

    [[nodiscard]] double readShare() const { return prompt > 0 ? read / prompt : 0; }
};

/// Of a recorded call. `array` begins with what the call was sent; `besides` is sent with it. A read of all that the
/// call before left ends, where this array goes on from that one, where that one ended; else it ends by weight: the
/// weights of the blocks are stretched to the recorded prompt. Nothing where the call recorded no usage, or where there
/// is no model of this cache. O(blocks in the array + recorded calls).
[[nodiscard]] std::optional<ArrayReading> recordedReading(const RecordedCache &cache, Position position,
    const Transcript &array, const Unlogged &besides, const BlockTokens &tokens);

/// Of an array that a policy makes at a call: as the replay has it, if that sends this very array with the call (known
/// by its weight and its number of blocks), else what both arrays of the compaction have in common. Nothing where there
/// is no model of this cache. O(blocks in the arrays).
[[nodiscard]] std::optional<ArrayReading> simulatedReading(const Replay &replay, const ReplayCost &cost,
    Position position, const Compaction &compaction, const Unlogged &besides);

} // namespace core
