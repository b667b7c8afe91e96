// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/front_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

FrontLayout::Range rangeOf(const core::Sweep &sweep, core::SweepMetric metric, double also)
{
    FrontLayout::Range range { std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity() };
    const auto add = [&](double value) {
        if (std::isnan(value))
            return;
        range.least = std::min(range.least, value);
        range.most = std::max(range.most, value);
    };
    for (const auto &cell : sweep.cells) {
        if (cell)
            add((*cell)[metric]);
    }
    add(also);
    return range.least <= range.most ? range : FrontLayout::Range {};
}

double shareOf(double value, const FrontLayout::Range &range)
{
    return range.most > range.least ? std::clamp((value - range.least) / (range.most - range.least), 0.0, 1.0) : 0.5;
}

} // namespace

FrontLayout::FrontLayout(
    const core::Sweep &sweep, core::SweepMetric up, core::SweepMetric across, const core::SweepFigures &also, Plot plot)
    : m_plot(plot)
    , m_up(rangeOf(sweep, up, also[up]))
    , m_across(rangeOf(sweep, across, also[across]))
{
    for (size_t cell = 0; cell < sweep.cells.size(); ++cell) {
        if (!sweep.cells[cell])
            continue;
        const core::SweepFigures &figures = *sweep.cells[cell];
        if (!std::isnan(figures[up]) && !std::isnan(figures[across]))
            m_points.push_back({ cell, xOf(figures[across]), yOf(figures[up]) });
    }
}

double FrontLayout::xOf(double value) const
{
    return m_plot.left + shareOf(value, m_across) * (m_plot.right - m_plot.left);
}

double FrontLayout::yOf(double value) const
{
    return m_plot.bottom - shareOf(value, m_up) * (m_plot.bottom - m_plot.top);
}

std::optional<FrontLayout::Point> FrontLayout::pointOf(size_t cell) const
{
    const auto found = std::ranges::lower_bound(m_points, cell, {}, &Point::cell);
    return found != m_points.end() && found->cell == cell ? std::optional(*found) : std::nullopt;
}

std::optional<size_t> FrontLayout::cellAt(double x, double y, double reach) const
{
    std::optional<size_t> best;
    double least = reach;
    for (const Point &point : m_points) {
        const double distance = std::hypot(point.x - x, point.y - y);
        if (distance > least || (best && distance == least))
            continue;
        least = distance;
        best = point.cell;
    }
    return best;
}

} // namespace ui
