// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_front.h"

#include <algorithm>

namespace core {

namespace {

/// Smaller is better for every metric.
double lossOf(const SweepFigures &figures, SweepMetric metric)
{
    return infoOf(metric).isLessBetter ? figures[metric] : -figures[metric];
}

} // namespace

std::vector<size_t> sweepFront(const Sweep &sweep, SweepMetric first, SweepMetric second)
{
    struct Point {
        double first = 0;
        double second = 0;
        size_t cell = 0;
        auto operator<=>(const Point &) const = default;
    };
    std::vector<Point> points;
    for (size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        if (!sweep.cells[cell])
            continue;
        const Point point { lossOf(*sweep.cells[cell], first), lossOf(*sweep.cells[cell], second), cell };
        if (!std::isnan(point.first) && !std::isnan(point.second))
            points.push_back(point);
    }
    std::ranges::sort(points, [](const Point &a, const Point &b) { return a < b; });
    std::vector<size_t> front;
    double best = std::numeric_limits<double>::infinity();
    for (const Point &point : points) {
        if (point.second >= best)
            continue;
        best = point.second;
        front.push_back(point.cell);
    }
    return front;
}

} // namespace core
