// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"
#include "ui/look/compared_pen.h"
#include "ui/timeline/policy_curve.h"
#include "ui/timeline/timeline_layout.h"

#include <QList>
#include <QPen>
#include <QStringList>

class QPainter;

namespace ui {

/// Draws the curve of a compared policy. Costs O(pixels).
void paintComparedCurve(QPainter &painter, const TimelineLayout &layout, const PolicyCurve &curve, const QPen &pen);

/// The totals of a policy as table columns, most important first: `2 summaries, 1 clearing`, `peak ~121k`, `~8.1M
/// sent`,
/// `~$3.20`, `loses 3 of 214`. Unknown totals are empty.
[[nodiscard]] QStringList policyTotals(const core::PolicyFigures &figures);
/// The same for the recorded run as computed, plus figures by usage if they differ. It has no losses, as the recorded
/// agent had everything it used.
[[nodiscard]] QStringList recordedTotals(const core::RecordedFigures &figures);

/// Positions of the table of compared policies below the axis. Qt-free.
struct CompareRows {
    double top = 0;
    size_t count = 0; ///< rows including the recorded run and the chosen policy; 0: no table

    static constexpr double kRow = 16;

    [[nodiscard]] static double heightOf(size_t count) { return count > 0 ? static_cast<double>(count) * kRow + 4 : 0; }
    [[nodiscard]] double topOf(size_t row) const { return top + 2 + static_cast<double>(row) * kRow; }
    /// The row at a height; `count` outside of the table.
    [[nodiscard]] size_t rowAt(double y) const
    {
        return y < topOf(0) || y >= topOf(count) ? count : static_cast<size_t>((y - topOf(0)) / kRow);
    }
};

} // namespace ui
