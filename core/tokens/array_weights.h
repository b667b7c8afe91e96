// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

#include <vector>

namespace core {

/// Weighs whole arrays of a session by prefix sums over its pool. Thinking weighs as in the array: in full behind its
/// last user text, else as past. A query costs O(ranges).
class ArrayWeights final {
public:
    ArrayWeights(const Session &session, const BlockTokens &tokens);

    [[nodiscard]] double of(BlockRange range) const { return m_sums[range.end] - m_sums[range.begin]; }
    [[nodiscard]] double of(const BlockRanges &array) const;
    /// The last user text of an array; invalid if there is none.
    [[nodiscard]] BlockId lastUserText(const BlockRanges &array) const;

private:
    std::vector<double> m_sums;          ///< over the blocks before each one, all thinking as past
    std::vector<double> m_open;          ///< what open thinking weighs beyond that
    std::vector<BlockId> m_lastUserText; ///< by BlockId: the last user text up to that block
};

/// The table for one array: thinking weighs as it does there. `tokens` itself if nothing differs.
[[nodiscard]] BlockTokensPtr tokensAt(const Session &session, const BlockRanges &array, const BlockTokensPtr &tokens);

/// Sets the weights of `thinking` in `tokens` as at the end of their threads.
void weighAtEnd(const Session &session, BlockTokens &tokens);

} // namespace core
