// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <QStringList>

class QPainter;

namespace ui {

/// Draws a ribbon from each slot to its place in the `after` array, and below them the number of slots with each fate.
class RibbonPainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    RibbonPainter(QPainter &painter, const ArrayContent &content, const ArrayViewport &view)
        : m_painter(painter)
        , m_content(content)
        , m_view(view)
    {
    }

    /// Keeps the words clear of `taken`.
    void paint(const QRectF &taken) const;

private:
    /// A ribbon between the columns, from the slot between `top` and `bottom`.
    void paintRibbon(const ArrayItem &item, double top, double bottom) const;
    /// A ribbon that fades out, for a dropped slot.
    void paintDropped(const ArrayItem &item, double top, double bottom) const;
    void paintMark(core::Fate fate, QPointF at, double room) const;
    void paintWords(const QRectF &taken) const;
    [[nodiscard]] QStringList words() const;
    /// The space between the columns.
    [[nodiscard]] QRectF room() const;

    QPainter &m_painter;
    const ArrayContent &m_content;
    const ArrayViewport &m_view;
};

} // namespace ui
