// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/replay/replay_cost.h"
#include "core/tokens/array_sums.h"

#include <optional>
#include <vector>

namespace core {

/// A place inside a slot of an array: after the part `share` of its weight. `slotCount()` is the end of the array.
struct SlotPlace {
    SlotIndex slot { 0U };
    double share = 0;
    friend bool operator==(const SlotPlace &, const SlotPlace &) = default;
};

/// A provider cache's reading of one array: how far the prefix was read, which blocks had breakpoints, and what broke
/// the cache.
struct ArrayReading {
    enum class Source : uint8_t {
        Recorded, ///< usage of the call that sent the array
        Replayed, ///< the cache model, for the call that a policy would have sent
        Shared,   ///< no call sent this array: the prefix shared with the `before` array, which counts as cached
    };
    Source source = Source::Recorded;
    double read = 0;   ///< tokens
    double prompt = 0; ///< tokens, system prompt and tools included
    CacheCause cause = CacheCause::None;
    std::optional<Timestamp> idle; ///< time since the previous request was sent
    SlotPlace end;                 ///< end of the read prefix
    bool isEndExact = false;       ///< `end` is where an earlier array ended; else it was estimated by weight
    std::vector<BlockId> marked;   ///< blocks with a breakpoint, in array order

    [[nodiscard]] double readShare() const { return prompt > 0 ? read / prompt : 0; }
};

/// The reading of a recorded call. `array` starts with what the call sent; `sum` has what was sent with it. If the call
/// read everything that the previous call left, and this array continues that one, the read prefix ends where that
/// array ended. Otherwise `end` is estimated from the blocks' weights, scaled to the recorded prompt. nullopt without
/// recorded usage or without a model of this cache. O(blocks in the array + recorded calls).
[[nodiscard]] std::optional<ArrayReading> recordedReading(const RecordedCache &cache, Position position,
    const Transcript &array, const ArraySum &sum, const BlockTokens &tokens);

/// The reading of an array that a policy makes at a call. Uses the replay's reading if the replay sends this array with
/// the call (compared by weight and number of blocks), else the prefix shared by both arrays of the compaction. nullopt
/// without a model of this cache. O(blocks in the arrays).
[[nodiscard]] std::optional<ArrayReading> simulatedReading(
    const Replay &replay, const ReplayCost &cost, Position position, const Compaction &compaction, const ArraySum &sum);

} // namespace core
