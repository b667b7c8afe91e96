// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/shaped_words.h"
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

} // namespace ui
