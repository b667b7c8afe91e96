// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/transcript.h"
#include "core/tokens/array_sums.h"
#include "core/weight/hot_zones.h"

#include <memory>
#include <vector>

namespace ui {

/// Where the `after` array comes from: recorded by the harness, made by the plan from the recorded array, sent by the
/// policy in its own run, or from another file.
enum class Aftermath { Recorded, Simulated, OwnRun, Observed };

using HotZonesPtr = std::shared_ptr<const core::HotZones>;

/// The arrays at the chosen call and their figures, computed once per change and shared by all views.
struct ArrayPicture {
    core::Position position;
    core::Transcript before;
    core::Transcript after;                               ///< empty if there is no `after` array
    core::CompactionPtr simulated;                        ///< of the plan, if shown
    core::CompactionPtr observed;                         ///< of this array and the other file, if shown
    core::CompactionPtr ownRun;                           ///< of this array and that of the policy's own run, if shown
    const core::RecordedCompaction *compaction = nullptr; ///< the recorded compaction, if shown; owned by the session
    size_t compactionNumber = 0;                          ///< of `compaction`, 1-based in its thread
    core::Weights weights;
    core::Weights weightsAfter; ///< of the `after` array; a simulated array has its own blocks
    size_t cutoff = 0;          ///< first slot of the keep window
    /// Ranked by tokens resent unused if known; empty until found. Never null.
    HotZonesPtr hot = std::make_shared<const core::HotZones>();
    core::ArraySum sum;      ///< of the `before` array
    core::ArraySum sumAfter; ///< of the `after` array

    [[nodiscard]] bool hasAfter() const { return compaction != nullptr || made() != nullptr; }
    [[nodiscard]] bool isSimulated() const { return simulated != nullptr || ownRun != nullptr; }
    /// Any but the recorded compaction, with its rewrites.
    [[nodiscard]] const core::CompactionPtr &made() const { return simulated ? simulated : ownRun ? ownRun : observed; }
    /// The block as a hot block, if it is one of `slot`; else nullptr. Costs O(log n).
    [[nodiscard]] const core::HotBlock *hotBlock(core::SlotIndex slot, core::BlockId block) const;
    /// The block of the `before` array that became `blockAfter`: the same if unchanged, invalid if added.
    [[nodiscard]] core::BlockId originOf(core::BlockId blockAfter) const;
    /// What the policy puts back into the slot of a summary that it wrote; empty for other blocks.
    [[nodiscard]] std::vector<core::BlockId> putBackWith(core::BlockId summary) const;
};

} // namespace ui
