// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/card/card_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kMargin = CardPage::kMargin;
constexpr double kGap = 40;
constexpr double kWide = 960; ///< of the left column
constexpr double kWidth = CardPage::kWidth;
constexpr QRectF kCurveBox { kMargin, 270, kWide, 340 };
constexpr QRectF kArrayBox { kMargin + kWide + kGap, 270, kWidth - kWide - kGap, 340 };
constexpr QRectF kReachBox { kMargin, 640, 560, 262 };
constexpr QRectF kTableBox { kMargin + 600, 640, kWidth - 600, 262 };

QString words(const char *text) { return CardPage::words(text); }
QString shortTokens(double tokens) { return CardPage::shortTokens(tokens); }

/// The curve of the known values, one step per call.
QPainterPath curveOf(const std::vector<double> &values, const QRectF &plot, double most)
{
    QPainterPath path;
    bool isBegun = false;
    const double width = plot.width() / static_cast<double>(std::max<size_t>(1, values.size()));
    for (size_t call = 0; call < values.size(); ++call) {
        if (values[call] <= 0)
            continue;
        const QPointF point(plot.left() + (static_cast<double>(call) + 0.5) * width,
            plot.bottom() - values[call] / most * plot.height());
        isBegun ? path.lineTo(point) : path.moveTo(point);
        isBegun = true;
    }
    return path;
}

} // namespace

void CardPainter::paint(QPainter &painter) const
{
    const CardPage page(painter, m_theme);
    page.paintGround();
    page.paintHead(m_card.title, m_card.facts);
    page.paintFigures(m_card.figures);
    paintCurves(painter, kCurveBox);
    paintArrays(painter, kArrayBox);
    if (m_card.lanes.empty())
        paintReach(painter, kReachBox);
    else
        paintLanes(painter, kReachBox);
    paintTable(painter, kTableBox);
    page.paintFoot(m_card.foot);
}

// --- the saw-tooth -------------------------------------------------------------------------------------------------

void CardPainter::paintCurves(QPainter &painter, const QRectF &box) const
{
    const QRectF inside = CardPage(painter, m_theme).headed(box, words("Context at every call"));
    const QRectF plot = inside.adjusted(52, 6, 0, -44);
    double most = 1;
    for (const auto *values : { &m_card.recorded, &m_card.simulated }) {
        for (const double value : *values)
            most = std::max(most, value);
    }
    most *= 1.04;
    painter.setFont(Theme::figureFont(12));
    const double step = CardPage::stepOf(most);
    for (double line = 0; line <= most; line += step) {
        const double y = plot.bottom() - line / most * plot.height();
        painter.setPen(QPen(m_theme.hairline, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(m_theme.secondary);
        painter.drawText(QRectF(inside.left(), y - 9, 44, 18), Qt::AlignRight | Qt::AlignVCenter, shortTokens(line));
    }
    const size_t calls = m_card.simulated.size();
    if (m_card.firstCounterfactual < calls && calls > 0) {
        QRectF unknown = plot;
        unknown.setLeft(
            plot.left() + static_cast<double>(m_card.firstCounterfactual) / static_cast<double>(calls) * plot.width());
        painter.fillRect(unknown, QBrush(m_theme.hairline, Qt::BDiagPattern));
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.curve, 1.6));
    painter.drawPath(curveOf(m_card.recorded, plot, most));
    painter.setPen(QPen(m_theme.accent, 2.4));
    painter.drawPath(curveOf(m_card.simulated, plot, most));
    paintMarks(painter, plot, calls);
}

void CardPainter::paintMarks(QPainter &painter, const QRectF &plot, size_t calls) const
{
    const auto xOf = [&](uint32_t call) {
        return plot.left() + (call + 0.5) / static_cast<double>(std::max<size_t>(1, calls)) * plot.width();
    };
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accent);
    for (const uint32_t call : m_card.fired)
        painter.drawPolygon(QPolygonF({ { xOf(call) - 4, plot.bottom() + 9 }, { xOf(call) + 4, plot.bottom() + 9 },
            { xOf(call), plot.bottom() + 2 } }));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.curve, 1, Qt::DashLine));
    for (const uint32_t call : m_card.compactions)
        painter.drawLine(QPointF(xOf(call), plot.top()), QPointF(xOf(call), plot.bottom()));
    painter.setFont(Theme::textFont(12));
    const double y = plot.bottom() + 24;
    const auto key = [&](double x, const QPen &pen, const QString &text) {
        painter.setPen(pen);
        painter.drawLine(QPointF(x, y), QPointF(x + 26, y));
        painter.setPen(m_theme.secondary);
        painter.drawText(QPointF(x + 34, y + 4), text);
        return x + 34 + QFontMetricsF(painter.font()).horizontalAdvance(text) + 26;
    };
    double x = key(plot.left(), QPen(m_theme.curve, 1.6), words("recorded"));
    x = key(x, QPen(m_theme.accent, 2.4), words("simulated, ▲ the policy acts"));
    if (!m_card.compactions.empty())
        x = key(x, QPen(m_theme.curve, 1, Qt::DashLine), words("recorded compaction"));
    painter.setPen(m_theme.secondary);
    if (m_card.firstCounterfactual < calls)
        painter.drawText(QPointF(x, y + 4), words("hatched: counterfactual"));
}

