// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// How a text surface draws its visible part.

#include "ui/text/text_surface.h"

#include "ui/text/cells.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace ui {

using namespace std::chrono_literals;
using namespace Qt::StringLiterals;

namespace {

/// How long the first painting may wait for colours, so that most bodies never show without them.
constexpr auto kColourAtOnce = 6ms;

/// The column of `offset` within a piece.
size_t columnInside(const TextPiece &piece, std::string_view bytes, size_t offset)
{
    size_t column = piece.column;
    for (size_t at = piece.begin; at < offset;) {
        const Cluster cluster = clusterAt(bytes, at, piece.end);
        if (at + cluster.size > offset)
            break;
        column += cluster.cells;
        at += cluster.size;
    }
    return column;
}

} // namespace

void TextSurface::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(viewport());
    paint(painter, viewport()->rect());
}

void TextSurface::paint(QPainter &painter, const QRect &rect)
{
    if (rect.size() != m_pictureSize.value_or(viewport()->size())) {
        m_pictureSize = rect.size();
        followSize();
    }
    if (!colourVisible(QDeadlineTimer(kColourAtOnce)) && !m_colourTimer.isActive())
        m_colourTimer.start(0ms, this);

    painter.save();
    painter.translate(rect.topLeft());
    painter.setClipRect(QRect(QPoint(), rect.size()));
    painter.fillRect(QRect(QPoint(), rect.size()), m_theme.base);
    m_paintedCharacters = 0;
    const size_t first = rowAtY(0);
    const size_t last = rowAtY(rect.height());
    for (size_t row = first; row <= last; ++row)
        paintRow(painter, row, topOf(row));
    if (m_labelWidth > 0)
        paintLabels(painter, first, last);
    paintCaret(painter);
    painter.restore();
}

void TextSurface::paintRow(QPainter &painter, size_t index, double top)
{
    const TextRow row = m_layout->row(index);
    const double width = m_pictureSize.value_or(viewport()->size()).width();
    if (row.insertion) {
        paintInsertion(painter, m_content->insertions[*row.insertion], top);
        return;
    }
    if (const auto band = bandOf(index)) {
        paintBand(painter, row, m_content->folds[*band], top);
        return;
    }
    const double left = textLeft();
    const double cell = m_painter.cellWidth();
    const auto firstColumn = static_cast<size_t>(std::max(0.0, std::floor(scrollX() / cell)));
    const auto columns = static_cast<size_t>(std::max(0.0, std::ceil((width - left) / cell))) + 1;
    m_row.pieces.clear();
    m_paintedCharacters += m_layout->pieces(index, firstColumn, firstColumn + columns, m_row.pieces);

    const QColor rowGround = collectMarks(row);
    painter.fillRect(QRectF(0, top, width, m_painter.rowHeight()), rowGround);

    painter.save();
    painter.setClipRect(QRectF(left - 2, top, width - left + 2, m_painter.rowHeight()));
    paintGrounds(painter, row, top);
    paintPieces(painter, rowGround, top);
    painter.restore();
    paintGutter(painter, row, rowGround, top);
}

std::optional<size_t> TextSurface::bandOf(size_t row) const
{
    const auto piece = m_layout->pieceAt(row, 0);
    const bool isBand = piece && piece->kind == TextPiece::Kind::Fold && m_content->folds[piece->index].isBand;
    return isBand ? std::optional(piece->index) : std::nullopt;
}

std::vector<TextSurface::ReachingMark>::const_iterator TextSurface::firstReaching(
    const std::vector<ReachingMark> &marks, size_t offset)
{
    return std::ranges::upper_bound(marks, offset, {}, &ReachingMark::reach);
}

QColor TextSurface::collectMarks(const TextRow &row)
{
    // An empty last line has no bytes of its own.
    const size_t end = std::max(row.next, row.begin + 1);
    m_row.marks.clear();
    for (auto each = firstReaching(m_marks, row.begin); each != m_marks.end() && each->mark.span.begin < end; ++each) {
        if (each->mark.span.end > row.begin)
            m_row.marks.push_back(each->mark);
    }
    // What was searched is drawn over what was changed.
    std::ranges::stable_partition(m_row.marks,
        [](const TextMark &mark) { return mark.role != MarkRole::Match && mark.role != MarkRole::CurrentMatch; });
    for (auto each = firstReaching(m_rowMarks, row.begin); each != m_rowMarks.end() && each->mark.span.begin < end;
        ++each) {
        if (each->mark.span.end > row.begin)
            return groundOf(each->mark.role, m_theme);
    }
    return m_theme.base;
}

