// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"

class QPainter;

namespace ui {

/// Draws the head of a column: name and total, and below them the basis of the figures.
class ArrayHeaderPainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::ArrayView)

public:
    ArrayHeaderPainter(QPainter &painter, const ArrayContent &content, const ArrayViewport &view)
        : m_painter(painter)
        , m_content(content)
        , m_view(view)
    {
    }

    void paint(ArraySide side) const;

private:
    struct Words {
        QString title;
        QString under;
        QString figure;
    };
    [[nodiscard]] Words wordsOf(ArraySide side) const;
    /// Shortens the words to a narrow column; the cache goes first, then the figure, then the call's number.
    void fit(Words &words, ArraySide side, double width) const;
    [[nodiscard]] static QString knownWords(const core::ArraySum &sum);
    /// `20 slots · 46.7k → 21.3k · −54 %`
    [[nodiscard]] QString differenceWords(const QString &count) const;
    [[nodiscard]] QString ownRunWords() const;
    [[nodiscard]] QString responseWords() const;
    [[nodiscard]] QString slotCount(ArraySide side) const;

    QPainter &m_painter;
    const ArrayContent &m_content;
    const ArrayViewport &m_view;
};

} // namespace ui
