// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A block with much of the weight that a policy could remove, and the reason.
struct HotBlock {
    BlockId block;
    SlotIndex slot;
    double weight = 0;      ///< in the unit asked for
    double share = 0;       ///< of the weight before the keep window
    size_t laterCalls = 0;  ///< later calls of the thread that contained the block, without those that may not have
    double resentLater = 0; ///< tokens × later calls
    std::string reason;     ///< a short clause: `body of messages.py, read again as #41`
};

/// The hot zones of one array: the fewest blocks before the keep window that together hold 80 % of its weight, and
/// every block there that alone holds 5 %. Sorted by `resentLater`, then weight; by weight alone if no later call
/// was recorded. The arrays that people see are sorted by `rankHotZones`.
struct HotZones {
    std::vector<HotBlock> blocks;
    double removable = 0;         ///< weight before the keep window
    std::vector<uint32_t> bySlot; ///< indices of the blocks, sorted by slot

    /// The first hot block in `slot`, or nullptr. Costs O(log n).
    [[nodiscard]] const HotBlock *of(SlotIndex slot) const;
    /// Whether a slot from `first` to `last` is hot. Costs O(log n).
    [[nodiscard]] bool hasIn(SlotIndex first, SlotIndex last) const;
    /// Fills `bySlot` from the blocks.
    void index();
};

/// `cutoff` is the first slot of the keep window. Costs O(blocks + ranges of the thread's calls). Reads the texts of
/// hot blocks that have a twin of the same length, and compares them.
[[nodiscard]] HotZones hotZones(
    const Transcript &transcript, Position position, size_t cutoff, const Weights &weights, const ArraySums &sums);

/// Finds the hot zones of one array for many keep windows, without reasons (block_reasons.h). The constructor orders
/// the blocks once. A window then costs O(blocks) and sorts nothing.
class HotZoneFinder final {
public:
    HotZoneFinder() = default;
    /// `sums` of the position's thread say which later calls may not have contained a block.
    HotZoneFinder(const Transcript &transcript, Position position, const Weights &weights, const ArraySums &sums);

    /// From here on the function `before` orders the zones by `ranks`, as `rankHotZones` does. Without ranks it orders
    /// them as at first.
    void rank(std::span<const uint32_t> ranks);

    [[nodiscard]] HotZones before(size_t cutoff) const;

private:
    struct Candidate {
        double weight = 0;
        double resentLater = 0;
        BlockId block;
        SlotIndex slot;
        uint32_t laterCalls = 0;
    };
    std::vector<Candidate> m_candidates; ///< in array order
    std::vector<uint32_t> m_heaviest;    ///< indices of candidates, the heaviest first
    std::vector<uint32_t> m_byResent;    ///< the same, by tokens resent later
    std::vector<uint32_t> m_ranked;      ///< the same, in the order of hot zones
    std::vector<double> m_weightBefore;  ///< by slot: weight before it; the last entry is the total
};

/// How many calls of the thread, from call `first` on, have each block in their arrays. One pass over the calls'
/// ranges.
[[nodiscard]] std::vector<uint32_t> callsPerBlock(
    const Session &session, ThreadIndex thread, CallIndex first = CallIndex(0U));
/// By BlockId: how many calls in `[first(block), end)` have the block in their arrays, but may not have sent it
/// (`ArraySums::mayBeMissing`). Costs O((ranges of the calls + `sums.unsure`) × log), and nothing
/// without silent clearings.
[[nodiscard]] std::vector<uint32_t> unsureCallsPerBlock(const Session &session, ThreadIndex thread,
    const ArraySums &sums, const std::function<size_t(BlockId)> &first, size_t end);

} // namespace core
