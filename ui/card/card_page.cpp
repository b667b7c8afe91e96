// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/card/card_page.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

QString CardPage::words(const char *text) { return QCoreApplication::translate("ui::Card", text); }

QString CardPage::shortTokens(double tokens)
{
    const double size = std::abs(tokens);
    const QString text
        = size >= 1000 ? QString::number(std::lround(size / 1000)) + u'k' : QString::number(std::lround(size));
    return tokens <= -0.5 ? u'−' + text : text;
}

double CardPage::stepOf(double most)
{
    const double rough = most / 4;
    const double power = std::pow(10.0, std::floor(std::log10(std::max(rough, 1.0))));
    for (const double factor : { 1.0, 2.0, 2.5, 5.0 }) {
        if (power * factor >= rough)
            return power * factor;
    }
    return power * 10;
}

void CardPage::write(const QRectF &box, int flags, const QString &text) const
{
    m_painter.drawText(box, flags, QFontMetricsF(m_painter.font()).elidedText(text, Qt::ElideRight, box.width()));
}

void CardPage::paintGround() const
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.fillRect(QRectF(QPointF(), kCardSize), m_theme.base);
}

void CardPage::paintHead(const std::string &title, const std::string &facts) const
{
    constexpr QRectF kTitle { kMargin, 30, kWidth, 66 };
    m_painter.setPen(m_theme.text);
    m_painter.setFont(Theme::strongFont(22));
    QRectF taken;
    m_painter.drawText(kTitle, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, displayText(title), &taken);
    m_painter.setPen(m_theme.secondary);
    m_painter.setFont(Theme::textFont(14));
    write({ kMargin, std::min(taken.bottom(), kTitle.bottom()) + 6, kWidth, 22 }, Qt::AlignLeft | Qt::AlignVCenter,
        displayText(facts));
}

void CardPage::paintFigures(const std::array<core::CardFigure, 4> &figures) const
{
    const double width = (kWidth - 3 * 20) / 4;
    for (size_t i = 0; i < figures.size(); ++i)
        paintFigure({ kMargin + static_cast<double>(i) * (width + 20), 136, width, 110 }, figures[i]);
}

void CardPage::paintFigure(const QRectF &box, const core::CardFigure &figure) const
{
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(m_theme.hairline, 1));
    m_painter.drawRect(box);
    const QRectF inner = box.adjusted(14, 8, -14, -8);
    m_painter.setPen(m_theme.secondary);
    m_painter.setFont(Theme::textFont(13));
    write(
        { inner.left(), inner.top(), inner.width(), 18 }, Qt::AlignLeft | Qt::AlignVCenter, displayText(figure.title));
    m_painter.setFont(Theme::textFont(12));
    m_painter.drawText(QRectF(inner.left(), inner.top() + 60, inner.width(), 36),
        Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, displayText(figure.interval));
    const QString value = displayText(figure.value);
    const double gap = 8;
    double room = inner.width(); // of the value
    if (!figure.recorded.empty()) {
        room = std::min(QFontMetricsF(Theme::strongFont(30)).horizontalAdvance(value) + 1, inner.width() * 2 / 3);
        paintRecorded(inner.adjusted(room + gap, 22, 0, 0), figure);
    }
    m_painter.setPen(m_theme.text);
    m_painter.setFont(Theme::strongFont(30));
    write({ inner.left(), inner.top() + 20, room, 42 }, Qt::AlignLeft | Qt::AlignVCenter, value);
}

/// One or two lines in the height of the value.
void CardPage::paintRecorded(const QRectF &box, const core::CardFigure &figure) const
{
    constexpr double kLine = 18;
    constexpr double kValue = 38;
    m_painter.setFont(Theme::textFont(13));
    const auto paintLine = [&](double top, const std::string &line) {
        write({ box.left(), top, box.width(), kLine }, Qt::AlignRight | Qt::AlignVCenter, displayText(line));
    };
    const double height = figure.computed.empty() ? kLine : 2 * kLine;
    const double top = box.top() + (kValue - height) / 2;
    paintLine(top, figure.recorded);
    paintLine(top + kLine, figure.computed);
}

QRectF CardPage::headed(const QRectF &box, const QString &heading) const
{
    m_painter.setPen(m_theme.text);
    m_painter.setFont(Theme::strongFont(14));
    write({ box.left(), box.top(), box.width(), 20 }, Qt::AlignLeft | Qt::AlignVCenter, heading);
    return box.adjusted(0, 28, 0, 0);
}

void CardPage::paintShares(const QRectF &plot) const
{
    m_painter.setFont(Theme::figureFont(12));
    for (const int share : { 0, 50, 100 }) {
        const double y = plot.bottom() - share / 100.0 * plot.height();
        m_painter.setPen(QPen(m_theme.hairline, 1));
        m_painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        m_painter.setPen(m_theme.secondary);
        m_painter.drawText(QRectF(plot.left() - kGutter, y - 9, kGutter - 8, 18), Qt::AlignRight | Qt::AlignVCenter,
            u"%1 %"_s.arg(share));
    }
}

void CardPage::paintKeep(const QRectF &plot, double x, const QString &text) const
{
    m_painter.setFont(Theme::textFont(12));
    m_painter.setPen(QPen(m_theme.accent, 2));
    m_painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
    const double width = QFontMetricsF(m_painter.font()).horizontalAdvance(text) + 12;
    const bool isLeft = x - width - 6 > plot.left();
    const QRectF tag(isLeft ? x - width - 6 : x + 6, plot.bottom() - 24, width, 20); // curves rise to the right
    m_painter.fillRect(tag, m_theme.accentGround);
    m_painter.setPen(m_theme.text);
    m_painter.drawText(tag, Qt::AlignCenter, text);
}

void CardPage::paintFoot(const std::vector<std::string> &lines) const
{
    m_painter.setPen(QPen(m_theme.hairline, 1));
    m_painter.drawLine(QPointF(kMargin, 922), QPointF(kMargin + kWidth, 922));
    m_painter.setPen(m_theme.secondary);
    m_painter.setFont(Theme::textFont(12));
    double y = 930;
    for (const std::string &line : lines) {
        const QRectF place(kMargin, y, kWidth, 36);
        const QRectF taken = QFontMetricsF(m_painter.font()).boundingRect(place, Qt::TextWordWrap, displayText(line));
        m_painter.drawText(place, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, displayText(line));
        y += std::min(taken.height(), 34.0) + 2;
    }
}

} // namespace ui
