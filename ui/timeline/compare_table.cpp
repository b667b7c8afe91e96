// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/compare_table.h"

#include "ui/hub/run_figures.h"
#include "ui/look/shaped_words.h"

#include <QPainter>

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kKey = 30; ///< piece of the line, in the gutter
constexpr double kKeyGap = 8;
constexpr double kColumnGap = 14;
constexpr double kWidestName = 0.3; ///< share of the room

} // namespace

CompareTable::CompareTable(const TimelineContent &content)
    : m_content(content)
{
    if (content.comparedRowCount() == 0)
        return;
    const Theme &theme = content.theme();
    const RunFigures &figures = content.state().workspace().figures();
    Row recorded { tr("As Recorded"), QPen(theme.curve, 1.2), {} };
    if (const core::RecordedFiguresPtr &run = figures.recorded())
        recorded.totals = recordedTotals(*run);
    m_rows.push_back(std::move(recorded));
    const Plan &plan = content.plan();
    if (plan.isSimulated()) {
        Row chosen { plan.policy ? displayText(core::shownName(*plan.policy)) : tr("your changes"),
            QPen(theme.accent, 2), {} };
        if (figures.policy() && figures.policy()->replay == content.replay())
            chosen.totals = policyTotals(*figures.policy());
        m_rows.push_back(std::move(chosen));
    }
    for (size_t i = 0; i < content.comparisons().count(); ++i) {
        const ComparedPolicy &compared = content.comparisons().at(i);
        Row row { displayText(core::shownName(*compared.policy)), comparedPen(theme, i), {} };
        if (!content.comparedCurves()[i].isEmpty())
            row.totals = policyTotals(*compared.figures);
        m_rows.push_back(std::move(row));
    }
}

void CompareTable::paint(QPainter &painter, const TimelineLayout &layout, const CompareRows &places) const
{
    const TimelineLayout::Plot &plot = layout.plot();
    const QFontMetricsF words(Theme::textFont(11));
    double nameWidth = 0;
    std::vector<double> widths;
    for (const Row &row : m_rows) {
        nameWidth = std::max(nameWidth, words.horizontalAdvance(row.name) + 2);
        widths.resize(std::max(widths.size(), static_cast<size_t>(row.totals.size())));
        for (size_t i = 0; i < static_cast<size_t>(row.totals.size()); ++i)
            widths[i] = std::max(widths[i], words.horizontalAdvance(row.totals[static_cast<qsizetype>(i)]) + 2);
    }
    nameWidth = std::min(nameWidth, (plot.right - plot.left) * kWidestName);
    for (size_t i = 0; i < m_rows.size(); ++i)
        paintRow(painter, plot, m_rows[i], places.topOf(i), nameWidth, widths);
}

void CompareTable::paintRow(QPainter &painter, const TimelineLayout::Plot &plot, const Row &row, double top,
    double nameWidth, const std::vector<double> &widths) const
{
    const Theme &theme = m_content.theme();
    const auto place = [top](double left, double width) { return QRectF(left, top, width, CompareRows::kRow); };
    painter.setPen(row.pen);
    const double y = crisp(top + CompareRows::kRow / 2);
    painter.drawLine(QPointF(plot.left - kKeyGap - kKey, y), QPointF(plot.left - kKeyGap, y));
    painter.setFont(Theme::textFont(11));
    painter.setPen(theme.text);
    drawWords(painter, place(plot.left, nameWidth), Qt::AlignLeft | Qt::AlignVCenter,
        QFontMetricsF(painter.font()).elidedText(row.name, Qt::ElideRight, nameWidth));
    painter.setPen(theme.secondary);
    double left = plot.left + nameWidth + kColumnGap;
    if (row.totals.isEmpty())
        drawWords(painter, place(left, plot.right - left), Qt::AlignLeft | Qt::AlignVCenter, tr("being replayed"));
    for (size_t i = 0; i < static_cast<size_t>(row.totals.size()); ++i) {
        if (left + widths[i] > plot.right)
            break; // the less important totals are further right
        drawWords(
            painter, place(left, widths[i]), Qt::AlignRight | Qt::AlignVCenter, row.totals[static_cast<qsizetype>(i)]);
        left += widths[i] + kColumnGap;
    }
}

QString CompareTable::nameOf(size_t row) const
{
    if (row >= m_rows.size())
        return {};
    QStringList words { m_rows[row].name };
    for (const QString &total : m_rows[row].totals) {
        if (!total.isEmpty())
            words << total;
    }
    return words.join(u", "_s);
}

} // namespace ui
