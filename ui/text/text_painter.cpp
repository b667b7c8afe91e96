// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/text/text_painter.h"

#include "ui/look/shaped_words.h"
#include "ui/text/cells.h"
#include "ui/text/utf16.h"

#include <QFontMetricsF>
#include <QGlyphRun>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr char32_t kAlarming = 0x2426; ///< the mark of characters that hide or reorder text

QFont faced(QFont font, size_t face)
{
    font.setBold((face & 1U) != 0);
    font.setItalic((face & 2U) != 0);
    return font;
}

QString stringOf(char32_t codePoint) { return QString::fromUcs4(&codePoint, 1); }

} // namespace

TextPainter::TextPainter(const QFont &font)
    : m_font(font)
{
    for (size_t face = 0; face < m_fonts.size(); ++face) {
        m_fonts[face] = faced(font, face);
        m_faces[face] = QRawFont::fromFont(m_fonts[face]);
    }
    const QFontMetricsF metrics(font);
    m_cellWidth = std::max(1.0, std::round(metrics.horizontalAdvance(u'0')));
    m_rowHeight = std::ceil(metrics.ascent() + metrics.descent()) + 1;
    m_baseline = std::ceil(metrics.ascent());
}

quint32 TextPainter::glyphOf(size_t face, char32_t codePoint)
{
    QHash<char32_t, quint32> &known = m_glyphs[face];
    if (const auto found = known.constFind(codePoint); found != known.constEnd())
        return *found;
    const QList<quint32> glyphs = m_faces[face].glyphIndexesForString(stringOf(codePoint));
    const quint32 glyph = glyphs.size() == 1 ? glyphs.front() : 0;
    known.insert(codePoint, glyph);
    return glyph;
}

void TextPainter::draw(QPainter &painter, const TextPiece &piece, const TextContent &content,
    std::span<const TextLookSpan> looks, const Theme &theme, double x, double top)
{
    const std::string_view bytes = content.document->bytes();
    const double width = static_cast<double>(piece.cells) * m_cellWidth;
    const auto colourOf
        = [&](const TextLook &look) { return look.foreground.isValid() ? look.foreground : theme.text; };
    const TextLook first = looks.empty() || looks.front().begin > piece.begin ? TextLook {} : looks.front().look;
    switch (piece.kind) {
    case TextPiece::Kind::Hidden:
        return;
    case TextPiece::Kind::Tab:
        drawTab(painter, theme.hairline, x, top, width);
        return;
    case TextPiece::Kind::Fold:
        drawFold(painter, content.folds[piece.index].label, theme, x, top, width);
        return;
    case TextPiece::Kind::Mark: {
        const bool isAlarming = piece.shown == kAlarming || piece.shown == 0xFFFD;
        drawShape(painter, stringOf(piece.shown), 0, isAlarming ? theme.hot : theme.secondary, x, top, width);
        return;
    }
    case TextPiece::Kind::Joined:
    case TextPiece::Kind::Shaped:
        drawShape(painter, toUtf16(bytes.substr(piece.begin, piece.end - piece.begin)), faceOf(first), colourOf(first),
            x, top, width);
        return;
    case TextPiece::Kind::Run:
        break;
    }
    // A run is as many cells as characters: split it where the look changes.
    size_t at = piece.begin;
    const auto drawUpTo = [&](size_t end, const TextLook &look) {
        const std::string_view part = bytes.substr(at, end - at);
        drawRun(painter, part, look, colourOf(look), x, top);
        const auto isLead = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
        x += static_cast<double>(std::ranges::count_if(part, isLead)) * m_cellWidth;
        at = end;
    };
    for (const TextLookSpan &span : looks) {
        const size_t begin = std::clamp(span.begin, at, piece.end);
        const size_t end = std::clamp(span.end, at, piece.end);
        if (begin > at)
            drawUpTo(begin, {});
        if (end > at)
            drawUpTo(end, span.look);
    }
    if (at < piece.end)
        drawUpTo(piece.end, {});
}

void TextPainter::drawRun(
    QPainter &painter, std::string_view text, const TextLook &look, const QColor &colour, double x, double top)
{
    const size_t face = faceOf(look);
    QList<quint32> glyphs;
    QList<QPointF> positions;
    glyphs.reserve(static_cast<qsizetype>(text.size()));
    positions.reserve(static_cast<qsizetype>(text.size()));
    double column = 0;
    for (size_t i = 0; i < text.size();) {
        const Character character = characterAt(text, i);
        if (character.codePoint != ' ') {
            const double left = column * m_cellWidth;
            if (const quint32 glyph = glyphOf(face, character.codePoint); glyph != 0) {
                glyphs.push_back(glyph);
                positions.emplace_back(left, 0);
            } else {
                drawShape(painter, stringOf(character.codePoint), face, colour, x + left, top, m_cellWidth);
            }
        }
        ++column;
        i += character.size;
    }
    painter.setPen(colour);
    if (!glyphs.isEmpty()) {
        QGlyphRun run;
        run.setRawFont(m_faces[face]);
        run.setGlyphIndexes(glyphs);
        run.setPositions(positions);
        painter.drawGlyphRun(QPointF(x, top + m_baseline), run);
    }
    const double right = x + column * m_cellWidth;
    if (look.isUnderlined)
        painter.drawLine(QPointF(x, top + m_baseline + 1.5), QPointF(right, top + m_baseline + 1.5));
    if (look.isStruck)
        painter.drawLine(QPointF(x, top + m_baseline - 3.5), QPointF(right, top + m_baseline - 3.5));
}

void TextPainter::drawShape(
    QPainter &painter, const QString &text, size_t face, const QColor &colour, double x, double top, double width)
{
    const ShapedWords &shape = shapedWords(m_fonts[face], text);
    painter.setPen(colour);
    const double y = top + m_baseline - shape.baseline;
    const double squeeze = shape.width > width && shape.width > 0 ? width / shape.width : 1.0;
    if (squeeze < 1.0) {
        painter.save();
        painter.translate(x, 0);
        painter.scale(squeeze, 1.0);
        shape.draw(painter, QPointF(0, y));
        painter.restore();
        return;
    }
    // A sign alone stands in the middle of its cells, a word at their start.
    const double left = text.size() <= 2 || !isShaped(text.front().unicode()) ? x + (width - shape.width) / 2 : x;
    shape.draw(painter, QPointF(left, y));
}

void TextPainter::drawTab(QPainter &painter, const QColor &colour, double x, double top, double width) const
{
    // A quiet sign: edits depend on whether an indent is tabs or blanks.
    const double y = std::round(top + m_rowHeight / 2) + 0.5;
    const double left = x + std::min(width, m_cellWidth) / 2 - 1;
    painter.setPen(QPen(colour, 1));
    painter.drawLine(QPointF(left, y - 2), QPointF(left + 2, y));
    painter.drawLine(QPointF(left + 2, y), QPointF(left, y + 2));
}

void TextPainter::drawFold(
    QPainter &painter, const std::string &label, const Theme &theme, double x, double top, double width) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.hairline, 1));
    painter.setBrush(theme.window);
    painter.drawRoundedRect(QRectF(x + 1.5, top + 1.5, width - 3, m_rowHeight - 3), 3, 3);
    painter.restore();
    drawWords(painter, QString::fromStdString(label), theme.secondary, x + m_cellWidth, top);
}

void TextPainter::drawWords(QPainter &painter, const QString &words, const QColor &colour, double x, double top) const
{
    painter.setPen(colour);
    painter.setFont(m_font);
    painter.drawText(QPointF(x, top + m_baseline), words);
}

} // namespace ui
