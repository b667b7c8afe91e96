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
    size_t laterCalls = 0; ///< calls of the thread after this one whose array holds it
    double resent = 0;     ///< tokens × those calls
    std::string reason;    ///< a short clause: `body of messages.py, read again as #41`
};

/// The hot zones of one array: of the blocks before the keep window, the fewest that together hold 80 % of its weight,
/// and every block that alone holds 5 % of it. Sorted by `resent`, then weight; by weight
/// alone if no later call was recorded.
struct HotZones {
    std::vector<HotBlock> blocks;
    double removable = 0;         ///< weight before the keep window
    std::vector<uint32_t> bySlot; ///< places of the blocks, by slot and then as they stand

    /// The first of the blocks that stands in `slot`, or nullptr. Costs O(log n).
    [[nodiscard]] const HotBlock *of(SlotIndex slot) const;
    /// Fills `bySlot` from the blocks.
    void index();
};

/// `cutoff` is the first slot of the keep window. Costs O(blocks + ranges of the thread's calls), and reads the text of
/// hot blocks that have a twin of the same length: equal texts are found by exact comparison.
[[nodiscard]] HotZones hotZones(const Transcript &transcript, Position position, size_t cutoff, const Weights &weights);

/// The hot zones of one array for one keep window after another, without their reasons (block_reasons.h): the blocks
/// are put in order once, which costs O(blocks × log), and a window then costs O(blocks that are heavier than its
/// lightest hot one).
class HotZoneFinder final {
public:
    HotZoneFinder() = default;
    HotZoneFinder(const Transcript &transcript, Position position, const Weights &weights);

    [[nodiscard]] HotZones before(size_t cutoff) const;

private:
    struct Candidate {
        double weight = 0;
        double tokens = 0;
        BlockId block;
        SlotIndex slot;
        uint32_t laterCalls = 0;
    };
    std::vector<Candidate> m_candidates; ///< the heaviest first
    std::vector<double> m_weightBefore;  ///< of the slots before each, and of all
};

/// How many calls of the thread, of those from `first` on, were sent each block. One pass over the calls' ranges, by
/// differences.
[[nodiscard]] std::vector<uint32_t> callsPerBlock(
    const Session &session, ThreadIndex thread, CallIndex first = CallIndex(0U));

} // namespace core
