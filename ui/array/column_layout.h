// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/range_maxima.h"

#include <cstddef>
#include <vector>

namespace ui {

/// Positions of the items of one column of the array. Qt-free.
///
/// The height of an item is its weight × scale, but at least a readable line: short items are exaggerated, long items
/// are true to scale. Zoom scales everything. Items thinner than `kMergeBelow` pixels merge into spans, so that a view
/// has at most two spans for every three pixels. Built in O(n), queried in O(log n).
class ColumnLayout final {
public:
    static constexpr double kMergeBelow = 3.0;

    /// One thing to draw: a single item, or a run of items too thin to draw one by one.
    struct Span {
        size_t first = 0;
        size_t last = 0;     ///< exclusive
        size_t heaviest = 0; ///< the item whose colour a merged span has
        double top = 0;      ///< pixels from the column's start, gap excluded
        double height = 0;
        [[nodiscard]] bool isMerged() const { return last - first > 1; }
    };

    ColumnLayout() = default;
    /// `line` and `gap` in pixels at zoom 1, `scale` in pixels per unit of weight.
    ColumnLayout(const std::vector<double> &weights, double line, double gap, double scale);

    [[nodiscard]] size_t count() const { return m_tops.empty() ? 0 : m_tops.size() - 1; }
    [[nodiscard]] double totalHeight(double zoom) const { return m_tops.empty() ? 0 : m_tops.back() * zoom; }
    [[nodiscard]] double top(size_t item, double zoom) const { return m_tops[item] * zoom; }
    /// Without the gap below the item.
    [[nodiscard]] double height(size_t item, double zoom) const;
    /// The item at `y`, or the nearest one; count() if there are none.
    [[nodiscard]] size_t itemAt(double y, double zoom) const;
    /// The items between `from` and `to`; every item that touches this range is in exactly one span.
    [[nodiscard]] std::vector<Span> spans(double from, double to, double zoom) const;

private:
    std::vector<double> m_tops; ///< n + 1 entries
    double m_gap = 0;
    core::RangeMaxima m_heaviest;
};

/// The scale (pixels per unit of weight) at which the column fills `height`. If the minimum line heights alone exceed
/// `height`, the scale at which the heaviest item is `tallest` pixels high.
[[nodiscard]] double fittingScale(
    const std::vector<double> &weights, double line, double gap, double height, double tallest);

/// How a whole column is shown: lines are zoomed, and weights have a scale of their own.
struct Fit {
    double zoom = 1;
    double scale = 0; ///< pixels per unit of weight with this zoom
};

/// Fits a column into `height` pixels. Lines take half of the height, or more while they can be read, so that a heavy
/// item stays much taller than a light one however many there are. No item gets taller than with `mostScale`. Costs
/// O(n).
[[nodiscard]] Fit fitted(const std::vector<double> &weights, double line, double gap, double mostScale, double height);

} // namespace ui
