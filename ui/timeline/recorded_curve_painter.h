// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

class QPainter;

namespace ui {

/// Draws the recorded curve of a timeline: the line, dashed where estimated, and the fill below it. Costs O(pixels).
class RecordedCurvePainter final {
public:
    RecordedCurvePainter(QPainter &painter, const TimelineContent &content, const TimelineLayout &layout);

    void paint() const;

private:
    void paintGround() const;
    void paintLine() const;
    void paintMergedLine() const;
    void paintDots() const;

    QPainter &m_painter;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
    QColor m_colour; ///< fainter if a policy's line is drawn over it
    std::vector<TimelineLayout::Span> m_spans;
};

} // namespace ui
