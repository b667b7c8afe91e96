// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/axis_layout.h"

namespace ui {

/// Positions of the cells of a map in its widget, in pixels. Rows count upwards. Every pixel of the plot is in exactly
/// one cell. Qt-free.
class MapLayout final {
public:
    struct Box {
        int left = 0;
        int top = 0;
        int width = 0;
        int height = 0;
        friend bool operator==(const Box &, const Box &) = default;
    };

    /// Margins of the plot. Views that share the map's x axis use the same margins.
    static constexpr int kLeft = 62;  ///< labels of the y axis
    static constexpr int kRight = 84; ///< the vertical profile
    static constexpr int kTop = 8;
    static constexpr int kAxis = 34;    ///< labels of the x axis
    static constexpr int kProfile = 46; ///< the horizontal profile
    static constexpr int kLeast = 40;   ///< smallest size of a plot

    MapLayout() = default;
    /// `window`: the model's window in tokens; 0 if unknown.
    MapLayout(int width, int height, const core::SweepAxis &x, const core::SweepAxis &y, double window);

    [[nodiscard]] const Box &plot() const { return m_plot; }
    [[nodiscard]] const AxisLayout &x() const { return m_x; }
    [[nodiscard]] const AxisLayout &y() const { return m_y; }
    [[nodiscard]] int right() const { return m_plot.left + m_plot.width; }
    [[nodiscard]] int bottom() const { return m_plot.top + m_plot.height; }

    [[nodiscard]] bool contains(double x, double y) const;
    /// The cell at a point of the plot, counted row by row from the lowest; nullopt outside of the plot.
    [[nodiscard]] std::optional<size_t> cellAt(double x, double y) const;
    [[nodiscard]] Box boxOf(size_t cell) const;
    [[nodiscard]] double xOf(double value) const { return m_plot.left + m_x.at(value); }
    [[nodiscard]] double yOf(double value) const { return bottom() - m_y.at(value); }
    /// The values at a point, clamped to the plot.
    [[nodiscard]] double xValueAt(double x) const { return m_x.valueAt(x - m_plot.left); }
    [[nodiscard]] double yValueAt(double y) const { return m_y.valueAt(bottom() - y); }

private:
    Box m_plot;
    AxisLayout m_x;
    AxisLayout m_y;
};

} // namespace ui
