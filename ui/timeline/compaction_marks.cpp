// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/compaction_marks.h"

#include "ui/look/fate_word.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr double kRadius = TimelineLayout::kMarkRadius;
constexpr double kOnAxis = 6; ///< half the height of marks on the axis

} // namespace

double CompactionMarks::digitWidth() { return QFontMetricsF(Theme::strongFont(11)).horizontalAdvance(u'0'); }

std::optional<size_t> CompactionMarks::at(QPointF position) const
{
    for (const TimelineLayout::MarkGroup &group : m_layout.markGroups(digitWidth())) {
        const double half = group.look == TimelineLayout::Look::Number ? kRadius : kOnAxis;
        if (QRectF(group.x - group.width / 2, group.y - half, group.width, 2 * half).contains(position))
            return group.marks.front();
    }
    return std::nullopt;
}

QRect CompactionMarks::rectOf(size_t mark) const
{
    for (const TimelineLayout::MarkGroup &group : m_layout.markGroups(digitWidth())) {
        if (std::ranges::find(group.marks, mark) != group.marks.end())
            return QRectF(group.x - group.width / 2, group.y - kRadius, group.width, 2 * kRadius).toAlignedRect();
    }
    return {};
}

QString CompactionMarks::nameOf(const TimelineContent &content, size_t number)
{
    const TimelineSeries::Mark &mark = content.series().marks()[number];
    const QString name
        = tr("compaction %1, %2, after call %3").arg(number + 1).arg(compactionWord(mark.kind)).arg(mark.column);
    return mark.isSent ? name + tr(", %1 to %2 tokens").arg(wholeNumber(mark.before), wholeNumber(mark.after))
                       : name + tr("; no call came before the next compaction");
}

void CompactionMarks::paint(QPainter &painter) const
{
    const Theme &theme = m_content.theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const size_t index : m_layout.drops()) {
        const TimelineSeries::Mark &mark = m_content.series().marks()[index];
        const bool isNumbered = TimelineLayout::lookOf(mark.kind) == TimelineLayout::Look::Number;
        QPen pen(isNumbered ? theme.hot : theme.secondary, 1);
        pen.setDashPattern({ 2, 2 });
        painter.setPen(pen);
        const double x = crisp(m_layout.xOf(mark.column));
        painter.drawLine(QPointF(x, m_layout.yOf(mark.before)), QPointF(x, m_layout.yOf(mark.after)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    paintClearings(painter);
    painter.setFont(Theme::strongFont(11));
    for (const TimelineLayout::MarkGroup &group : m_layout.markGroups(digitWidth()))
        paintGroup(painter, group);
    painter.restore();
}

/// Silent clearings: triangles as of recorded ones, but open.
void CompactionMarks::paintClearings(QPainter &painter) const
{
    const TimelineLayout::Plot plot = m_layout.plot();
    for (const TimelineSeries::Clearing &each : m_content.series().clearings()) {
        const double x = m_layout.xOf(each.column);
        if (x < plot.left || x > plot.right)
            continue;
        QPolygonF triangle;
        triangle << QPointF(x, plot.bottom - 8) << QPointF(x + 4.5, plot.bottom) << QPointF(x - 4.5, plot.bottom);
        painter.setPen(QPen(m_content.theme().hot, 1.3));
        painter.setBrush(m_content.theme().base);
        painter.drawPolygon(triangle);
    }
}

void CompactionMarks::paintGroup(QPainter &painter, const TimelineLayout::MarkGroup &group) const
{
    const Theme &theme = m_content.theme();
    const double bottom = m_layout.plot().bottom;
    switch (group.look) {
    case TimelineLayout::Look::Number: {
        const QRectF pill(group.x - group.width / 2, group.y - kRadius, group.width, 2 * kRadius);
        painter.setPen(QPen(theme.hot, 1.3));
        painter.setBrush(theme.base);
        painter.drawRoundedRect(pill.adjusted(0.65, 0.65, -0.65, -0.65), kRadius, kRadius);
        painter.setPen(theme.hot);
        painter.drawText(pill, Qt::AlignCenter, displayText(group.text()));
        break;
    }
    case TimelineLayout::Look::Triangle: {
        QPolygonF triangle;
        triangle << QPointF(group.x, bottom - 8) << QPointF(group.x + 4.5, bottom) << QPointF(group.x - 4.5, bottom);
        painter.setPen(QPen(theme.base, 1));
        painter.setBrush(theme.hot);
        painter.drawPolygon(triangle);
        break;
    }
    case TimelineLayout::Look::Arrow: {
        const double y = bottom - 5;
        painter.setPen(QPen(theme.base, 4));
        painter.drawLine(QPointF(group.x - 6, y), QPointF(group.x + 6, y));
        painter.setPen(QPen(theme.text, 1.5));
        painter.drawLine(QPointF(group.x - 5, y), QPointF(group.x + 6, y));
        painter.drawPolyline(
            QPolygonF { QPointF(group.x - 2, y - 3.5), QPointF(group.x - 6, y), QPointF(group.x - 2, y + 3.5) });
        break;
    }
    }
}

} // namespace ui
