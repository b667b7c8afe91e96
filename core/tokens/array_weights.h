// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/token_kinds.h"
#include "core/tokens/weights.h"

#include <vector>

namespace core {

/// Weighs whole arrays of a session by prefix sums over its pool. Thinking after the array's last user text is open and
/// weighs in full; other thinking is past. A query costs O(ranges).
class ArrayWeights final {
public:
    ArrayWeights(const Session &session, const BlockTokens &tokens);

    [[nodiscard]] double of(BlockRange range) const { return m_sums[range.end] - m_sums[range.begin]; }
    [[nodiscard]] double of(const BlockRanges &array) const;

private:
    std::vector<double> m_sums; ///< over the blocks before each one, all thinking as past
    std::vector<double> m_open; ///< the additional weight of open thinking, over the same blocks
    LastUserTexts m_userTexts;
};

/// `tokens` with the weights that thinking has in this array; `tokens` itself if nothing differs.
[[nodiscard]] BlockTokensPtr tokensAt(const Session &session, const BlockRanges &array, const BlockTokensPtr &tokens);

/// Gives each block of `tokens.thinking` the weight that it has at the end of its thread.
void weighAtEnd(const Session &session, BlockTokens &tokens);

} // namespace core