void TextSurface::paintBand(QPainter &painter, const TextRow &row, const TextFold &fold, double top)
{
    const double width = m_pictureSize.value_or(viewport()->size()).width();
    const TextSpan selected = selection();
    const bool isSelected = selected.begin < row.next && row.begin < selected.end;
    const QColor ground
        = isSelected ? mixed(m_theme.window, hasFocus() ? m_theme.accent : m_theme.secondary, 0.2) : m_theme.window;
    painter.fillRect(QRectF(0, top, width, m_painter.rowHeight()), ground);
    const QColor colour = legibleOn(ground, m_theme.secondary);
    // Three dots in place of the line numbers.
    if (m_numberDigits > 0)
        m_painter.drawWords(painter, u"\u22EF"_s, colour,
            kLeftPadding + labelWidth() + otherNumberWidth() + numberWidth() - 10 - m_painter.cellWidth(), top);
    m_painter.drawWords(painter, displayText(fold.label), colour, textLeft(), top);
}

bool TextSurface::isInCurrentSpan(const TextInsertion &filler) const
{
    if (!m_currentSpan)
        return false;
    const TextDocument &document = *m_content->document;
    const size_t first = document.lineOf(m_currentSpan->begin);
    if (m_currentSpan->begin == m_currentSpan->end) // lines of the other side only
        return filler.line == first || (filler.line == document.lineCount() && m_currentSpan->begin == document.size());
    return filler.line >= first && filler.line <= document.lineOf(m_currentSpan->end - 1) + 1;
}

void TextSurface::paintInsertion(QPainter &painter, const TextInsertion &insertion, double top)
{
    const QRectF rect(0, top, m_pictureSize.value_or(viewport()->size()).width(), m_painter.rowHeight());
    switch (insertion.kind) {
    case TextInsertion::Kind::Heading:
        painter.fillRect(rect, m_theme.window);
        m_painter.drawWords(painter, displayText(insertion.text), m_theme.secondary, textLeft(), top);
        return;
    case TextInsertion::Kind::Filler:
        painter.fillRect(rect, m_theme.window);
        if (isInCurrentSpan(insertion))
            painter.fillRect(QRectF(0, top, 3, rect.height()), m_theme.accent);
        return;
    case TextInsertion::Kind::Rule:
        painter.fillRect(
            QRectF(kLeftPadding, std::round(rect.center().y()), rect.width() - kLeftPadding - 8, 1), m_theme.hairline);
        return;
    }
}

void TextSurface::paintGrounds(QPainter &painter, const TextRow &row, double top)
{
    // Draws only the visible part of a row that reaches far beyond the edges.
    const TextSpan drawn { m_row.pieces.empty() ? row.begin : m_row.pieces.front().begin,
        m_row.pieces.empty() || m_row.pieces.back().end == row.end ? row.next : m_row.pieces.back().end };
    const auto forEachIn = [&](const auto &spans, auto spanOf, auto paint) {
        const auto ends = [&](const auto &each) { return spanOf(each).end; };
        for (auto each = std::ranges::upper_bound(spans, drawn.begin, {}, ends); each != spans.end(); ++each) {
            if (spanOf(*each).begin >= drawn.end)
                break;
            paint(*each);
        }
    };
    for (const TextMark &mark : m_row.marks)
        paintSpan(painter, row, mark.span, groundOf(mark.role, m_theme), top);
    const auto ofStyle = [](const TextStyleSpan &each) { return TextSpan { each.begin, each.end }; };
    forEachIn(m_content->styles, ofStyle, [&](const TextStyleSpan &each) {
        const TextLook look = lookOf(each.style, m_theme);
        if (look.background.isValid())
            paintSpan(painter, row, { each.begin, each.end }, look.background, top);
    });
    const TextSpan selected = selection();
    if (selected.begin < selected.end) {
        const QColor &over = hasFocus() ? m_theme.accent : m_theme.secondary;
        paintSpan(painter, row, selected, mixed(m_theme.base, over, hasFocus() ? 0.3 : 0.22), top);
    }
    forEachIn(
        m_find.matches, [](const TextSpan &each) { return each; },
        [&](const TextSpan &each) {
            const bool isCurrent = m_find.current && m_find.matches[*m_find.current] == each;
            paintSpan(painter, row, each, groundOf(isCurrent ? MarkRole::CurrentMatch : MarkRole::Match, m_theme), top);
        });
}

