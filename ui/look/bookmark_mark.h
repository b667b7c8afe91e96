// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QRectF>

class QPainter;

namespace ui {

/// Draws the mark of a bookmark, a ribbon with a notch at its end, that fills `box`.
void paintBookmark(QPainter &painter, const Theme &theme, const QRectF &box);

} // namespace ui
