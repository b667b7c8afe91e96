// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The content of `palimpsest sweep` for one thread.
struct SweepReport {
    std::string file;
    SweepGroundPtr ground;
    SweepPtr sweep;
    SweepMetric metric = SweepMetric::Cost; ///< shown in the terminal's map
};

/// The document `palimpsest.sweep/1`: the two settings with their values, the recorded figures, and each cell with all
/// metrics (null if unknown). Costs are in dollars.
[[nodiscard]] nlohmann::ordered_json sweepJson(const SweepReport &report);

/// A line per cell, a column per metric.
[[nodiscard]] std::string sweepCsv(const SweepReport &report);

/// For the terminal: one metric as a map in ten shades, its range, the best cells, and the recorded run.
[[nodiscard]] std::string drawSweep(const SweepReport &report);

} // namespace core
