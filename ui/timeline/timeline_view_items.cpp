// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The accessible items of the timeline.

#include "ui/timeline/timeline_view.h"

#include "ui/timeline/bookmark_marks.h"
#include "ui/timeline/cache_lane.h"
#include "ui/timeline/compaction_marks.h"
#include "ui/timeline/compare_table.h"
#include "ui/timeline/finding_marks.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/trace_rows.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

std::pair<TimelineView::Part, size_t> TimelineView::partOf(size_t item) const
{
    size_t number = item - m_content.series().columnCount();
    for (const auto &[part, count] : { std::pair(Part::Mark, m_content.series().marks().size()),
             std::pair(Part::Finding, m_content.findingTrack().count()),
             std::pair(Part::Trace, m_content.traces().count()), std::pair(Part::Band, m_content.bandCount()),
             std::pair(Part::Comparison, m_content.comparedRowCount()),
             std::pair(Part::Bookmark, m_content.bookmarks().size()) }) {
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
        + m_content.bandCount() + m_content.comparedRowCount() + m_content.bookmarks().size()
        + (m_content.triggers().main ? 1 : 0));
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
    case Part::Bookmark:
        return tr("%1, at %2")
            .arg(BookmarkMarks(m_content, layOut()).tip(number).replace(u'\n', u", "_s),
                m_content.nameOf(m_content.bookmarks()[number].column));
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
    case Part::Bookmark:
        return BookmarkMarks(m_content, layout).placeOf(number).toAlignedRect();
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
    first += m_content.comparedRowCount();
    if (const auto bookmark = m_isFolded ? std::nullopt : BookmarkMarks(m_content, layout).at(position))
        return static_cast<int>(first + *bookmark);
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
    else if (part == Part::Bookmark)
        m_content.state().goTo(m_content.bookmarks()[number].block);
}

int TimelineView::currentItem() const
{
    const size_t columns = m_content.series().columnCount();
    if (columns == 0)
        return -1;
    if (m_trigger.isRunning() && !m_isFolded && m_content.triggers().main)
        return itemCount() - 1;
    const auto trace = m_content.traces().current();
    if (m_isOnTrace && trace && !m_isFolded)
        return static_cast<int>(
            columns + m_content.series().marks().size() + m_content.findingTrack().count() + *trace);
    return static_cast<int>(m_content.chosenColumn());
}

std::vector<int> TimelineView::itemsInSight() const
{
    std::vector<int> items;
    const size_t columns = m_content.series().columnCount();
    if (columns == 0)
        return items;
    // Of calls that are too narrow to be told apart, the one with the largest array stands for all; the chosen one is
    // always there.
    constexpr double kNarrow = 3;
    const auto end = std::min(columns, static_cast<size_t>(std::ceil(std::max(0.0, m_range.to))));
    const auto step = static_cast<size_t>(std::max(1.0, std::ceil(kNarrow / std::max(1e-9, layOut().columnWidth()))));
    const size_t chosen = m_content.chosenColumn();
    for (auto first = static_cast<size_t>(std::max(0.0, m_range.from)); first < end; first += step)
        items.push_back(static_cast<int>(m_content.series().highestIn(first, std::min(first + step, end))));
    const auto place = std::ranges::lower_bound(items, static_cast<int>(chosen));
    if (place == items.end() || *place != static_cast<int>(chosen))
        items.insert(place, static_cast<int>(chosen));
    for (int rest = static_cast<int>(columns); rest < itemCount(); ++rest)
        items.push_back(rest);
    return items;
}

QString TimelineView::tipOfColumn(size_t column) const
{
    const TimelineLayout layout = layOut();
    const LanePlaces lanes = places(layout);
    QStringList tips { itemName(static_cast<int>(column)) };
    if (m_content.replay())
        tips << policyWords() << words().basisWords();
    if (m_isFolded)
        return tips.join(u'\n');
    if (const auto findings
        = findingsAt(layout, QPointF(layout.xOf(column), layout.plot().top - layout.plot().findingRow / 2)))
        tips << FindingMarks(m_content, layout).tip(*findings);
    for (size_t band = 0; band < m_content.bandCount(); ++band)
        tips << CacheLane(m_content).tip(band, column);
    const TraceRows traces(m_content, lanes.traces);
    for (size_t trace = 0; trace < m_content.traces().count(); ++trace)
        tips << traces.tip(trace, column, false);
    tips.removeAll(QString());
    return tips.join(u'\n');
}

QString TimelineView::itemTip(int item) const
{
    const auto index = static_cast<size_t>(item);
    if (index < m_content.series().columnCount())
        return tipOfColumn(index);
    const auto [part, number] = partOf(index);
    const TimelineLayout layout = layOut();
    const size_t chosen = m_content.chosenColumn();
    switch (part) {
    case Part::Trace: {
        const TraceRows traces(m_content, places(layout).traces);
        const QString recorded = traces.tip(number, chosen, false);
        return m_content.traces().at(number).policyLife ? recorded + u'\n' + traces.tip(number, chosen, true)
                                                        : recorded;
    }
    case Part::Band:
        return CacheLane(m_content).tip(number, chosen);
    case Part::Trigger:
        return TriggerLine(m_content, layout).tip();
    case Part::Finding:
        return FindingMarks(m_content, layout).tip({ .first = number, .end = number + 1 });
    case Part::Mark:
    case Part::Comparison:
    case Part::Bookmark:
        break;
    }
    return itemName(item);
}

std::optional<PaintedItems::Value> TimelineView::itemValue(int item) const
{
    const auto index = static_cast<size_t>(item);
    const bool isTrigger
        = index >= m_content.series().columnCount() && !m_isFolded && partOf(index).first == Part::Trigger;
    if (!isTrigger || !isTriggerMovable() || !m_content.triggers().main)
        return std::nullopt;
    const double now = m_content.triggers().main->tokens;
    return Value { now, 1, std::max({ now, topTokens(), m_content.windowTokens() }), m_trigger.stepSize(layOut()) };
}

void TimelineView::setItemValue(int, double value) { m_trigger.moveTo(layOut(), value); }

} // namespace ui
