// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

#include <vector>

namespace core {

/// A clearing that no record tells of: from one call on less was sent than the log holds.
struct SilentClearing {
    uint32_t from = 0; ///< calls `[from, to)` were not sent it; index `calls.size()` is the array at the end
    uint32_t to = 0;
    double tokens = 0;           ///< estimated
    std::vector<BlockId> blocks; ///< what it may have taken, ascending
    bool isSure = false;         ///< `blocks` weigh what is missing, so they are what it took
};

/// The silent clearings of a thread (`SumEvent::Kind::Cleared`), ascending. A harness clears tool results; a clearing
/// may have taken those that the call before was sent and that do not stand in what the cache still read. If they weigh
/// too little, it may have taken any text that is not the user's own. Lasts until the array is written anew or the
/// prompt grows back. Costs as much as `arraySums`, and the blocks of an array for each clearing.
[[nodiscard]] std::vector<SilentClearing> silentClearings(
    const Session &session, ThreadIndex thread, const BlockTokens &tokens);

} // namespace core
