// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Policies that are compared with the chosen one: their curves, and a table of what each comes to.

#include "ui/hub/run_figures.h"
#include "ui/timeline/timeline_view.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kKey = 30; ///< of the gutter: a piece of the line
constexpr double kKeyGap = 8;
constexpr double kColumnGap = 14;
constexpr double kWidestName = 0.3; ///< of the room

} // namespace

void TimelineView::takeComparisons()
{
    m_comparedCurves.clear();
    ++m_curvesChanged;
    for (size_t i = 0; i < m_comparisons.count(); ++i) {
        const core::PolicyFiguresPtr &figures = m_comparisons.at(i).figures;
        const bool isOfThis = figures && figures->replay->ground->log.session == m_session
            && figures->replay->steps.size() == m_series.columnCount();
        m_comparedCurves.push_back(isOfThis ? PolicyCurve(*figures->replay) : PolicyCurve());
    }
    noteLanes();
}

size_t TimelineView::compareRowCount() const
{
    if (m_comparisons.count() == 0 || m_series.isEmpty())
        return 0;
    return 1 + (m_state.workspace().plan().isSimulated() ? 1 : 0) + m_comparisons.count();
}

CompareRows TimelineView::compareRows(const TimelineLayout &layout) const
{
    const CacheRows above = cacheRows(layout);
    return { above.top + CacheRows::heightOf(above.bands), compareRowCount() };
}

std::vector<TimelineView::CompareRow> TimelineView::compareTable() const
{
    std::vector<CompareRow> table;
    if (compareRowCount() == 0)
        return table;
    const Theme &theme = m_state.theme();
    const RunFigures &figures = m_state.workspace().figures();
    const TimelineSeries::Measure all = m_series.measure(0, std::max<size_t>(1, m_series.callCount()) - 1);
    CompareRow recorded { tr("As Recorded"), QPen(theme.curve, 1.2), {} };
    if (const core::RecordedFiguresPtr &run = figures.recorded())
        recorded.totals = recordedTotals(*run, all.compactions);
    table.push_back(std::move(recorded));
    const Plan &plan = m_state.workspace().plan();
    if (plan.isSimulated()) {
        CompareRow chosen { plan.policy ? displayText(plan.policy->name) : tr("what you pinned and dropped"),
            QPen(theme.accent, 2), {} };
        if (figures.policy() && figures.policy()->replay == m_replay)
            chosen.totals = policyTotals(*figures.policy());
        table.push_back(std::move(chosen));
    }
    for (size_t i = 0; i < m_comparisons.count(); ++i) {
        const ComparedPolicy &compared = m_comparisons.at(i);
        CompareRow row { displayText(compared.policy->name), comparedPen(theme, i), {} };
        if (!m_comparedCurves[i].isEmpty())
            row.totals = policyTotals(*compared.figures);
        table.push_back(std::move(row));
    }
    return table;
}

void TimelineView::paintComparedCurves(QPainter &painter, const TimelineLayout &layout) const
{
    for (size_t i = 0; i < m_comparedCurves.size(); ++i) {
        if (!m_comparedCurves[i].isEmpty())
            paintComparedCurve(painter, layout, m_comparedCurves[i], comparedPen(m_state.theme(), i));
    }
}

void TimelineView::paintCompareTable(QPainter &painter, const TimelineLayout &layout) const
{
    const std::vector<CompareRow> table = compareTable();
    if (table.empty())
        return;
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const CompareRows rows = compareRows(layout);
    const QFontMetricsF words(Theme::textFont(11));
    double name = 0;
    std::vector<double> widths;
    for (const CompareRow &row : table) {
        name = std::max(name, words.horizontalAdvance(row.name) + 2);
        widths.resize(std::max(widths.size(), static_cast<size_t>(row.totals.size())));
        for (qsizetype i = 0; i < row.totals.size(); ++i)
            widths[static_cast<size_t>(i)]
                = std::max(widths[static_cast<size_t>(i)], words.horizontalAdvance(row.totals[i]) + 2);
    }
    name = std::min(name, (plot.right - plot.left) * kWidestName);
    for (size_t i = 0; i < table.size(); ++i) {
        const CompareRow &row = table[i];
        const double top = rows.topOf(i);
        painter.setPen(row.pen);
        const double y = std::floor(top + CompareRows::kRow / 2) + 0.5;
        painter.drawLine(QPointF(plot.left - kKeyGap - kKey, y), QPointF(plot.left - kKeyGap, y));
        painter.setFont(Theme::textFont(11));
        painter.setPen(theme.text);
        painter.drawText(QRectF(plot.left, top, name, CompareRows::kRow), Qt::AlignLeft | Qt::AlignVCenter,
            words.elidedText(row.name, Qt::ElideRight, name));
        painter.setPen(theme.secondary);
        double left = plot.left + name + kColumnGap;
        if (row.totals.isEmpty())
            painter.drawText(QRectF(left, top, plot.right - left, CompareRows::kRow), Qt::AlignLeft | Qt::AlignVCenter,
                tr("being replayed"));
        for (qsizetype column = 0; column < row.totals.size(); ++column) {
            const double width = widths[static_cast<size_t>(column)];
            if (left + width > plot.right)
                break; // what matters less stands further right
            painter.drawText(
                QRectF(left, top, width, CompareRows::kRow), Qt::AlignRight | Qt::AlignVCenter, row.totals[column]);
            left += width + kColumnGap;
        }
    }
}

QString TimelineView::compareWords(size_t row) const
{
    const std::vector<CompareRow> table = compareTable();
    if (row >= table.size())
        return {};
    QStringList words { table[row].name };
    for (const QString &total : table[row].totals) {
        if (!total.isEmpty())
            words << total;
    }
    return words.join(u", "_s);
}

} // namespace ui
