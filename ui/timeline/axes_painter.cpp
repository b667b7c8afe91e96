// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/axes_painter.h"

#include "ui/look/shaped_words.h"
#include "ui/timeline/timeline_metrics.h"

#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kTurnRow = 15;
constexpr int kCallRow = 16;
constexpr double kValueSpacing = 26;
constexpr double kLeastValueSpacing = 16; ///< in a low plot, so that it has another tick than 0
constexpr double kCallSpacing = 64;
constexpr double kWindowLabel = 30; ///< height of the window's two words in the gutter, above its line

QFont axisWordFont() { return Theme::textFont(11); }
QFont axisFigureFont() { return Theme::figureFont(11); }

/// The top of the row of turn numbers.
double turnTop(const TimelineLayout &layout) { return layout.plot().bottom + 2; }

/// A place for words in the gutter.
QRectF gutterPlace(double top, double height)
{
    return { TimelineMetrics::kMargin, top, TimelineMetrics::kGutter - 8, height };
}

} // namespace

bool AxesPainter::hasWindow() const
{
    return m_content.windowTokens() > 0 && m_content.windowTokens() <= m_layout.highest();
}

void AxesPainter::paintAxes() const
{
    m_painter.setFont(axisFigureFont());
    paintValues();
    const double top = turnTop(m_layout);
    m_painter.setFont(axisWordFont());
    m_painter.setPen(m_theme.secondary);
    drawWords(m_painter, gutterPlace(top + kTurnRow, kCallRow), Qt::AlignRight | Qt::AlignVCenter, tr("call"));
    if (!m_content.series().turnStarts().empty())
        drawWords(m_painter, gutterPlace(top, kTurnRow), Qt::AlignRight | Qt::AlignVCenter, tr("turn"));
    m_painter.setFont(axisFigureFont());
    paintTurns();
    paintCalls();
}

void AxesPainter::paintValues() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double window = hasWindow() ? m_layout.yOf(m_content.windowTokens()) : -100;
    const double spacing = std::clamp((plot.bottom - plot.top) / 2, kLeastValueSpacing, kValueSpacing);
    for (const TimelineLayout::Tick &tick : m_layout.valueTicks(spacing)) {
        const double y = crisp(tick.at);
        m_painter.setPen(QPen(m_theme.hairline, 1, tick.value > 0 ? Qt::DotLine : Qt::SolidLine));
        m_painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
        if (tick.at > window - kWindowLabel && tick.at < window + 16)
            continue; // the window's label needs the place
        m_painter.setPen(m_theme.secondary);
        const double above = tick.value > 0 ? 9 : 13; // the row of the turns begins below the axis
        drawWords(m_painter, gutterPlace(y - above, 18), Qt::AlignRight | Qt::AlignVCenter, displayText(tick.text));
    }
}

/// A tick for each turn, with its number where there is room.
void AxesPainter::paintTurns() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const QFontMetricsF figures(m_painter.font());
    const auto turns = m_layout.turnTicks();
    const auto widthOf
        = [&](const TimelineLayout::TurnTick &tick) { return figures.horizontalAdvance(QString::number(tick.number)); };
    // Without room for any number between the ticks, some ticks are longer and numbered.
    const bool areClose = std::ranges::none_of(
        turns, [&](const TimelineLayout::TurnTick &tick) { return tick.room > widthOf(tick) + 8; });
    double free = plot.left;
    for (const TimelineLayout::TurnTick &tick : turns) {
        const double x = crisp(tick.x);
        const double width = widthOf(tick);
        const bool isNumbered = areClose ? x >= free && x + width + 3 <= plot.right : tick.room > width + 8;
        m_painter.drawLine(QPointF(x, plot.bottom + 1), QPointF(x, plot.bottom + (areClose && isNumbered ? 14 : 6)));
        if (!isNumbered)
            continue;
        drawWords(m_painter, QRectF(x + 3, turnTop(m_layout) + 1, width + 2, kTurnRow),
            Qt::AlignLeft | Qt::AlignVCenter, QString::number(tick.number));
        free = x + kCallSpacing;
    }
}

/// Call numbers, and the word of the end where it is in sight.
void AxesPainter::paintCalls() const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const QFontMetricsF figures(m_painter.font());
    const QRectF row(plot.left, turnTop(m_layout) + kTurnRow, plot.right - plot.left, kCallRow);
    const auto draw = [&](double left, double width, const QString &words) {
        drawWords(m_painter, QRectF(left, row.top(), width + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    double limit = plot.right + TimelineMetrics::kMargin;
    const double endX = m_layout.xOf(m_content.series().callCount());
    if (endX <= plot.right) {
        const QString end = tr("end");
        const double width = figures.horizontalAdvance(end);
        const double left = std::min(endX - width / 2, limit - width - 2);
        draw(left, width, end);
        limit = left - 8;
    }
    for (const TimelineLayout::Tick &tick : m_layout.callTicks(kCallSpacing)) {
        const QString number = displayText(tick.text);
        const double width = figures.horizontalAdvance(number);
        const double left = std::max(tick.at - width / 2, plot.left - 4);
        if (left + width <= limit)
            draw(left, width, number);
    }
}

void AxesPainter::paintWindow() const
{
    if (!hasWindow())
        return;
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double y = crisp(m_layout.yOf(m_content.windowTokens()));
    m_painter.setPen(QPen(m_theme.secondary, 1, Qt::DashLine));
    m_painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
    // Named in the gutter, where nothing covers the words.
    const double words = std::min(y, plot.bottom - 6); // the row of the turns begins below the axis
    m_painter.setFont(axisFigureFont());
    drawWords(m_painter, gutterPlace(words - 9, 18), Qt::AlignRight | Qt::AlignVCenter,
        displayText(axisText(m_content.windowTokens())));
    m_painter.setFont(axisWordFont());
    drawWords(m_painter, gutterPlace(words - 23, 14), Qt::AlignRight | Qt::AlignVCenter, tr("window"));
}

} // namespace ui
