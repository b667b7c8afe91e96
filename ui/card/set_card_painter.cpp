// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/card/set_card_painter.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLeft = CardPage::kMargin;
constexpr double kColumn = 730;
constexpr double kRight = kLeft + CardPage::kWidth - kColumn;
constexpr QRectF kFirstSpread { kLeft, 270, kColumn, 290 };
constexpr QRectF kSecondSpread { kRight, 270, kColumn, 290 };
constexpr QRectF kFanBox { kLeft, 590, kColumn, 312 };
constexpr QRectF kVerdictBox { kRight, 590, kColumn, 312 };
constexpr double kDot = 3;
constexpr double kQuantileRoom = 130; ///< right of the dots

/// Shares of the recorded figure in percent; tokens as on axes.
QString shown(const core::CardSpread &spread, double value)
{
    return spread.recorded ? u"%1 %"_s.arg(std::lround(value * 100)) : CardPage::shortTokens(value);
}

} // namespace

void SetCardPainter::paint(QPainter &painter) const
{
    const CardPage page(painter, m_theme);
    page.paintGround();
    page.paintHead(m_card.title, m_card.facts);
    page.paintFigures(m_card.figures);
    paintSpread(painter, kFirstSpread, m_card.spreads[0]);
    paintSpread(painter, kSecondSpread, m_card.spreads[1]);
    paintFan(painter, kFanBox);
    paintVerdict(painter, kVerdictBox);
    page.paintFoot(m_card.foot);
}

