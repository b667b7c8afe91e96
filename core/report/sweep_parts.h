// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json.h"
#include "core/sweep/sweep.h"

#include <functional>
#include <span>

namespace core {

// Shared parts of the documents and drawings of sweeps over one session and over many.

/// Number of best cells listed in a document or drawing.
inline constexpr size_t kBest = 5;

template <typename Visitor>
void forEachMetric(Visitor &&visit)
{
    for (size_t i = 0; i < kSweepMetricCount; ++i)
        visit(static_cast<SweepMetric>(i));
}

/// An integer for metrics that count; null if unknown.
[[nodiscard]] Json metricJson(SweepMetric metric, double value);
/// `{"setting": "keep", "values": ["0.1w", …]}`
[[nodiscard]] Json sweepAxisJson(const SweepAxis &axis);

/// A map for the terminal in ten shades from lowest to highest.
struct SweepDrawing {
    const SweepAxis &x;
    const SweepAxis &y;
    std::function<double(size_t cell)> valueOf; ///< NaN if unknown
    std::function<bool(size_t cell)> isMarked;  ///< marked with a stroke behind the cell
    std::span<const size_t> best;               ///< at most nine cells, drawn as 1, 2, …
};
struct DrawnSweep {
    std::string map; ///< empty if no cell is known
    double least = 0;
    double most = 0;
};
[[nodiscard]] DrawnSweep drawSweepMap(const SweepDrawing &drawing);

} // namespace core
