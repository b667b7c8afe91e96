// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/sweep_map.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace ui {

namespace {

using IsEdge = std::function<bool(size_t cell, size_t neighbour)>;

/// Joins the edges along one line between cells. `isEdge` takes the position along the line.
void join(
    std::vector<MapLine> &lines, bool isVertical, size_t at, size_t length, const std::function<bool(size_t)> &isEdge)
{
    bool isOpen = false;
    for (size_t along = 0; along < length; ++along) {
        const bool isDrawn = isEdge(along);
        if (isDrawn && isOpen)
            ++lines.back().to;
        else if (isDrawn)
            lines.push_back({ isVertical, at, along, along + 1 });
        isOpen = isDrawn;
    }
}

std::vector<MapLine> linesBetween(size_t columns, size_t rows, const IsEdge &isEdge)
{
    std::vector<MapLine> lines;
    for (size_t column = 1; column < columns; ++column) {
        join(lines, true, column, rows,
            [&](size_t row) { return isEdge(row * columns + column - 1, row * columns + column); });
    }
    for (size_t row = 1; row < rows; ++row) {
        join(lines, false, row, columns,
            [&](size_t column) { return isEdge((row - 1) * columns + column, row * columns + column); });
    }
    return lines;
}

} // namespace

SweepMap::SweepMap(core::SweepPtr sweep, core::SweepMetric metric, Context context)
    : m_sweep(std::move(sweep))
    , m_metric(metric)
    , m_context(std::move(context))
{
    if (!m_sweep)
        return;
    chooseShown();
    findRange();
    capRange();
    const std::vector<double> &cliffs = m_context.cliffs;
    const auto tierOf = [&](size_t cell) {
        const core::SweepFigures *made = figures(cell);
        const double peak = made != nullptr ? (*made)[core::SweepMetric::Peak] : 0;
        return std::ranges::lower_bound(cliffs, peak) - cliffs.begin();
    };
    if (!cliffs.empty())
        m_cliffs = linesBetween(columns(), rows(), [&](size_t a, size_t b) { return tierOf(a) != tierOf(b); });
}

void SweepMap::chooseShown()
{
    const size_t columns = this->columns();
    m_shown.resize(m_sweep->cells.size());
    for (size_t cell = 0; cell < m_shown.size(); ++cell) {
        m_shown[cell] = cell;
        for (const size_t step : { size_t { 1 }, size_t { 2 }, size_t { 4 } }) {
            const size_t coarse = (cell / columns / step * step) * columns + cell % columns / step * step;
            if (!m_sweep->cells[coarse])
                continue;
            m_shown[cell] = coarse;
            break;
        }
    }
}

void SweepMap::findRange()
{
    for (size_t cell = 0; cell < m_shown.size(); ++cell) {
        const core::SweepFigures *made = figures(cell);
        if (made == nullptr)
            continue;
        m_extrapolated += made->isExtrapolated ? 1 : 0;
        m_refused += isRefused(cell) ? 1 : 0;
        const double value = (*made)[m_metric];
        if (std::isnan(value) || isRefused(cell))
            continue;
        m_least = std::min(m_least, value);
        m_most = std::max(m_most, value);
    }
}

void SweepMap::capRange()
{
    constexpr double kWorse = 2;
    constexpr double kLeastGain = 0.25; // of the recorded value, as where no cell is better
    const double reference = m_context.reference;
    if (std::isnan(reference) || reference <= 0 || !hasSpread())
        return;
    const double gain = std::max(std::abs(reference - best()), kLeastGain * reference);
    if (isLessBetter() && m_most > reference + kWorse * gain) {
        m_most = reference + kWorse * gain;
        m_isCapped = true;
    } else if (!isLessBetter() && m_least < reference - kWorse * gain) {
        m_least = reference - kWorse * gain;
        m_isCapped = true;
    }
}

bool SweepMap::isRefused(size_t cell) const
{
    return !m_context.accepted.empty() && !m_context.accepted[m_shown[cell]];
}

const core::SweepFigures *SweepMap::figures(size_t cell) const
{
    const auto &made = m_sweep->cells[m_shown[cell]];
    return made ? &*made : nullptr;
}

double SweepMap::value(size_t cell) const
{
    const core::SweepFigures *made = figures(cell);
    return made != nullptr ? (*made)[m_metric] : std::numeric_limits<double>::quiet_NaN();
}

double SweepMap::goodness(double value) const
{
    if (std::isnan(value) || m_most <= m_least)
        return 1;
    const double share = std::clamp((value - m_least) / (m_most - m_least), 0.0, 1.0);
    return isLessBetter() ? 1 - share : share;
}

bool SweepMap::isBetter(double value, double reference) const
{
    const double gain = isLessBetter() ? reference - value : value - reference;
    return gain > kVisible * std::abs(reference); // false of a NaN
}

} // namespace ui
