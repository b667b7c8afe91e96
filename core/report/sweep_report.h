// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What `palimpsest sweep` says of one thread.
struct SweepReport {
    std::string file;
    SweepGroundPtr ground;
    SweepPtr sweep;
    SweepMetric metric = SweepMetric::Cost; ///< what the terminal's map shows
};

/// The document `palimpsest.sweep/1`: the two settings with their values, what was recorded, and each cell with all
/// metrics, null where one is not known. Costs are in dollars.
[[nodiscard]] nlohmann::ordered_json sweepJson(const SweepReport &report);

/// A line for each cell, a column for each metric.
[[nodiscard]] std::string sweepCsv(const SweepReport &report);

/// For the terminal: one metric as a map of ten shades, its range, the best cells, the recorded run beside it.
[[nodiscard]] std::string drawSweep(const SweepReport &report);

} // namespace core
