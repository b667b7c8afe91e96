// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

#include <QCoreApplication>

class QPainter;

namespace ui {

/// The bar above a column: what its array is made of, with names where they fit.
class CompositionBar final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    CompositionBar(const ArrayContent &content, const ArrayViewport &view)
        : m_content(content)
        , m_view(view)
    {
    }

    void paint(QPainter &painter, ArraySide side) const;
    struct Hit {
        ArraySide side = ArraySide::Before;
        CompositionPart part;
    };
    [[nodiscard]] std::optional<Hit> hitAt(QPointF position) const;
    /// Rectangle of the part with this index.
    [[nodiscard]] QRectF rectOf(ArraySide side, size_t part) const;
    /// Name, weight and share of a part: `files and output 12k tokens, 41 %`.
    [[nodiscard]] QString wordsOf(const Hit &hit) const;
    /// Name, weight and share of a part, and what it is.
    [[nodiscard]] QString tip(const Hit &hit) const;
    /// The bar as words, for assistive technology.
    [[nodiscard]] QString words(ArraySide side) const;

private:
    [[nodiscard]] QString nameOf(const CompositionPart &part) const;
    [[nodiscard]] QString meaningOf(const Hit &hit) const;
    [[nodiscard]] QString weightOf(ArraySide side, const CompositionPart &part) const;
    [[nodiscard]] std::vector<CompositionPiece> piecesOf(ArraySide side) const;
    void paintPiece(QPainter &painter, const CompositionPart &part, const QRectF &rect) const;

    const ArrayContent &m_content;
    const ArrayViewport &m_view;
};

} // namespace ui
