// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QRect>

#include <optional>

class QPainter;

namespace ui {

/// The marks of recorded compactions in a timeline: circled numbers above the curve, triangles and arrows on the axis.
/// Marks are identified by their index in TimelineSeries::marks().
class CompactionMarks final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    CompactionMarks(const TimelineContent &content, const TimelineLayout &layout)
        : m_content(content)
        , m_layout(layout)
    {
    }

    /// Width of a digit in a circle.
    [[nodiscard]] static double digitWidth();
    /// The mark at a position; the first of marks drawn as one.
    [[nodiscard]] std::optional<size_t> at(QPointF position) const;
    [[nodiscard]] QRect rectOf(size_t mark) const;
    [[nodiscard]] static QString nameOf(const TimelineContent &content, size_t number);
    void paint(QPainter &painter) const;
    /// The marks themselves: the number of a summary, the triangle of a clearing (open: without a record), the arrow of
    /// a rewind.
    static void paintNumber(QPainter &painter, const Theme &theme, const QRectF &pill, const QString &number);
    static void paintTriangle(QPainter &painter, const Theme &theme, QPointF foot, bool isOpen);
    static void paintArrow(QPainter &painter, const Theme &theme, QPointF centre);

private:
    void paintClearings(QPainter &painter) const;
    void paintGroup(QPainter &painter, const TimelineLayout::MarkGroup &group) const;

    const TimelineContent &m_content;
    const TimelineLayout &m_layout;
};

} // namespace ui
