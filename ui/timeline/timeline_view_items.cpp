// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// What assistive technology is told of the picture.

#include "ui/timeline/timeline_view.h"

#include "ui/look/fate_word.h"

#include <algorithm>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::CompactionKind;

std::pair<TimelineView::Part, size_t> TimelineView::partOf(size_t item) const
{
    size_t number = item - m_series.columnCount();
    for (const auto &[part, count] :
        { std::pair(Part::Mark, m_series.marks().size()), std::pair(Part::Trace, m_traces.count()),
            std::pair(Part::Band, bandCount()), std::pair(Part::Comparison, compareRowCount()) }) {
        if (number < count)
            return { part, number };
        number -= count;
    }
    return { Part::Trigger, 0 };
}

int TimelineView::itemCount() const
{
    if (m_series.isEmpty())
        return 0;
    return static_cast<int>(m_series.columnCount() + m_series.marks().size() + m_traces.count() + bandCount()
        + compareRowCount() + (m_triggers.main ? 1 : 0));
}

QString TimelineView::itemName(int item) const
{
    const auto index = static_cast<size_t>(item);
    if (index < m_series.columnCount()) {
        const QString tokens = wholeNumber(m_series.tokens(index));
        return nameOf(index) + u", "_s
            + (m_series.isExact(index) ? tr("%1 tokens").arg(tokens) : tr("about %1 tokens, estimated").arg(tokens));
    }
    const auto [part, number] = partOf(index);
    switch (part) {
    case Part::Mark:
        return markName(number);
    case Part::Trace: {
        const Traced &traced = m_traces.at(number);
        const QString name = tr("trace of %1, %2").arg(traced.name, traced.verdict);
        return traced.policyVerdict.isEmpty() ? name : name + tr(", under the policy: %1").arg(traced.policyVerdict);
    }
    case Part::Band:
        return bandName(number);
    case Part::Comparison:
        return compareWords(number);
    case Part::Trigger:
        break;
    }
    return tr("trigger, %1, %2 tokens")
        .arg(displayText(m_triggers.main->measure.words()), wholeNumber(m_triggers.main->tokens));
}

QString TimelineView::markName(size_t number) const
{
    const TimelineSeries::Mark &mark = m_series.marks()[number];
    const QString name
        = tr("compaction %1, %2, after call %3").arg(number + 1).arg(compactionWord(mark.kind)).arg(mark.column);
    return mark.isSent ? name + tr(", %1 to %2 tokens").arg(wholeNumber(mark.before), wholeNumber(mark.after))
                       : name + tr(", before another");
}

QRect TimelineView::itemRect(int item) const
{
    const auto index = static_cast<size_t>(item);
    const TimelineLayout layout = layOut();
    const TimelineLayout::Plot &plot = layout.plot();
    const QRectF whole(plot.left, plot.top - kPillRow, plot.right - plot.left, plot.bottom - plot.top + kPillRow);
    if (index < m_series.columnCount()) {
        const QRectF place(
            layout.xAt(static_cast<double>(index)), plot.top, layout.columnWidth(), plot.bottom - plot.top);
        return place.intersected(whole).toAlignedRect();
    }
    const auto row = [&](double top, double height) {
        return QRectF(plot.left, top, plot.right - plot.left, height).toAlignedRect();
    };
    const auto [part, number] = partOf(index);
    switch (part) {
    case Part::Mark:
        return markRect(layout, number);
    case Part::Trace:
        return row(laneRows(layout).topOf(number), LaneRows::kBar);
    case Part::Band:
        return row(cacheRows(layout).topOf(number), CacheRows::kBand);
    case Part::Comparison:
        return row(compareRows(layout).topOf(number), CompareRows::kRow);
    case Part::Trigger:
        break;
    }
    return triggerLabel(layout).toAlignedRect();
}

QRect TimelineView::markRect(const TimelineLayout &layout, size_t number) const
{
    const double digit = QFontMetricsF(Theme::strongFont(11)).horizontalAdvance(u'0');
    for (const TimelineLayout::MarkGroup &group : layout.markGroups(digit)) {
        if (std::ranges::find(group.marks, number) != group.marks.end())
            return QRectF(group.x - group.width / 2, group.y - TimelineLayout::kMarkRadius, group.width,
                2 * TimelineLayout::kMarkRadius)
                .toAlignedRect();
    }
    return {};
}

int TimelineView::itemAt(QPoint position) const
{
    if (m_series.isEmpty())
        return -1;
    const TimelineLayout layout = layOut();
    size_t first = m_series.columnCount();
    if (const auto mark = markAt(layout, position))
        return static_cast<int>(first + *mark);
    if (triggerLabel(layout).contains(position))
        return itemCount() - 1;
    first += m_series.marks().size();
    if (const auto lane = laneAt(layout, position))
        return static_cast<int>(first + *lane);
    first += m_traces.count();
    if (const auto band = cacheRows(layout).bandAt(position.y()); band && *band < bandCount())
        return static_cast<int>(first + *band);
    first += bandCount();
    if (const size_t row = compareRows(layout).rowAt(position.y()); row < compareRowCount())
        return static_cast<int>(first + row);
    return isInPlot(layout, position) ? static_cast<int>(layout.columnAt(position.x())) : -1;
}

bool TimelineView::isItemSelected(int item) const
{
    const auto index = static_cast<size_t>(item);
    if (m_series.isEmpty())
        return false;
    if (index < m_series.columnCount())
        return index == chosenColumn();
    const auto [part, number] = partOf(index);
    return part == Part::Trace && m_traces.current() == number;
}

void TimelineView::activateItem(int item)
{
    const auto index = static_cast<size_t>(item);
    if (index < m_series.columnCount())
        return choose(index);
    const auto [part, number] = partOf(index);
    if (part == Part::Mark)
        chooseMark(number);
    else if (part == Part::Trace)
        m_traces.setCurrent(number);
    else if (part == Part::Trigger)
        setFocus(); // Shift+Up and Shift+Down move it
}

} // namespace ui
