// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

#include <QRectF>

class QPainter;

namespace ui {

/// The overrides of the blocks of one slot.
struct SlotOverride {
    size_t pinned = 0;
    size_t dropped = 0;
    size_t edited = 0;
    size_t inserted = 0;
    size_t blocks = 0;

    [[nodiscard]] bool isThere() const { return pinned + dropped + edited + inserted > 0; }
    [[nodiscard]] bool isPinned() const { return pinned == blocks && blocks > 0; }
    [[nodiscard]] bool isDropped() const { return dropped == blocks && blocks > 0; }
    /// `pinned`, `dropped`, `2 of 3 pinned`, `edited`.
    [[nodiscard]] QString words() const;
};

/// Draws the words as a small label at the left of `line` and returns its width. For slots without room for text use
/// `paintOverrideEdge`.
double paintOverride(QPainter &painter, const Theme &theme, const SlotOverride &what, const QRectF &line);
void paintOverrideEdge(QPainter &painter, const Theme &theme, const SlotOverride &what, const QRectF &slot);

/// A folded corner that distinguishes arguments from bulk without hue.
void paintArgumentsCorner(QPainter &painter, const Theme &theme, const QRectF &slot);

/// The mark of a slot that a provider would refuse, in a square of `side` around `centre`.
void paintViolation(QPainter &painter, const Theme &theme, QPointF centre, double side);

} // namespace ui
