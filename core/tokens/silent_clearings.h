// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

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

/// For each block that a clearing may have removed, the calls that may not have contained it.
[[nodiscard]] std::vector<UnsureSpan> unsureSpans(std::span<const SilentClearing> clearings);

} // namespace core
