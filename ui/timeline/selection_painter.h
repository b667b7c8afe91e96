// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <utility>

class QPainter;

namespace ui {

/// Draws the chosen call, the hovered call and the measured range of a timeline.
class SelectionPainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    SelectionPainter(QPainter &painter, const TimelineContent &content, const TimelineLayout &layout)
        : m_painter(painter)
        , m_content(content)
        , m_layout(layout)
    {
    }

    /// Paints the background of the range below the curves. Both columns are inclusive, in either order.
    void paintMeasured(std::pair<size_t, size_t> columns) const;
    void paintHovered(size_t column) const;
    /// Paints the line of the chosen call and the pill with its name; if the call is out of sight, an arrow in the pill
    /// points to it.
    void paintChosen() const;

private:
    void paintAssumption(const QRectF &pill) const;

    QPainter &m_painter;
    const TimelineContent &m_content;
    const TimelineLayout &m_layout;
};

} // namespace ui
