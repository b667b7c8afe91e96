// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/text/text_layout.h"
#include "ui/text/text_look.h"

#include <QFont>
#include <QHash>
#include <QPainter>
#include <QRawFont>

#include <array>
#include <span>
#include <string_view>

namespace ui {

/// Draws pieces of text into a grid of cells with one monospaced font. Places glyphs one by one, so that columns never
/// drift. Missing glyphs are drawn with other fonts inside their cells, squeezed if too wide.
class TextPainter final {
public:
    explicit TextPainter(const QFont &font);

    [[nodiscard]] double cellWidth() const { return m_cellWidth; }
    [[nodiscard]] double rowHeight() const { return m_rowHeight; }
    [[nodiscard]] double baseline() const { return m_baseline; }
    [[nodiscard]] const QFont &font() const { return m_font; }

    /// Draws a piece whose first cell is at `x`; `top` is that of the row. `looks` are those that touch the piece,
    /// sorted and not overlapping.
    void draw(QPainter &painter, const TextPiece &piece, const TextContent &content,
        std::span<const TextLookSpan> looks, const Theme &theme, double x, double top);
    /// Draws our own text in the grid.
    void drawWords(QPainter &painter, const QString &words, const QColor &colour, double x, double top) const;

private:
    [[nodiscard]] static size_t faceOf(const TextLook &look)
    {
        return (look.isBold ? 1U : 0U) | (look.isItalic ? 2U : 0U);
    }
    [[nodiscard]] quint32 glyphOf(size_t face, char32_t codePoint);
    void drawRun(
        QPainter &painter, std::string_view text, const TextLook &look, const QColor &colour, double x, double top);
    void drawShape(
        QPainter &painter, const QString &text, size_t face, const QColor &colour, double x, double top, double width);
    void drawTab(QPainter &painter, const QColor &colour, double x, double top, double width) const;
    void drawFold(
        QPainter &painter, const std::string &label, const Theme &theme, double x, double top, double width) const;

    QFont m_font;
    std::array<QFont, 4> m_fonts; ///< plain, bold, italic, both
    std::array<QRawFont, 4> m_faces;
    std::array<QHash<char32_t, quint32>, 4> m_glyphs;
    double m_cellWidth = 1;
    double m_rowHeight = 1;
    double m_baseline = 1;
};

} // namespace ui
