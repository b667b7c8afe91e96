// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The accessible items of the timeline.

#include "ui/timeline/timeline_view.h"

#include "ui/timeline/cache_lane.h"
#include "ui/timeline/compaction_marks.h"
#include "ui/timeline/compare_table.h"
#include "ui/timeline/finding_marks.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/trace_rows.h"

#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

std::pair<TimelineView::Part, size_t> TimelineView::partOf(size_t item) const
{
    size_t number = item - m_content.series().columnCount();
    for (const auto &[part, count] : { std::pair(Part::Mark, m_content.series().marks().size()),
             std::pair(Part::Finding, m_content.findingTrack().count()),
             std::pair(Part::Trace, m_content.traces().count()), std::pair(Part::Band, m_content.bandCount()),
             std::pair(Part::Comparison, m_content.comparedRowCount()) }) {
        if (number < count)
            return { part, number };
        number -= count;
    }
    return { Part::Trigger, 0 };
}

int TimelineView::itemCount() const
{
    if (m_content.series().isEmpty())
        return 0;
    const size_t inStrip = m_content.series().columnCount() + m_content.series().marks().size();
    if (m_isFolded)
        return static_cast<int>(inStrip);
    return static_cast<int>(inStrip + m_content.findingTrack().count() + m_content.traces().count()
        + m_content.bandCount() + m_content.comparedRowCount() + (m_content.triggers().main ? 1 : 0));
}

QString TimelineView::itemName(int item) const
{
    const auto index = static_cast<size_t>(item);
    if (index < m_content.series().columnCount()) {
        const QString tokens = wholeNumber(m_content.series().tokens(index));
        return m_content.nameOf(index) + u", "_s
            + (m_content.series().isExact(index) ? tr("%1 tokens").arg(tokens)
                                                 : tr("about %1 tokens, estimated").arg(tokens));
    }
    const auto [part, number] = partOf(index);
    switch (part) {
    case Part::Mark:
        return CompactionMarks::nameOf(m_content, number);
    case Part::Finding:
        return FindingMarks::nameOf(m_content, number);
    case Part::Trace:
        return TraceRows(m_content, {}).nameOf(number);
    case Part::Band:
        return CacheLane(m_content).nameOf(number);
    case Part::Comparison:
        return CompareTable(m_content).nameOf(number);
    case Part::Trigger:
        break;
    }
    return tr("trigger, %1, %2 tokens")
        .arg(displayText(m_content.triggers().main->measure.words()), wholeNumber(m_content.triggers().main->tokens));
}

QRect TimelineView::itemRect(int item) const
{
    const auto index = static_cast<size_t>(item);
    const TimelineLayout layout = layOut();
    const TimelineLayout::Plot &plot = layout.plot();
    const double above = plot.top - plot.findingRow - TimelineMetrics::kPillRow;
    const QRectF whole(plot.left, above, plot.right - plot.left, plot.bottom - above);
    if (index < m_content.series().columnCount()) {
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
        return CompactionMarks(m_content, layout).rectOf(number);
    case Part::Finding:
        return FindingMarks(m_content, layout).rectOf(number);
    case Part::Trace:
        return row(places(layout).traces.topOf(number), LaneRows::kBar);
    case Part::Band:
        return row(places(layout).cache.topOf(number), CacheRows::kBand);
    case Part::Comparison:
        return row(places(layout).compared.topOf(number), CompareRows::kRow);
    case Part::Trigger:
        break;
    }
    return TriggerLine(m_content, layout).label().toAlignedRect();
}

int TimelineView::itemAt(QPoint position) const
{
    if (m_content.series().isEmpty())
        return -1;
    const TimelineLayout layout = layOut();
    size_t first = m_content.series().columnCount();
    if (const auto mark = CompactionMarks(m_content, layout).at(position))
        return static_cast<int>(first + *mark);
    if (!m_isFolded && TriggerLine(m_content, layout).label().contains(position))
        return itemCount() - 1;
    first += m_content.series().marks().size();
    if (const auto findings = findingsAt(layout, position))
        return static_cast<int>(first + findings->first);
    first += m_content.findingTrack().count();
    if (const auto lane = traceAt(layout, position))
        return static_cast<int>(first + *lane);
    first += m_content.traces().count();
    if (const auto band = places(layout).cache.bandAt(position.y()); band && *band < m_content.bandCount())
        return static_cast<int>(first + *band);
    first += m_content.bandCount();
    if (const size_t row = places(layout).compared.rowAt(position.y()); row < m_content.comparedRowCount())
        return static_cast<int>(first + row);
    return isInPlot(layout, position) ? static_cast<int>(layout.columnAt(position.x())) : -1;
}

bool TimelineView::isItemSelected(int item) const
{
    const auto index = static_cast<size_t>(item);
    if (m_content.series().isEmpty())
        return false;
    if (index < m_content.series().columnCount())
        return index == m_content.chosenColumn();
    const auto [part, number] = partOf(index);
    return part == Part::Trace && m_content.traces().current() == number;
}

void TimelineView::activateItem(int item)
{
    const auto index = static_cast<size_t>(item);
    if (index < m_content.series().columnCount())
        return m_content.choose(index);
    const auto [part, number] = partOf(index);
    if (part == Part::Mark)
        m_content.chooseMark(number);
    else if (part == Part::Finding)
        m_content.chooseFindings({ .first = number, .end = number + 1 });
    else if (part == Part::Trace)
        m_content.traces().setCurrent(number);
    else if (part == Part::Trigger)
        setFocus(); // Shift+Up and Shift+Down move it
}

} // namespace ui