void SetCardPainter::paintSpread(QPainter &painter, const QRectF &box, const core::CardSpread &spread) const
{
    const CardPage page(painter, m_theme);
    const QRectF inside = page.headed(box, displayText(spread.title));
    const QRectF plot = inside.adjusted(64, 8, -kQuantileRoom, -24);
    painter.setFont(Theme::textFont(12));
    painter.setPen(m_theme.secondary);
    if (spread.values.empty()) {
        painter.drawText(plot, Qt::AlignCenter, CardPage::words("unknown for these runs"));
        return;
    }
    const double most = std::max({ spread.values.back(), spread.recorded.value_or(0), 1e-9 }) * 1.05;
    painter.setFont(Theme::figureFont(12));
    const double unit = spread.recorded ? 100 : 1; // round steps in the shown unit
    const double step = CardPage::stepOf(most * unit) / unit;
    for (double value = 0; value <= most; value += step) {
        const double y = plot.bottom() - value / most * plot.height();
        painter.setPen(QPen(m_theme.hairline, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(m_theme.secondary);
        painter.drawText(QRectF(inside.left(), y - 9, 56, 18), Qt::AlignRight | Qt::AlignVCenter, shown(spread, value));
    }
    painter.setFont(Theme::textFont(12));
    page.write({ plot.left(), plot.bottom() + 6, plot.width(), 18 }, Qt::AlignLeft | Qt::AlignVCenter,
        CardPage::words("%1 runs, from lowest to highest").arg(spread.values.size()));
    paintDots(painter, plot, spread, most);
}

void SetCardPainter::paintDots(QPainter &painter, const QRectF &plot, const core::CardSpread &spread, double most) const
{
    const auto yOf = [&](double value) { return plot.bottom() - value / most * plot.height(); };
    const double step = plot.width() / static_cast<double>(spread.values.size());
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accent);
    for (size_t i = 0; i < spread.values.size(); ++i)
        painter.drawEllipse(
            QPointF(plot.left() + (static_cast<double>(i) + 0.5) * step, yOf(spread.values[i])), kDot, kDot);
    painter.setBrush(Qt::NoBrush);
    std::vector<std::pair<double, QString>> names;
    for (const auto &[share, name] : { std::pair(0.9, CardPage::words("p90")), { 0.5, CardPage::words("median") } }) {
        const double value = core::quantile(spread.values, share);
        names.emplace_back(yOf(value), name + u' ' + shown(spread, value));
        painter.setPen(QPen(m_theme.text, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot.left(), yOf(value)), QPointF(plot.right(), yOf(value)));
    }
    if (spread.recorded) {
        painter.setPen(QPen(m_theme.curve, 1.6));
        painter.drawLine(QPointF(plot.left(), yOf(*spread.recorded)), QPointF(plot.right(), yOf(*spread.recorded)));
        names.emplace_back(yOf(*spread.recorded), CardPage::words("recorded"));
    }
    // Moves overlapping names apart, downwards.
    std::ranges::sort(names, {}, &std::pair<double, QString>::first);
    double next = plot.top() - 9;
    painter.setPen(m_theme.text);
    for (const auto &[y, name] : names) {
        const double top = std::max(next, y - 9);
        painter.drawText(QRectF(plot.right() + 8, top, kQuantileRoom - 8, 18), Qt::AlignLeft | Qt::AlignVCenter, name);
        next = top + 18;
    }
}

void SetCardPainter::paintFan(QPainter &painter, const QRectF &box) const
{
    const CardPage page(painter, m_theme);
    const core::CardFan &fan = m_card.fan;
    const QRectF inside = page.headed(box, CardPage::words("Share of uses within the last N tokens"));
    const QRectF plot = inside.adjusted(CardPage::kGutter, 6, -6, -46);
    painter.setFont(Theme::textFont(13));
    painter.setPen(m_theme.secondary);
    if (fan.sessions == 0 || fan.tokens.empty()) {
        painter.drawText(plot, Qt::AlignCenter, CardPage::words("No session has enough uses for a curve."));
        return;
    }
    page.paintShares(plot);
    const double first = std::log(fan.tokens.front());
    const double range = std::log(fan.tokens.back()) - first;
    const auto xOf = [&](double tokens) { return plot.left() + (std::log(tokens) - first) / range * plot.width(); };
    const auto pointOf = [&](size_t i, const std::vector<double> &shares) {
        return QPointF(xOf(fan.tokens[i]), plot.bottom() - shares[i] * plot.height());
    };
    for (const double tokens : { 1e3, 5e3, 2e4, 8e4, 3.2e5 })
        painter.drawText(
            QRectF(xOf(tokens) - 30, plot.bottom() + 5, 60, 16), Qt::AlignCenter, CardPage::shortTokens(tokens));
    QPolygonF between;
    QPolygonF median;
    for (size_t i = 0; i < fan.tokens.size(); ++i) {
        between << pointOf(i, fan.high);
        median << pointOf(i, fan.median);
    }
    for (size_t i = fan.tokens.size(); i-- > 0;)
        between << pointOf(i, fan.low);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accentGround);
    painter.drawPolygon(between);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.curve, 1.8));
    painter.drawPolyline(median);
    painter.setFont(Theme::textFont(12));
    painter.setPen(m_theme.secondary);
    page.write({ plot.left(), plot.bottom() + 24, plot.width(), 18 }, Qt::AlignLeft | Qt::AlignVCenter,
        CardPage::words("line: median; band: 10th to 90th percentile; %1 sessions with %2 quotes")
            .arg(fan.sessions)
            .arg(fan.uses));
    if (fan.keepTokens > 0)
        page.paintKeep(plot, xOf(std::clamp(fan.keepTokens, fan.tokens.front(), fan.tokens.back())),
            CardPage::words("keep %1, about %2 tokens")
                .arg(displayText(fan.keep), CardPage::shortTokens(fan.keepTokens)));
}

void SetCardPainter::paintVerdict(QPainter &painter, const QRectF &box) const
{
    const QRectF inside
        = CardPage(painter, m_theme).headed(box, CardPage::words("The suggestion and the evidence for it"));
    painter.setPen(m_theme.text);
    painter.setFont(Theme::textFont(13));
    double y = inside.top();
    for (const std::string &sentence : m_card.verdict) {
        const QString text = displayText(sentence);
        const QRectF room(inside.left(), y, inside.width(), inside.bottom() - y);
        const QRectF taken = QFontMetricsF(painter.font()).boundingRect(room, Qt::TextWordWrap, text);
        if (taken.bottom() > inside.bottom())
            break; // less important sentences come last
        painter.drawText(room, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text);
        y = taken.bottom() + 8;
    }
}

} // namespace ui
