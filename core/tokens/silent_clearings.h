// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

#include <algorithm>
#include <span>
#include <vector>

namespace core {

/// The silent clearings of a thread (`SumEvent::Kind::Cleared`, `Recorded`), ascending. A harness clears tool results:
/// a clearing may have removed the results of the previous array that are not in the part that the cache still read. If
/// these weigh too little, it may have removed any text that the user did not type. A clearing lasts until the array is
/// written anew or the prompt grows back. `sums` needs calls and events only. Costs O(blocks of the array) for each
/// clearing.
[[nodiscard]] std::vector<SilentClearing> silentClearings(
    const Session &session, ThreadIndex thread, const ArraySums &sums, const BlockTokens &tokens);

/// Tokens that silent clearings left out of an array, and the blocks that they may be part of.
struct UnsentText {
    double tokens = 0;           ///< as recorded prompts show
    double weight = 0;           ///< of the blocks
    std::vector<BlockId> blocks; ///< ascending

    /// How many tokens an array lacks if it still has `standing` of the `weight`: the same share of `tokens`.
    [[nodiscard]] double of(double standing) const
    {
        return weight > 0 ? std::min(tokens, weight) * standing / weight : 0;
    }
    [[nodiscard]] bool holds(BlockId block) const { return std::ranges::binary_search(blocks, block); }
    /// Sets the weight of the blocks.
    void weigh(const BlockTokens &table);
};
/// What the clearings left out of the array of a call. `tokens` weigh the blocks. Costs O(blocks of the clearings).
[[nodiscard]] UnsentText unsentAt(std::span<const SilentClearing> clearings, uint32_t call, const BlockTokens &tokens);

/// For each block that a clearing may have removed, the calls that may not have contained it.
[[nodiscard]] std::vector<UnsureSpan> unsureSpans(std::span<const SilentClearing> clearings);

} // namespace core
