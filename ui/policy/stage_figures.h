// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/session/slot_label.h"

#include <array>
#include <vector>

namespace ui {

/// The weight of an array, by material.
struct WeightStrip {
    std::array<double, core::kMaterialCount> materials {};
    [[nodiscard]] double total() const;
};

/// The effect of a stage; for a stage that is off, the effect it would have.
struct StageFigure {
    WeightStrip after;
    double saved = 0;
};

/// How the weight goes down, stage by stage. Qt-free. The total after a stage is exact in the unit; how it is shared by
/// the materials follows the characters that the stage's rewrites took away.
struct StageFigures {
    WeightStrip raw;
    std::vector<StageFigure> stages; ///< one for each stage of the policy
};

[[nodiscard]] StageFigures stageFigures(const core::Compaction &compaction, const core::Weights &weights);

} // namespace ui
