// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QPainter>

namespace ui {

/// Matches of a search have one colour in all views. The accent belongs to what is selected and to traces.
[[nodiscard]] inline QColor matchGround(const Theme &theme)
{
    return faded(theme.of(core::Material::Summary), theme.appearance == Appearance::Dark ? 0.35 : 0.45);
}

/// For marks beside slots: stronger, so that it stands out from a slot of the same hue, too.
[[nodiscard]] inline QColor matchMark(const Theme &theme)
{
    const QColor &hue = theme.of(core::Material::Summary);
    return theme.appearance == Appearance::Dark ? hue.lighter(145) : hue.darker(165);
}

/// At the right edge of a slot, set off from its fill.
inline void paintMatch(QPainter &painter, const Theme &theme, const QRectF &slot)
{
    painter.fillRect(QRectF(slot.right() - 5, slot.top(), 5, slot.height()), theme.base);
    painter.fillRect(QRectF(slot.right() - 4, slot.top(), 4, slot.height()), matchMark(theme));
}

} // namespace ui
