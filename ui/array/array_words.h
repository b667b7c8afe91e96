// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/slot_label.h"
#include "ui/look/shaped_words.h"
#include "ui/look/theme.h"

#include <QPainter>

namespace ui {

/// Columns narrower than this show fewer words.
inline constexpr double kNarrowColumn = 240;

[[nodiscard]] inline QFont smallArrayFont() { return Theme::textFont(11); }

/// The label of a slot where the whole has no room. Of calls and results only the names of the tools, `Read ×2`; the
/// colour shows the role, too. An error says so.
[[nodiscard]] inline QString narrowWords(const core::SlotLabel &label)
{
    const QString what = displayText(label.what);
    const bool isOfTool = what.startsWith(QStringLiteral("tool_call ")) || label.role == "tool";
    const bool isError = what.startsWith(QStringLiteral("error"));
    const QString names = isOfTool && !isError ? what.section(u' ', 1) : QString();
    return names.isEmpty() || names.startsWith(u'×') ? what : names;
}

/// Diagonal lines over a fill: text that is not in the log, or spans too thin to distinguish.
inline void hatchArea(QPainter &painter, const QRectF &rect, const QColor &colour)
{
    painter.save();
    painter.setBrushOrigin(rect.topLeft());
    painter.fillRect(rect, QBrush(colour, Qt::BDiagPattern));
    painter.restore();
}

} // namespace ui
