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

} // namespace ui
