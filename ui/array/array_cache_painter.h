// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

class QPainter;

namespace ui {

/// Draws cache reads over a column: how far it was read, and its breakpoints.
class ArrayCachePainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    ArrayCachePainter(QPainter &painter, const ArrayContent &content, const ArrayViewport &view)
        : m_painter(painter)
        , m_content(content)
        , m_view(view)
    {
    }

    void paint(ArraySide side) const;

private:
    void paintEnd(ArraySide side) const;
    void paintRails(ArraySide side) const;
    void paintBreakpoints(ArraySide side) const;
    /// The y coordinate in the widget at which the read prefix ends.
    [[nodiscard]] double endOf(ArraySide side) const;

    QPainter &m_painter;
    const ArrayContent &m_content;
    const ArrayViewport &m_view;
};

} // namespace ui
