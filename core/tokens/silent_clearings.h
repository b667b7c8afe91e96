// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

#include <vector>

namespace core {

/// A clearing without a record: from one call on, less was sent than the log holds.
struct SilentClearing {
    uint32_t from = 0; ///< calls `[from, to)` did not send it; index `calls.size()` is the array at the end
    uint32_t to = 0;
    double tokens = 0;           ///< estimated
    std::vector<BlockId> blocks; ///< blocks that it may have removed, ascending
    bool isSure = false;         ///< the blocks weigh as much as is missing, so it removed all of them
};

/// The silent clearings of a thread (`SumEvent::Kind::Cleared`), ascending. A harness clears tool results: a clearing
/// may have removed the results of the previous array that are not in the part that the cache still read. If these
/// weigh too little, it may have removed any text that the user did not type. A clearing lasts until the array is
/// written anew or the prompt grows back. Costs as much as `arraySums`, and O(blocks of the array) for each clearing.
[[nodiscard]] std::vector<SilentClearing> silentClearings(
    const Session &session, ThreadIndex thread, const BlockTokens &tokens);

} // namespace core