// --- before and after ----------------------------------------------------------------------------------------------

void CardPainter::paintArrays(QPainter &painter, const QRectF &box) const
{
    const QRectF inside = CardPage(painter, m_theme).headed(box, words("Before call %1, by material").arg(m_card.call));
    const auto heightOf = [](const core::CardArray &array) {
        return array.sum.value() + array.sum.notSent + std::max(0.0, -array.sum.remainder);
    };
    const double most = std::max({ heightOf(m_card.before), heightOf(m_card.after), 1.0 });
    const double width = 110;
    const QRectF columns = inside.adjusted(0, 24, 0, 0);
    painter.setPen(m_theme.secondary);
    painter.setFont(Theme::textFont(13));
    const std::array<std::pair<QString, const core::CardArray *>, 2> arrays { { { words("recorded"), &m_card.before },
        { words("simulated"), &m_card.after } } };
    for (size_t i = 0; i < arrays.size(); ++i) {
        const double left = inside.left() + static_cast<double>(i) * (width + 34);
        painter.setPen(m_theme.secondary);
        painter.setFont(Theme::textFont(13));
        painter.drawText(QRectF(left, inside.top() - 2, width, 20), Qt::AlignLeft | Qt::AlignVCenter,
            u"%1 %2"_s.arg(arrays[i].first, shortTokens(arrays[i].second->sum.value())));
        paintArray(painter, { left, columns.top(), width, columns.height() }, *arrays[i].second, most);
    }
    paintLegend(painter, inside.adjusted(2 * width + 34 + 30, 24, 0, 0));
}

void CardPainter::paintArray(QPainter &painter, const QRectF &column, const core::CardArray &array, double most) const
{
    double top = column.top();
    const auto add = [&](double tokens, const QBrush &brush) {
        const double height = tokens / most * column.height();
        const QRectF part(column.left(), top, column.width(), height);
        painter.fillRect(part, brush);
        if (height >= 1) {
            painter.setPen(QPen(m_theme.base, 1));
            painter.drawLine(part.bottomLeft(), part.bottomRight());
        }
        top += height;
    };
    for (size_t i = 0; i < array.materials.size(); ++i)
        add(array.materials[i], m_theme.materials[i]);
    const double unloggedTop = top;
    for (const double beside :
        { array.sum.prelude, array.sum.unloggedWithFraming(), std::max(0.0, array.sum.remainder) })
        add(beside, QBrush(m_theme.secondary, Qt::BDiagPattern));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.hairline, 1));
    painter.drawRect(QRectF(column.left(), unloggedTop, column.width(), top - unloggedTop));
}

