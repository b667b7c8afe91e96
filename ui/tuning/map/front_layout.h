// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The cells of a sweep as points of a plot of two metrics, each axis from minimum to maximum. Qt-free; O(cells) to
/// build and to query.
class FrontLayout final {
public:
    struct Plot {
        double left = 0;
        double top = 0;
        double right = 0;
        double bottom = 0;
    };
    struct Point {
        size_t cell = 0;
        double x = 0;
        double y = 0;
    };
    struct Range {
        double least = 0;
        double most = 0;
    };

    FrontLayout() = default;
    /// `also`, the recorded run, extends the axes where it is known.
    FrontLayout(const core::Sweep &sweep, core::SweepMetric up, core::SweepMetric across,
        const core::SweepFigures &also, Plot plot);

    [[nodiscard]] const Plot &plot() const { return m_plot; }
    [[nodiscard]] const std::vector<Point> &points() const { return m_points; } ///< by cell
    [[nodiscard]] bool isEmpty() const { return m_points.empty(); }
    [[nodiscard]] const Range &up() const { return m_up; }
    [[nodiscard]] const Range &across() const { return m_across; }
    /// Clamped to the plot.
    [[nodiscard]] double xOf(double value) const;
    [[nodiscard]] double yOf(double value) const;
    /// The point of a cell; nullopt if a figure is unknown.
    [[nodiscard]] std::optional<Point> pointOf(size_t cell) const;
    /// The cell with the nearest point within `reach` pixels.
    [[nodiscard]] std::optional<size_t> cellAt(double x, double y, double reach) const;

private:
    Plot m_plot;
    Range m_up;
    Range m_across;
    std::vector<Point> m_points;
};

} // namespace ui
