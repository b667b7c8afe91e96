// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/json.h"
#include "core/sweep/sweep.h"

#include <functional>

namespace core {

// What the documents and drawings of sweeps of one session and of many share.

/// How many of the best cells a document or drawing lists.
inline constexpr size_t kBest = 5;

template <typename Visitor>
void forEachMetric(Visitor &&visit)
{
    for (size_t i = 0; i < kSweepMetricCount; ++i)
        visit(static_cast<SweepMetric>(i));
}

/// Whole where the metric counts something; null where it is not known.
[[nodiscard]] Json metricJson(SweepMetric metric, double value);
/// `{"setting": "keep", "values": ["0.1w", …]}`
[[nodiscard]] Json sweepAxisJson(const SweepAxis &axis);

/// A map for the terminal, of ten shades from the least to the most.
struct SweepDrawing {
    const SweepAxis &x;
    const SweepAxis &y;
    std::function<double(size_t cell)> valueOf; ///< not a number where it is not known
    std::function<bool(size_t cell)> isMarked;  ///< with a stroke behind it
};
struct DrawnSweep {
    std::string map; ///< empty where no cell is known
    double least = 0;
    double most = 0;
};
[[nodiscard]] DrawnSweep drawSweepMap(const SweepDrawing &drawing);

} // namespace core