void CardPainter::paintLegend(QPainter &painter, const QRectF &box) const
{
    double y = box.top();
    const auto row = [&](const QBrush &brush, const QString &name, double before, double after) {
        if (std::abs(before) < 0.5 && std::abs(after) < 0.5)
            return;
        painter.fillRect(QRectF(box.left(), y + 3, 12, 12), brush);
        painter.setFont(Theme::textFont(12));
        painter.setPen(m_theme.text);
        CardPage(painter, m_theme)
            .write({ box.left() + 20, y, box.width() - 130, 18 }, Qt::AlignLeft | Qt::AlignVCenter, name);
        painter.setFont(Theme::figureFont(12));
        painter.drawText(QRectF(box.right() - 108, y, 108, 18), Qt::AlignRight | Qt::AlignVCenter,
            u"%1 → %2"_s.arg(shortTokens(before), shortTokens(after)));
        y += 22; // twelve rows have room
    };
    for (size_t i = 0; i < core::kMaterialCount; ++i)
        row(m_theme.materials[i], displayText(core::nameOf(static_cast<core::Material>(i))).replace(u'_', u' '),
            m_card.before.materials[i], m_card.after.materials[i]);
    const core::ArraySum &before = m_card.before.sum;
    const core::ArraySum &after = m_card.after.sum;
    const QBrush hatched(m_theme.secondary, Qt::BDiagPattern);
    row(hatched, words("prelude"), before.prelude, after.prelude);
    row(hatched, words("unlogged"), before.unloggedWithFraming(), after.unloggedWithFraming());
    row(Qt::NoBrush, words("logged, not sent"), -before.notSent, -after.notSent);
    const bool isMore = before.remainder > 0 || after.remainder > 0;
    row(isMore ? hatched : QBrush(Qt::NoBrush), words("remainder"), before.remainder, after.remainder);
}

// --- lanes ---------------------------------------------------------------------------------------------------------

void CardPainter::paintLanes(QPainter &painter, const QRectF &box) const
{
    const QRectF inside
        = CardPage(painter, m_theme).headed(box, words("Texts in context, from the first call to the last"));
    constexpr double kLane = 70;
    constexpr double kRow = 21;
    constexpr double kNames = 74;
    constexpr double kEndings = 150;
    double y = inside.top() + 2;
    for (const core::CardLane &lane : m_card.lanes) {
        painter.setPen(m_theme.text);
        painter.setFont(Theme::textFont(13));
        CardPage(painter, m_theme)
            .write({ inside.left(), y, inside.width(), 18 }, Qt::AlignLeft | Qt::AlignVCenter, displayText(lane.name));
        const std::array<std::tuple<QString, const core::CardLife *, QColor>, 2> lives {
            { { words("recorded"), &lane.recorded, m_theme.curve },
                { words("simulated"), &lane.simulated, m_theme.accent } }
        };
        for (size_t i = 0; i < lives.size(); ++i) {
            const auto &[name, life, colour] = lives[i];
            const double top = y + 20 + static_cast<double>(i) * kRow;
            painter.setPen(m_theme.secondary);
            painter.setFont(Theme::textFont(12));
            CardPage(painter, m_theme)
                .write({ inside.left(), top, kNames - 8, 16 }, Qt::AlignLeft | Qt::AlignVCenter, name);
            CardPage(painter, m_theme)
                .write({ inside.right() - kEndings, top, kEndings, 16 }, Qt::AlignLeft | Qt::AlignVCenter,
                    displayText(life->ending));
            paintLife(painter, { inside.left() + kNames, top + 2, inside.width() - kNames - kEndings - 12, 12 }, *life,
                colour);
        }
        y += kLane + 8;
    }
}

