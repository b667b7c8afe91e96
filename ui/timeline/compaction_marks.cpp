// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/compaction_marks.h"

#include "ui/look/fate_word.h"
#include "ui/look/shaped_words.h"

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
                       : name + tr("; no call between this compaction and the next");
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
        if (x >= plot.left && x <= plot.right)
            paintTriangle(painter, m_content.theme(), { x, plot.bottom }, true);
    }
}

void CompactionMarks::paintTriangle(QPainter &painter, const Theme &theme, QPointF foot, bool isOpen)
{
    const QPolygonF triangle { foot + QPointF(0, -8), foot + QPointF(4.5, 0), foot + QPointF(-4.5, 0) };
    painter.setPen(isOpen ? QPen(theme.hot, 1.3) : QPen(theme.base, 1));
    painter.setBrush(isOpen ? theme.base : theme.hot);
    painter.drawPolygon(triangle);
}

void CompactionMarks::paintNumber(QPainter &painter, const Theme &theme, const QRectF &pill, const QString &number)
{
    painter.setFont(Theme::strongFont(11));
    painter.setPen(QPen(theme.hot, 1.3));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(pill.adjusted(0.65, 0.65, -0.65, -0.65), kRadius, kRadius);
    painter.setPen(theme.hot);
    drawWords(painter, pill, Qt::AlignCenter, number);
}

void CompactionMarks::paintArrow(QPainter &painter, const Theme &theme, QPointF centre)
{
    painter.setPen(QPen(theme.base, 4));
    painter.drawLine(centre + QPointF(-6, 0), centre + QPointF(6, 0));
    painter.setPen(QPen(theme.text, 1.5));
    painter.drawLine(centre + QPointF(-5, 0), centre + QPointF(6, 0));
    painter.drawPolyline(QPolygonF { centre + QPointF(-2, -3.5), centre + QPointF(-6, 0), centre + QPointF(-2, 3.5) });
}

void CompactionMarks::paintGroup(QPainter &painter, const TimelineLayout::MarkGroup &group) const
{
    const Theme &theme = m_content.theme();
    const double bottom = m_layout.plot().bottom;
    switch (group.look) {
    case TimelineLayout::Look::Number:
        return paintNumber(painter, theme, { group.x - group.width / 2, group.y - kRadius, group.width, 2 * kRadius },
            displayText(group.text()));
    case TimelineLayout::Look::Triangle:
        return paintTriangle(painter, theme, { group.x, bottom }, false);
    case TimelineLayout::Look::Arrow:
        return paintArrow(painter, theme, { group.x, bottom - 5 });
    }
}

} // namespace ui
