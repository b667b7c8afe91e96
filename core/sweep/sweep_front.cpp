// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_front.h"

#include "core/base/format.h"
#include "core/compaction/harness_settings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace core {

namespace {

/// Smaller is better for every metric.
double lossOf(const SweepFigures &figures, SweepMetric metric)
{
    return infoOf(metric).isLessBetter ? figures[metric] : -figures[metric];
}

} // namespace

std::vector<size_t> sweepFront(
    const Sweep &sweep, SweepMetric first, SweepMetric second, const std::vector<bool> &eligible)
{
    struct Point {
        double first = 0;
        double second = 0;
        size_t cell = 0;
        auto operator<=>(const Point &) const = default;
    };
    std::vector<Point> points;
    for (size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        if (!sweep.cells[cell] || (!eligible.empty() && !eligible[cell]))
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

bool isWithin(const SweepFigures &figures, const CellLimits &limits)
{
    return !isRefused(figures, limits.window) && !(figures[SweepMetric::LostUses] > limits.lostUses)
        && !(figures[SweepMetric::LostMessages] > limits.lostMessages);
}

std::vector<bool> eligibleCells(const Sweep &sweep, const CellLimits &limits)
{
    std::vector<bool> eligible;
    eligible.reserve(sweep.cells.size());
    for (const auto &figures : sweep.cells)
        eligible.push_back(figures && isWithin(*figures, limits));
    return eligible;
}

std::vector<size_t> cellsAround(const SweepAxis &x, const SweepAxis &y, size_t cell)
{
    const size_t columns = x.values.size();
    const size_t column = cell % columns;
    const size_t row = cell / columns;
    std::vector<size_t> around;
    for (size_t i = row - std::min<size_t>(row, 1); i < std::min(row + 2, y.values.size()); ++i) {
        for (size_t k = column - std::min<size_t>(column, 1); k < std::min(column + 2, columns); ++k) {
            if (i * columns + k != cell)
                around.push_back(i * columns + k);
        }
    }
    return around;
}

std::vector<bool> steadyCells(
    const SweepAxis &x, const SweepAxis &y, const std::vector<bool> &accepted, const std::vector<bool> &eligible)
{
    std::vector<bool> steady = eligible;
    for (size_t cell = 0; cell < steady.size(); ++cell) {
        steady[cell] = eligible[cell] && std::ranges::all_of(cellsAround(x, y, cell), [&](size_t each) {
            return eligible[each] || !accepted[each];
        });
    }
    return steady;
}

const SweepAxis *fixedAxis(const Policy &policy, const SweepAxis &x, const SweepAxis &y)
{
    const Harness *harness = harnessOf(policy);
    const bool hasX = harness == nullptr || canSet(*harness, x.setting);
    const bool hasY = harness == nullptr || canSet(*harness, y.setting);
    return hasX == hasY ? nullptr : hasX ? &y : &x;
}

std::vector<bool> settableCells(const Policy &policy, const SweepAxis &x, const SweepAxis &y, double window)
{
    std::vector<bool> settable(x.values.size() * y.values.size(), true);
    const Harness *harness = harnessOf(policy);
    if (harness == nullptr)
        return settable;
    const SweepAxis *fixed = fixedAxis(policy, x, y);
    const PolicyPtr own = preset(policy.id);
    for (const SweepAxis *axis : { &x, &y }) {
        const auto value = valueIn(own ? *own : policy, *axis, window);
        if (!value || (axis != fixed && !onlyLowers(*harness, axis->setting)))
            continue;
        const size_t last = axis->nearest(*value);
        for (size_t cell = 0; cell < settable.size(); ++cell) {
            const size_t place = axis == &x ? cell % x.values.size() : cell / x.values.size();
            settable[cell] = settable[cell] && (axis == fixed ? place == last : place <= last);
        }
    }
    return settable;
}

std::string edgeSentence(const Policy &policy, const SweepAxis &x, const SweepAxis &y, size_t cell)
{
    const SweepAxis *fixed = fixedAxis(policy, x, y);
    const size_t columns = x.values.size();
    std::string ends;
    const auto look = [&](const SweepAxis &axis, size_t place) {
        const bool isFirst = place == 0;
        if (&axis == fixed || axis.values.size() < 2 || axis.values[place] == 0
            || (!isFirst && place + 1 != axis.values.size()))
            return;
        ends += formatted(
            "{}a {} {}", ends.empty() ? "" : " and ", isFirst ? "smaller" : "larger", settingWords(axis.setting));
    };
    look(x, cell % columns);
    look(y, cell / columns);
    return ends.empty() ? ends : formatted("This is the edge of the map: {} may be better still.", ends);
}

std::optional<size_t> bestCell(const Sweep &sweep, SweepMetric metric, const std::vector<bool> &eligible)
{
    std::optional<size_t> best;
    std::pair<double, double> least;
    for (size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        if (!eligible[cell])
            continue;
        const std::pair loss { lossOf(*sweep.cells[cell], metric), lossOf(*sweep.cells[cell], SweepMetric::LostUses) };
        if (std::isnan(loss.first) || (best && !(loss < least)))
            continue;
        best = cell;
        least = loss;
    }
    return best;
}

} // namespace core
