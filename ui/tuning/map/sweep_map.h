// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

#include <limits>
#include <vector>

namespace ui {

/// A straight line between cells of a map, in cells from the lower left corner.
struct MapLine {
    bool isVertical = false;
    size_t at = 0; ///< between the columns (rows) `at - 1` and `at`
    size_t from = 0;
    size_t to = 0; ///< exclusive
    friend bool operator==(const MapLine &, const MapLine &) = default;
};

/// One metric of a sweep as a map: the value of each cell, and price cliffs. A cell that is
/// not computed yet shows the figures of the coarser cell around it. Qt-free; O(cells) to build.
class SweepMap final {
public:
    SweepMap() = default;
    struct Context {
        std::vector<double> cliffs {}; ///< prompt sizes in tokens above which requests cost more, ascending
        double reference = std::numeric_limits<double>::quiet_NaN(); ///< the metric of the recorded run
        std::vector<bool> accepted {}; ///< by cell: a provider accepts every call; empty: all cells
    };
    SweepMap(core::SweepPtr sweep, core::SweepMetric metric, Context context);
    SweepMap(core::SweepPtr sweep, core::SweepMetric metric)
        : SweepMap(std::move(sweep), metric, Context {})
    {
    }

    [[nodiscard]] bool isEmpty() const { return m_sweep == nullptr; }
    [[nodiscard]] const core::SweepPtr &sweep() const { return m_sweep; }
    [[nodiscard]] core::SweepMetric metric() const { return m_metric; }
    [[nodiscard]] size_t columns() const { return m_sweep ? m_sweep->x.values.size() : 0; }
    [[nodiscard]] size_t rows() const { return m_sweep ? m_sweep->y.values.size() : 0; }
    [[nodiscard]] size_t cellCount() const { return m_shown.size(); }
    [[nodiscard]] size_t columnOf(size_t cell) const { return cell % columns(); }
    [[nodiscard]] size_t rowOf(size_t cell) const { return cell / columns(); }

    /// The figures that a cell shows: its own, or those of the coarser cell; nullptr before there are any.
    [[nodiscard]] const core::SweepFigures *figures(size_t cell) const;
    /// NaN if unknown.
    [[nodiscard]] double value(size_t cell) const;
    /// Whether a provider would refuse a call of the cell.
    [[nodiscard]] bool isRefused(size_t cell) const;
    [[nodiscard]] size_t refusedCount() const { return m_refused; }
    /// The position of a value between the worst (0) and the best (1); 1 if all are equal or the value is NaN.
    [[nodiscard]] double goodness(double value) const;
    /// Whether a figure is better than a reference by more than `kVisible` of it; false if one of them is unknown.
    [[nodiscard]] bool isBetter(double value, double reference) const;
    /// A smaller difference would not be seen in the shown figures.
    static constexpr double kVisible = 0.001;
    [[nodiscard]] bool hasRange() const { return m_least <= m_most; }
    /// Whether the range has more than one value.
    [[nodiscard]] bool hasSpread() const { return m_least < m_most; }
    /// The range has the values of the cells that a provider accepts. It ends where a value is worse than the recorded
    /// one by twice what the best is better, so that the colours near the recorded value differ.
    [[nodiscard]] bool isCapped() const { return m_isCapped; }
    [[nodiscard]] double least() const { return m_least; }
    [[nodiscard]] double most() const { return m_most; }
    [[nodiscard]] double worst() const { return isLessBetter() ? m_most : m_least; }
    [[nodiscard]] double best() const { return isLessBetter() ? m_least : m_most; }
    [[nodiscard]] bool isLessBetter() const { return core::infoOf(m_metric).isLessBetter; }
    [[nodiscard]] size_t extrapolatedCount() const { return m_extrapolated; }

    /// Lines between cells whose largest prompts have different prices.
    [[nodiscard]] const std::vector<MapLine> &cliffs() const { return m_cliffs; }

private:
    void chooseShown();
    void findRange();
    void capRange();

    core::SweepPtr m_sweep;
    core::SweepMetric m_metric = core::SweepMetric::Cost;
    std::vector<size_t> m_shown; ///< by cell: the cell whose figures it shows
    double m_least = std::numeric_limits<double>::infinity();
    double m_most = -std::numeric_limits<double>::infinity();
    Context m_context;
    bool m_isCapped = false; ///< some cells are worse than the range
    size_t m_extrapolated = 0;
    size_t m_refused = 0;
    std::vector<MapLine> m_cliffs;
};

} // namespace ui