void CardPainter::paintLife(
    QPainter &painter, const QRectF &bar, const core::CardLife &life, const QColor &colour) const
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.hairline, 1));
    painter.drawLine(QPointF(bar.left(), bar.center().y()), QPointF(bar.right(), bar.center().y()));
    const double call = bar.width() / static_cast<double>(std::max<size_t>(1, m_card.simulated.size()));
    for (const core::CardLife::Stretch &stretch : life.stretches) {
        const QRectF piece(
            bar.left() + stretch.from * call, bar.top(), (stretch.to - stretch.from) * call, bar.height());
        painter.fillRect(piece, m_theme.base);
        switch (stretch.state) {
        case core::TraceState::Verbatim:
            painter.fillRect(piece, colour);
            continue;
        case core::TraceState::Partial:
            painter.fillRect(piece, QBrush(colour, Qt::Dense5Pattern));
            break;
        case core::TraceState::Gone:
            break;
        case core::TraceState::Unknown:
            painter.fillRect(piece, QBrush(m_theme.secondary, Qt::BDiagPattern));
            break;
        }
        painter.setPen(QPen(colour, 1));
        painter.drawRect(piece.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

// --- reach ---------------------------------------------------------------------------------------------------------

void CardPainter::paintReach(QPainter &painter, const QRectF &box) const
{
    const QRectF inside = CardPage(painter, m_theme).headed(box, words("Share of uses within the last N tokens"));
    const QRectF plot = inside.adjusted(52, 6, -6, -26);
    if (m_card.useCount == 0 || m_card.reach.empty()) {
        painter.setPen(m_theme.secondary);
        painter.setFont(Theme::textFont(13));
        painter.drawText(plot, Qt::AlignCenter, words("No later step is known to have needed an earlier text."));
        return;
    }
    CardPage(painter, m_theme).paintShares(plot);
    const double first = std::log(m_card.reach.front().first);
    const double range = std::log(m_card.reach.back().first) - first;
    const auto xOf = [&](double tokens) { return plot.left() + (std::log(tokens) - first) / range * plot.width(); };
    for (const double tokens : { 1e3, 5e3, 2e4, 8e4, 3.2e5 })
        painter.drawText(QRectF(xOf(tokens) - 30, plot.bottom() + 5, 60, 16), Qt::AlignCenter, shortTokens(tokens));
    QPolygonF curve;
    for (const auto &[tokens, share] : m_card.reach)
        curve << QPointF(xOf(tokens), plot.bottom() - share * plot.height());
    painter.setPen(QPen(m_theme.curve, 1.8));
    painter.drawPolyline(curve);
    paintKeep(painter, plot, xOf(std::clamp(m_card.keepTokens, m_card.reach.front().first, m_card.reach.back().first)));
}

void CardPainter::paintKeep(QPainter &painter, const QRectF &plot, double x) const
{
    painter.setFont(Theme::textFont(12));
    if (m_card.keepTokens <= 0) {
        painter.setPen(m_theme.secondary);
        painter.drawText(plot.adjusted(8, 4, -8, -4), Qt::AlignLeft | Qt::AlignTop,
            words("keep %1 is not a number of tokens").arg(displayText(m_card.keep)));
        return;
    }
    CardPage(painter, m_theme)
        .paintKeep(plot, x,
            words("keep %1: %2 % of %3 uses")
                .arg(displayText(m_card.keep), QString::number(m_card.keepShare * 100, 'f', 1))
                .arg(m_card.useCount));
}

// --- the table ----------------------------------------------------------------------------------------

void CardPainter::paintTable(QPainter &painter, const QRectF &box) const
{
    const QRectF inside = CardPage(painter, m_theme).headed(box, words("Recorded and simulated"));
    const double row = 22;
    // The figures from usage follow those of the recorded run and take the remaining room.
    constexpr double kMetric = 170;
    constexpr double kPolicy = 230;
    const std::array<QRectF, 2> runs { QRectF(inside.left() + kMetric, 0, inside.width() - kMetric - kPolicy, row),
        QRectF(inside.right() - kPolicy + 12, 0, kPolicy - 12, row) };
    painter.setFont(Theme::textFont(12));
    painter.setPen(m_theme.secondary);
    for (size_t run = 0; run < m_card.table.rows.size() && run < runs.size(); ++run)
        CardPage(painter, m_theme)
            .write({ runs[run].left(), inside.top() - 6, runs[run].width(), 18 }, Qt::AlignRight | Qt::AlignVCenter,
                displayText(m_card.table.rows[run].name));
    double y = inside.top() + 14;
    for (size_t column = 0; column < m_card.table.columns.size(); ++column, y += row) {
        painter.setPen(QPen(m_theme.hairline, 1));
        painter.drawLine(QPointF(inside.left(), y), QPointF(inside.right(), y));
        painter.setPen(m_theme.text);
        painter.setFont(Theme::textFont(13));
        CardPage(painter, m_theme)
            .write({ inside.left(), y, kMetric, row }, Qt::AlignLeft | Qt::AlignVCenter,
                displayText(m_card.table.columns[column]));
        for (size_t run = 0; run < m_card.table.rows.size() && run < runs.size(); ++run) {
            const core::ComparisonTable::Cell &cell = m_card.table.rows[run].cells[column];
            painter.setFont(cell.isBest ? Theme::strongFont(13) : Theme::figureFont(13));
            CardPage(painter, m_theme)
                .write(runs[run].translated(0, y), Qt::AlignRight | Qt::AlignVCenter,
                    (cell.isBest ? u"• "_s : QString()) + displayText(cell.shown));
        }
    }
}

} // namespace ui
