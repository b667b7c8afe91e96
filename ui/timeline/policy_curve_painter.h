// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/timeline/policy_curve.h"
#include "ui/timeline/timeline_layout.h"

class QPainter;

namespace ui {

/// Draws a policy's curve. Costs O(pixels).
class PolicyCurvePainter final {
public:
    PolicyCurvePainter(QPainter &painter, const TimelineLayout &layout, const PolicyCurve &curve, const Theme &theme);

    /// Paints the counterfactual part: hatching below the curve and a dotted line at its start.
    void paintCounterfactual() const;
    /// Paints the label of that part, if it has room outside of `taken`.
    void paintCounterfactualLabel(const QRectF &taken) const;
    /// Thicker than the recorded line, to be distinguishable without colour; dashed where counterfactual.
    void paintLine() const;
    /// Paints a tick on the axis for every call before which the policy acted, with its number if there is room outside
    /// of `taken`.
    void paintActs(const QRectF &taken) const;
    /// Paints a line on the axis for every summary of a worker, from the call at which it starts, an open tick, to the
    /// call at which it lands, or to a cross if it does not. The tick of the landing is one of `paintActs`.
    void paintWaits() const;
    /// Rectangle of that label; empty without room.
    [[nodiscard]] static QRectF counterfactualLabel(const TimelineLayout &layout, const PolicyCurve &curve);
    /// Rectangle of the ticks and numbers.
    [[nodiscard]] static QRectF actRow(const TimelineLayout &layout);

private:
    /// Computed on demand.
    [[nodiscard]] const std::vector<TimelineLayout::Span> &spans() const;
    void paintPolyline() const;
    void paintMerged() const;

    QPainter &m_painter;
    const TimelineLayout &m_layout;
    const PolicyCurve &m_curve;
    const Theme &m_theme;
    mutable std::vector<TimelineLayout::Span> m_spans;
};

} // namespace ui