double TextSurface::columnIn(const TextRow &row, size_t offset) const
{
    const std::string_view bytes = m_content->document->bytes();
    if (m_row.pieces.empty() || offset <= m_row.pieces.front().begin)
        return m_row.pieces.empty() ? 0 : static_cast<double>(m_row.pieces.front().column);
    for (const TextPiece &piece : m_row.pieces) {
        if (offset >= piece.end)
            continue;
        const bool isWhole = piece.kind == TextPiece::Kind::Fold || piece.kind == TextPiece::Kind::Hidden;
        return static_cast<double>(isWhole ? piece.column : columnInside(piece, bytes, offset));
    }
    const TextPiece &last = m_row.pieces.back();
    // A line feed that is part of a range shows as half a cell.
    const bool isBeyond = offset > row.end && row.endsLine;
    return static_cast<double>(last.column + last.cells) + (isBeyond ? 0.5 : 0);
}

void TextSurface::paintSpan(QPainter &painter, const TextRow &row, TextSpan span, const QColor &colour, double top)
{
    if (span.begin >= std::max(row.next, row.begin + 1) || span.end <= row.begin)
        return;
    const double left = xOf(columnIn(row, span.begin));
    double right = xOf(columnIn(row, span.end));
    if (right <= left && span.end > row.end && row.end == row.begin)
        right = left + m_painter.cellWidth() / 2; // an empty line
    painter.fillRect(QRectF(left, top, right - left, m_painter.rowHeight()), colour);
}

QColor TextSurface::legibleOn(const QColor &ground, const QColor &colour)
{
    const quint64 key = quint64(ground.rgb()) << 32U | colour.rgb();
    const auto known = m_legible.constFind(key);
    return known != m_legible.constEnd() ? *known : *m_legible.insert(key, legible(colour, ground));
}

void TextSurface::collectLooks(const TextPiece &piece, const QColor &rowGround)
{
    m_row.looks.clear();
    auto style = std::ranges::upper_bound(m_content->styles, piece.begin, {}, &TextStyleSpan::end);
    for (; style != m_content->styles.end() && style->begin < piece.end; ++style)
        m_row.looks.push_back({ style->begin, style->end, lookOf(style->style, m_theme) });
    if (!m_row.looks.empty())
        return;
    const std::vector<TextLookSpan> &looks = m_highlighter.looks(m_content->document->lineOf(piece.begin));
    auto look = std::ranges::upper_bound(looks, piece.begin, {}, &TextLookSpan::end);
    for (; look != looks.end() && look->begin < piece.end; ++look)
        m_row.looks.push_back(*look);
    if (m_row.marks.empty() && rowGround == m_theme.base)
        return;
    // The colours were chosen for the theme's ground. On a mark they may need more contrast.
    m_row.fittedLooks.clear();
    for (const TextLookSpan &whole : m_row.looks) {
        size_t at = whole.begin;
        const auto addUpTo = [&](size_t end, const QColor &ground) {
            if (end <= at)
                return;
            TextLookSpan part { at, end, whole.look };
            if (part.look.foreground.isValid())
                part.look.foreground = legibleOn(ground, part.look.foreground);
            m_row.fittedLooks.push_back(part);
            at = end;
        };
        for (const TextMark &mark : m_row.marks) {
            addUpTo(std::min(mark.span.begin, whole.end), rowGround);
            addUpTo(std::min(mark.span.end, whole.end), groundOf(mark.role, m_theme));
        }
        addUpTo(whole.end, rowGround);
    }
    m_row.looks.swap(m_row.fittedLooks);
}

void TextSurface::paintPieces(QPainter &painter, const QColor &rowGround, double top)
{
    for (const TextPiece &piece : m_row.pieces) {
        collectLooks(piece, rowGround);
        m_painter.draw(painter, piece, *m_content, m_row.looks, m_theme, xOf(static_cast<double>(piece.column)), top);
    }
}

