// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/selection_painter.h"

#include "ui/look/shaped_words.h"
#include "ui/timeline/timeline_metrics.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPillHeight = 17;

} // namespace

void SelectionPainter::paintMeasured(std::pair<size_t, size_t> columns) const
{
    const Theme &theme = m_content.theme();
    const TimelineLayout::Plot &plot = m_layout.plot();
    const auto [first, last] = std::minmax(columns.first, columns.second);
    const double left = std::clamp(m_layout.xAt(static_cast<double>(first)), plot.left, plot.right);
    const double right = std::clamp(m_layout.xAt(static_cast<double>(last) + 1), plot.left, plot.right);
    m_painter.fillRect(QRectF(left, plot.top - 4, right - left, plot.bottom - plot.top + 4), theme.accentGround);
    m_painter.setPen(QPen(theme.accent, 1));
    for (const double x : { left, right })
        m_painter.drawLine(QPointF(crisp(x), plot.top - 4), QPointF(crisp(x), plot.bottom));
}

void SelectionPainter::paintHovered(size_t column) const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const double x = m_layout.xOf(column);
    if (x < plot.left || x > plot.right)
        return;
    m_painter.save();
    m_painter.setPen(QPen(m_content.theme().secondary, 1));
    m_painter.drawLine(QPointF(crisp(x), plot.top), QPointF(crisp(x), plot.bottom));
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(QPen(m_content.theme().base, 1));
    m_painter.setBrush(m_content.theme().text);
    m_painter.drawEllipse(QPointF(crisp(x), m_layout.yOf(m_content.series().tokens(column))), 3.5, 3.5);
    m_painter.restore();
}

void SelectionPainter::paintChosen() const
{
    const Theme &theme = m_content.theme();
    const TimelineLayout::Plot &plot = m_layout.plot();
    const size_t column = m_content.chosenColumn();
    const double x = crisp(m_layout.xOf(column));
    const bool isInSight = x >= plot.left && x <= plot.right;
    m_painter.save();
    if (isInSight) {
        const double from = plot.top - plot.findingRow - 3;
        m_painter.fillRect(QRectF(x - 0.5, from, 1, plot.bottom + 3 - from), theme.accent);
        m_painter.setRenderHint(QPainter::Antialiasing);
        m_painter.setPen(QPen(theme.base, 1));
        m_painter.setBrush(theme.accent);
        m_painter.drawEllipse(QPointF(x, m_layout.yOf(m_content.series().tokens(column))), 3.5, 3.5);
    }
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setFont(Theme::strongFont(11));
    const QString name = isInSight ? m_content.nameOf(column)
        : x < plot.left            ? u"‹ "_s + m_content.nameOf(column)
                                   : m_content.nameOf(column) + u" ›"_s;
    const double width = wordsWidth(m_painter, name) + 16;
    const double left = std::clamp(
        x - width / 2, plot.left - 4, std::max(plot.left - 4, plot.right + TimelineMetrics::kMargin - 2 - width));
    const QRectF pill(left, plot.top - plot.findingRow - 3 - kPillHeight, width, kPillHeight);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(theme.accent);
    m_painter.drawRoundedRect(pill, 4, 4);
    m_painter.setPen(theme.base);
    drawWords(m_painter, pill, Qt::AlignCenter, name);
    m_painter.restore();
    paintAssumption(pill);
}

/// Words on assumed summaries, beside the pill of the chosen call: at the left if there is room, else at the right.
void SelectionPainter::paintAssumption(const QRectF &pill) const
{
    if (!m_content.replay() || !m_content.replay()->isSummaryAssumed)
        return;
    const TimelineLayout::Plot &plot = m_layout.plot();
    const QString words = displayText(assumptionText(*m_content.replay()));
    m_painter.setFont(Theme::textFont(11));
    m_painter.setPen(m_content.theme().secondary);
    const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(words) + 2;
    const bool isLeft = pill.left() > plot.left + width + 8;
    if (!isLeft && pill.right() + 8 + width > plot.right)
        return;
    drawWords(m_painter, QRectF(isLeft ? plot.left : plot.right - width, pill.top(), width, pill.height()),
        Qt::AlignLeft | Qt::AlignVCenter, words);
}

} // namespace ui
