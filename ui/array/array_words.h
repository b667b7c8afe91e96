// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QPainter>

namespace ui {

/// Columns narrower than this show fewer words.
inline constexpr double kNarrowColumn = 240;

[[nodiscard]] inline QFont smallArrayFont() { return Theme::textFont(11); }

/// Diagonal lines over a fill: text that is not in the log, or spans too thin to distinguish.
inline void hatchArea(QPainter &painter, const QRectF &rect, const QColor &colour)
{
    painter.save();
    painter.setBrushOrigin(rect.topLeft());
    painter.fillRect(rect, QBrush(colour, Qt::BDiagPattern));
    painter.restore();
}

/// Elides `words` to a width in the painter's font.
[[nodiscard]] inline QString elided(const QPainter &painter, const QString &words, double width)
{
    return painter.fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(width));
}

/// A path keeps its end, where the name of the file is; other words keep their beginning.
[[nodiscard]] inline QString elidedPath(const QFontMetrics &metrics, const QString &words, double width)
{
    const int room = static_cast<int>(width);
    if (metrics.horizontalAdvance(words) <= room)
        return words; // `elidedText` may cut a text that just fits
    const bool isPath = words.contains(u'/') && !words.contains(u' ');
    if (!isPath)
        return metrics.elidedText(words, Qt::ElideRight, room);
    const QString name = words.section(u'/', -1);
    const bool hasRoom = metrics.horizontalAdvance(QChar(0x2026) + name) <= room;
    return hasRoom ? metrics.elidedText(words, Qt::ElideLeft, room) : metrics.elidedText(name, Qt::ElideMiddle, room);
}

} // namespace ui
