// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/transcript.h"
#include "core/tokens/weights.h"
#include "core/weight/hot_zones.h"

namespace ui {

/// The array after: as the harness recorded it, as the plan would make it, or as another file holds it.
enum class Aftermath { Recorded, Simulated, Observed };

/// What the array shows at the chosen call, computed once per change and shared by every view.
struct ArrayPicture {
    core::Position position;
    core::Transcript before;
    core::Transcript after;                               ///< empty unless there is an array after
    core::CompactionPtr simulated;                        ///< by the plan, if that is shown
    core::CompactionPtr observed;                         ///< between this array and the other file, if that is shown
    const core::RecordedCompaction *compaction = nullptr; ///< recorded, if that is shown; lives in the session
    size_t compactionNumber = 0;                          ///< of `compaction`, counted from 1 within its thread
    core::Weights weights;
    core::Weights weightsAfter;   ///< of the array after: a simulated one has blocks of its own
    size_t cutoff = 0;            ///< first slot of the keep window
    core::HotZones hot;           ///< by tokens resent unused once they are known, as in the Weight panel
    core::Unlogged unlogged;      ///< of the array at the call
    core::Unlogged unloggedAfter; ///< of the array after the compaction

    [[nodiscard]] bool hasAfter() const { return compaction != nullptr || made() != nullptr; }
    [[nodiscard]] bool isSimulated() const { return simulated != nullptr; }
    /// The simulated or observed compaction, which lists its changes; nullptr for a recorded one.
    [[nodiscard]] const core::CompactionPtr &made() const { return simulated ? simulated : observed; }
    /// The block before that became a block of the array after: itself if nothing changed it, invalid if it was added.
    [[nodiscard]] core::BlockId originOf(core::BlockId blockAfter) const;
};

} // namespace ui
