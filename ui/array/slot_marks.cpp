// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/slot_marks.h"

#include "ui/array/array_view.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPolygonF>

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSmallest = 9;
constexpr double kPadding = 5;
constexpr double kGlyph = 9;

QColor colourOf(const Theme &theme, const SlotOverride &what)
{
    return what.dropped > 0 && what.pinned == 0 ? theme.hot : theme.accent;
}

/// A pencil writes; a plus adds; a pin stands upright; a cross strikes out.
void paintGlyph(QPainter &painter, const SlotOverride &what, QPointF centre)
{
    if (what.inserted > 0) {
        painter.drawLine(centre + QPointF(-3.5, 0), centre + QPointF(3.5, 0));
        painter.drawLine(centre + QPointF(0, -3.5), centre + QPointF(0, 3.5));
        return;
    }
    if (what.edited > 0) {
        painter.drawPolygon(QPolygonF({ centre + QPointF(-3.5, 3.5), centre + QPointF(-2.5, 1),
            centre + QPointF(2, -3.5), centre + QPointF(3.5, -2), centre + QPointF(-1, 2.5) }));
        return;
    }
    if (what.pinned > 0) {
        painter.drawLine(centre + QPointF(-3, -3.5), centre + QPointF(3, -3.5));
        painter.drawPolygon(QPolygonF({ centre + QPointF(-1.5, -3.5), centre + QPointF(1.5, -3.5),
            centre + QPointF(2.5, 0.5), centre + QPointF(-2.5, 0.5) }));
        painter.drawLine(centre + QPointF(0, 0.5), centre + QPointF(0, 4));
        return;
    }
    painter.drawLine(centre + QPointF(-3, -3), centre + QPointF(3, 3));
    painter.drawLine(centre + QPointF(-3, 3), centre + QPointF(3, -3));
}

} // namespace

QString SlotOverride::words() const
{
    if (isPinned())
        return ArrayView::tr("pinned");
    if (isDropped())
        return ArrayView::tr("dropped by you");
    QStringList parts;
    if (edited > 0)
        parts << ArrayView::tr("edited");
    if (inserted > 0)
        parts << ArrayView::tr("inserted");
    if (pinned > 0)
        parts << ArrayView::tr("%1 of %2 pinned").arg(pinned).arg(blocks);
    if (dropped > 0)
        parts << ArrayView::tr("%1 of %2 dropped by you").arg(dropped).arg(blocks);
    return parts.join(u", "_s);
}

double paintOverride(QPainter &painter, const Theme &theme, const SlotOverride &what, const QRectF &line)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::textFont(std::clamp(static_cast<int>(line.height() * 0.5), kSmallest, 11)));
    const QString words = what.words();
    const double width = kPadding + kGlyph + 4 + painter.fontMetrics().horizontalAdvance(words) + kPadding;
    const double height = std::min(line.height() - 2, static_cast<double>(painter.fontMetrics().height()) + 2);
    const QRectF label(std::round(line.left()) + 0.5, std::round(line.center().y() - height / 2) + 0.5, width, height);
    const QColor colour = colourOf(theme, what);
    painter.setPen(QPen(colour, 1));
    painter.setBrush(theme.base);
    painter.drawRoundedRect(label, 3, 3);
    painter.setPen(QPen(colour, 1.2));
    painter.setBrush(colour);
    paintGlyph(painter, what, { label.left() + kPadding + kGlyph / 2, label.center().y() });
    painter.drawText(label.adjusted(kPadding + kGlyph + 4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
    painter.restore();
    return width + 8;
}

void paintOverrideEdge(QPainter &painter, const Theme &theme, const SlotOverride &what, const QRectF &slot)
{
    painter.fillRect(QRectF(slot.left() + 5, slot.top(), 3, slot.height()), colourOf(theme, what));
}

void paintArgumentsCorner(QPainter &painter, const Theme &theme, const QRectF &slot)
{
    if (slot.height() < 6)
        return;
    const double fold = std::min(8.0, slot.height() / 2);
    QPainterPath corner(slot.topRight());
    corner.lineTo(slot.topRight() + QPointF(-fold, 0));
    corner.lineTo(slot.topRight() + QPointF(0, fold));
    corner.closeSubpath();
    painter.fillPath(corner, theme.base);
}

void paintViolation(QPainter &painter, const Theme &theme, QPointF centre, double side)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const double half = side / 2;
    painter.setPen(QPen(theme.hot, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(theme.base);
    painter.drawPolygon(QPolygonF(
        { centre + QPointF(0, -half + 1), centre + QPointF(half, half - 1), centre + QPointF(-half, half - 1) }));
    painter.drawLine(centre + QPointF(0, -half * 0.25), centre + QPointF(0, half * 0.25));
    painter.drawPoint(centre + QPointF(0, half * 0.6));
    painter.restore();
}

} // namespace ui
