// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/map_layout.h"

#include <algorithm>
#include <cmath>

namespace ui {

MapLayout::MapLayout(int width, int height, const core::SweepAxis &x, const core::SweepAxis &y, double window)
    : m_plot { kLeft, kTop, std::max(kLeast, width - kLeft - kRight),
        std::max(kLeast, height - kTop - kAxis - kProfile) }
    , m_x(x, m_plot.width, window)
    , m_y(y, m_plot.height, window)
{
}

bool MapLayout::contains(double x, double y) const
{
    return x >= m_plot.left && x < right() && y >= m_plot.top && y < bottom();
}

std::optional<size_t> MapLayout::cellAt(double x, double y) const
{
    if (!contains(x, y) || m_x.count() == 0 || m_y.count() == 0)
        return std::nullopt;
    // The lowest pixel is the first of its axis.
    const double up = bottom() - 1 - std::floor(y);
    return m_y.cellAt(up) * m_x.count() + m_x.cellAt(x - m_plot.left);
}

MapLayout::Box MapLayout::boxOf(size_t cell) const
{
    const size_t column = cell % m_x.count();
    const size_t row = cell / m_x.count();
    const int top = m_y.begin(row + 1);
    return { m_plot.left + m_x.begin(column), bottom() - top, m_x.begin(column + 1) - m_x.begin(column),
        top - m_y.begin(row) };
}

} // namespace ui
