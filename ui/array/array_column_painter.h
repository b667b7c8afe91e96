// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

class QPainter;

namespace ui {

/// `prelude`, `unlogged`, `logged, not sent`, `remainder`; empty for a slot.
[[nodiscard]] QString nameOf(ArrayItem::Kind kind);

/// Draws a column: slots as lines of text or as bars, with their marks. Items too thin to distinguish are drawn as one.
/// Costs O(pixels).
class ArrayColumnPainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    ArrayColumnPainter(QPainter &painter, const ArrayContent &content, const ArrayViewport &view)
        : m_painter(painter)
        , m_content(content)
        , m_view(view)
    {
    }

    void paint(ArraySide side) const;
    void paintBrackets(ArraySide side) const;

private:
    void paintItem(ArraySide side, const ArrayItem &item, const QRectF &rect) const;
    void paintSlotText(ArraySide side, const ArrayItem &item, const QRectF &rect) const;
    void paintBar(ArraySide side, const ArrayItem &item, const QRectF &rect) const;
    void paintBarWords(ArraySide side, const ArrayItem &item, const QRectF &words) const;
    /// Title and second line of an item beside the slots.
    [[nodiscard]] std::pair<QString, QString> besideWords(const ArrayItem &item, bool isRecorded) const;
    /// Draws a part beside the slots like a slot, with hatching.
    void paintBeside(const ArrayItem &item, const QRectF &rect) const;
    void paintBesideText(const ArrayItem &item, const QRectF &rect, bool isRecorded) const;
    /// Match, override, fault, selection, hover and heat.
    void paintMarks(ArraySide side, const ArrayItem &item, const QRectF &rect) const;

    QPainter &m_painter;
    const ArrayContent &m_content;
    const ArrayViewport &m_view;
};

} // namespace ui
