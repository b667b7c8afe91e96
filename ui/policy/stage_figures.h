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

/// The weight after each stage. Qt-free. Totals are exact in the unit; their split by material is proportional to the
/// characters that the stage's rewrites removed.
struct StageFigures {
    WeightStrip raw;
    std::vector<StageFigure> stages; ///< by stage of the policy
};

[[nodiscard]] StageFigures stageFigures(const core::Compaction &compaction, const core::Weights &weights);

} // namespace ui