void TextSurface::paintNumber(QPainter &painter, uint32_t number, double right, const QColor &ground, double top)
{
    if (number == 0)
        return;
    const QString words = QString::number(number);
    const double x = right - static_cast<double>(words.size()) * m_painter.cellWidth();
    m_painter.drawWords(painter, words, legibleOn(ground, m_theme.secondary), x, top);
}

void TextSurface::paintGutter(QPainter &painter, const TextRow &row, const QColor &rowGround, double top)
{
    if (m_currentSpan && m_currentSpan->begin < std::max(row.next, row.begin + 1) && row.begin < m_currentSpan->end)
        painter.fillRect(QRectF(0, top, 3, m_painter.rowHeight()), m_theme.accent);
    if (!row.startsLine)
        return;
    const auto numberOf
        = [&](const std::vector<uint32_t> &numbers) { return row.line < numbers.size() ? numbers[row.line] : 0; };
    const double numbersLeft = kLeftPadding + labelWidth();
    if (m_otherDigits > 0) {
        const double right = numbersLeft + otherNumberWidth() - 10;
        paintNumber(painter, numberOf(m_content->otherNumbers), right, rowGround, top);
    }
    if (m_numberDigits > 0) {
        const bool isCounted = m_content->numbering == Numbering::Lines;
        const double right = numbersLeft + otherNumberWidth() + numberWidth() - 10;
        paintNumber(painter, isCounted ? static_cast<uint32_t>(row.line + 1) : numberOf(m_content->numbers), right,
            rowGround, top);
    }
    const LineSign sign = row.line < m_content->signs.size() ? m_content->signs[row.line] : LineSign::None;
    if (sign != LineSign::None) {
        const bool isAdded = sign == LineSign::Added;
        const QColor &colour = isAdded ? m_theme.of(core::Material::Bulk) : m_theme.hot;
        m_painter.drawWords(
            painter, isAdded ? u"+"_s : u"\u2212"_s, legibleOn(rowGround, colour), textLeft() - foldWidth() + 1, top);
    }
    if (m_content->folds.empty())
        return;
    const std::optional<size_t> fold = foldOfLine(row.line);
    if (!fold)
        return;
    const QPointF centre(textLeft() - foldWidth() / 2 - 2, top + m_painter.rowHeight() / 2);
    const QPolygonF right { centre + QPointF(-2, -4), centre + QPointF(2.5, 0), centre + QPointF(-2, 4) };
    const QPolygonF down { centre + QPointF(-4, -2), centre + QPointF(0, 2.5), centre + QPointF(4, -2) };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme.secondary, 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(isFolded(*fold) ? right : down);
    painter.restore();
}

void TextSurface::paintLabels(QPainter &painter, size_t firstRow, size_t lastRow)
{
    const std::vector<TextLabel> &labels = m_content->labels;
    const QFontMetricsF metrics(m_painter.font());
    const auto draw = [&](const TextLabel &label, double top) {
        const QString words = metrics.elidedText(displayText(label.text), Qt::ElideMiddle, m_labelWidth);
        m_painter.drawWords(painter, words, m_theme.secondary, kLeftPadding, top);
    };
    const size_t firstLine = m_layout->row(firstRow).line;
    auto label = std::ranges::upper_bound(labels, firstLine, {}, &TextLabel::line);
    double nextTop = std::numeric_limits<double>::max();
    // From the last visible one upwards: the one at the top makes room for the next.
    const size_t lastLine = m_layout->row(lastRow).line;
    const auto end = std::ranges::upper_bound(labels, lastLine, {}, &TextLabel::line);
    for (auto each = end; each != label;) {
        --each;
        const double top = topOf(m_layout->rowOf(m_content->document->lineStart(each->line)));
        draw(*each, top);
        nextTop = top;
    }
    if (label == labels.begin())
        return;
    --label;
    const double top = topOf(m_layout->rowOf(m_content->document->lineStart(label->line)));
    draw(*label, std::min(std::max(top, 0.0), nextTop - m_painter.rowHeight()));
}

void TextSurface::paintCaret(QPainter &painter)
{
    if (!hasFocus())
        return;
    const QRectF rect = rectOf(m_caret);
    if (!rect.isEmpty() && rect.left() >= textLeft() - 2)
        painter.fillRect(QRectF(std::round(rect.left()) - 1, rect.top(), 2, rect.height()), m_theme.accent);
}

} // namespace ui
