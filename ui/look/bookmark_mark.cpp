// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/bookmark_mark.h"

#include <QPainter>
#include <QPolygonF>

namespace ui {

void paintBookmark(QPainter &painter, const Theme &theme, const QRectF &box)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.base, 1));
    painter.setBrush(theme.accent);
    painter.drawPolygon(QPolygonF({ box.topLeft(), box.topRight(), box.bottomRight(),
        QPointF(box.center().x(), box.bottom() - box.width() / 2), box.bottomLeft() }));
    painter.restore();
}

} // namespace ui
