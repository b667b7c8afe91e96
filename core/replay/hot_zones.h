// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

#include <string>
#include <vector>

namespace core {

/// A block that holds much of what a policy could remove, and why it is there.
struct HotBlock {
    BlockId block;
    SlotIndex slot;
    double weight = 0;     ///< in the unit asked for
    double share = 0;      ///< of the weight before the keep window
    size_t laterCalls = 0; ///< calls of the thread whose array holds it
    double rent = 0;       ///< tokens × those calls
    std::string reason;    ///< a short clause: `body of messages.py, read again as #41`
};

/// The hot zones of one array: of the blocks before the keep window, the fewest that together hold 80 % of its weight,
/// and every block that alone holds 5 % of it. Sorted by rent.
struct HotZones {
    std::vector<HotBlock> blocks;
    double removable = 0; ///< weight before the keep window

    [[nodiscard]] const HotBlock *of(SlotIndex slot) const;
};

/// `cutoff` is the first slot of the keep window. Equal texts are found by exact comparison.
[[nodiscard]] HotZones hotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights);

/// How many calls of the thread were sent each block. One pass over the calls' ranges, by differences.
[[nodiscard]] std::vector<uint32_t> callsPerBlock(const Session &session, ThreadIndex thread);

} // namespace core
