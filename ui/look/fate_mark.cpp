// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/fate_mark.h"

#include <QPainter>
#include <QPolygonF>

namespace ui {

void paintFateMark(QPainter &painter, const Theme &theme, core::Fate fate, QPointF at)
{
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(fate == core::Fate::Dropped ? theme.hot : theme.secondary, 1.4));
    switch (fate) {
    case core::Fate::Shortened: // the sides come together
        painter.drawPolyline(QPolygonF({ at + QPointF(-3, -4), at + QPointF(2, 0), at + QPointF(-3, 4) }));
        break;
    case core::Fate::Replaced: // one for the other
        painter.drawLine(at + QPointF(-4, -2), at + QPointF(4, -2));
        painter.drawLine(at + QPointF(-4, 2), at + QPointF(4, 2));
        break;
    case core::Fate::Edited: // a pencil
    case core::Fate::Inserted:
        painter.drawPolygon(QPolygonF({ at + QPointF(-4, 4), at + QPointF(-3, 1), at + QPointF(2, -4),
            at + QPointF(4, -2), at + QPointF(-1, 3) }));
        break;
    case core::Fate::Offloaded: // it goes elsewhere
        painter.drawLine(at + QPointF(-4, 4), at + QPointF(3, -3));
        painter.drawPolyline(QPolygonF({ at + QPointF(-2, -3), at + QPointF(3, -3), at + QPointF(3, 2) }));
        break;
    case core::Fate::Cleared: // an empty place
        painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7));
        break;
    case core::Fate::Dropped:
        painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
        painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        break;
    case core::Fate::Kept:
    case core::Fate::Summarised:
    case core::Fate::Added:
        break;
    }
    painter.restore();
}

} // namespace ui
