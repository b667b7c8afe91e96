// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_view.h"

#include "ui/hub/bookmarks.h"
#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/timeline/axes_painter.h"
#include "ui/timeline/bookmark_marks.h"
#include "ui/timeline/cache_lane.h"
#include "ui/timeline/compaction_marks.h"
#include "ui/timeline/compare_table.h"
#include "ui/timeline/finding_marks.h"
#include "ui/timeline/policy_curve_painter.h"
#include "ui/timeline/recorded_curve_painter.h"
#include "ui/timeline/selection_painter.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/trace_rows.h"

#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

TimelineView::TimelineView(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_content(state)
{
    setObjectName(u"timeline"_s);
    setAccessibleName(tr("Timeline: context at every call"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    Workspace &workspace = state.workspace();
    connect(&state, &ViewState::pictureChanged, this, &TimelineView::rebuild);
    connect(&state, &ViewState::themeChanged, this, [this] {
        ++m_curveVersion;
        ++m_bandVersion;
        update();
    });
    // The picture of a plan may come later; the line follows at once.
    connect(&workspace, &Workspace::planChanged, this, &TimelineView::updateTriggers);
    connect(&m_content.traces(), &Traces::changed, this, &TimelineView::updateLanes);
    connect(&workspace.replays(), &Replays::changed, this, &TimelineView::updateReplay);
    connect(&workspace.figures(), &RunFigures::recordedChanged, this, &TimelineView::updateFigures);
    connect(&workspace.figures(), &RunFigures::policyChanged, this, &TimelineView::updateFigures);
    connect(&m_content.comparisons(), &Comparisons::changed, this, &TimelineView::updateComparisons);
    connect(&workspace.findings(), &SessionFindings::changed, this, &TimelineView::updateFindings);
    connect(&workspace.bookmarks(), &Bookmarks::changed, this, &TimelineView::updateBookmarks);
    rebuild();
}

// --- content --------------------------------------------------------------------------------------------------------

void TimelineView::rebuild()
{
    using Change = TimelineContent::Change;
    const Change change = m_content.readSession();
    const size_t columns = m_content.series().columnCount();
    if (change != Change::None) {
        const bool isOtherThread = change == Change::OtherThread;
        ++m_curveVersion;
        m_trigger.forgetTop();
        if (isOtherThread || m_range.to > static_cast<double>(columns))
            m_isFitted = true;
        if (m_isFitted)
            m_range = TimelineRange::all(columns);
        if (m_hovered && *m_hovered >= columns)
            m_hovered.reset();
        if (m_measured && (isOtherThread || std::max(m_measured->first, m_measured->second) >= columns))
            m_measured.reset();
        updateTriggers();
        updateReplay();
        updateFigures();
        updateComparisons();
        updateFindings();
        updateBookmarks();
    }
    const TimelineRange before = m_range;
    const size_t chosen = m_content.chosenColumn();
    // A session that grows does not move a view that looks elsewhere.
    const bool stays = m_content.state().workspace().isGrown() && chosen == m_shownColumn;
    if (!m_content.isEmpty() && m_drag == Drag::None && !stays)
        m_range = m_range.revealing(chosen, columns);
    // A new plan's picture changes nothing here: its replay and figures arrive separately.
    const bool isSameColumn = std::exchange(m_shownColumn, chosen) == chosen;
    if (change != Change::None || !isSameColumn || m_range != before)
        update();
    if (!isSameColumn)
        tellCurrentItem(*this);
}

void TimelineView::updateReplay()
{
    m_content.readReplay();
    ++m_curveVersion;
    updateLanes();
}

void TimelineView::updateFigures()
{
    m_content.readFigures();
    ++m_bandVersion;
    updateLanes();
}

void TimelineView::updateComparisons()
{
    m_content.readComparisons();
    ++m_curveVersion;
    updateLanes();
}

void TimelineView::updateFindings()
{
    m_content.readFindings();
    update();
}

void TimelineView::updateBookmarks()
{
    m_content.readBookmarks();
    update();
}

void TimelineView::updateTriggers()
{
    const QRegion before = triggerRegion();
    m_content.readTriggers();
    updateLanesHeight();
    if (!m_isFolded && m_content.triggers().main && !m_content.isEmpty())
        tellItemValue(*this, itemCount() - 1);
    // While a setting is dragged little more than the line moves.
    QString shown = planWords();
    if (std::exchange(m_planWords, shown) == shown && !m_content.isEmpty())
        update(before + triggerRegion());
    else
        update();
}

void TimelineView::setShowsCache(bool shows)
{
    if (shows == showsCache())
        return;
    m_content.setShowsCache(shows);
    updateLanes();
}

void TimelineView::setShowsCompareTable(bool shows)
{
    if (shows == m_content.showsCompareTable())
        return;
    m_content.setShowsCompareTable(shows);
    updateLanes();
}

void TimelineView::updateLanes()
{
    update();
    updateLanesHeight();
}

void TimelineView::updateLanesHeight()
{
    if (std::exchange(m_lanesHeight, lanesHeight()) == lanesHeight())
        return;
    updateGeometry();
    Q_EMIT lanesHeightChanged();
}

QString TimelineView::planWords() const
{
    if (!m_content.session() || m_content.isEmpty())
        return {};
    const Plan &plan = m_content.plan();
    const QStringList parts { plan.policy ? displayText(plan.policy->name) : QString(),
        plan.isSimulated() ? u"simulated"_s : QString(), words().basisWords().join(u'\n') };
    return parts.join(u'\n');
}

TimelineWords TimelineView::words() const
{
    return { m_content, topTokens(), m_hovered.value_or(m_content.chosenColumn()),
        m_hovered ? std::nullopt : measured() };
}

// --- range ----------------------------------------------------------------------------------------------------------

void TimelineView::setRange(TimelineRange range)
{
    m_range = range;
    m_isFitted = m_range == TimelineRange::all(m_content.series().columnCount());
    update();
}

void TimelineView::zoomAt(double factor, double x)
{
    if (m_content.isEmpty())
        return;
    const double anchor = std::clamp(layOut().placeAt(x), m_range.from, m_range.to);
    setRange(m_range.zoomed(factor, anchor, m_content.series().columnCount()));
}

void TimelineView::fit() { setRange(TimelineRange::all(m_content.series().columnCount())); }

void TimelineView::centre()
{
    if (m_content.isEmpty())
        return;
    const size_t columns = m_content.series().columnCount();
    const TimelineRange before = m_range;
    if (m_measured) {
        const auto [first, last] = std::minmax(m_measured->first, m_measured->second);
        const double width = static_cast<double>(last - first) + 1;
        const TimelineRange wanted { static_cast<double>(first), static_cast<double>(last) + 1 };
        // Never narrower than zooming allows.
        setRange(wanted.zoomed(std::min(1.0, width / TimelineRange::kNarrowest), wanted.from + width / 2, columns));
    } else {
        const double middle = static_cast<double>(m_content.chosenColumn()) + 0.5;
        setRange(m_range.moved(middle - (m_range.from + m_range.to) / 2, columns));
    }
    if (before == m_range)
        fit();
}

std::optional<TimelineSeries::Measure> TimelineView::measured() const
{
    return m_measured ? std::optional(m_content.series().measure(m_measured->first, m_measured->second)) : std::nullopt;
}

void TimelineView::clearMeasured()
{
    m_measured.reset();
    update();
}

// --- layout ---------------------------------------------------------------------------------------------------------

void TimelineView::setFolded(bool isFolded)
{
    if (std::exchange(m_isFolded, isFolded) == isFolded)
        return;
    ++m_curveVersion;
    m_measured.reset();
    setMaximumHeight(isFolded ? TimelineMetrics::kFolded : QWIDGETSIZE_MAX);
    updateLanes();
    updateGeometry();
}

QRect TimelineView::foldMark() const
{
    using M = TimelineMetrics;
    return { M::kMargin - 4, 4, M::kFoldMark + 4, M::kTitle - 4 };
}

TimelineLayout TimelineView::layOut(QSize size) const
{
    using M = TimelineMetrics;
    const double findingRow = m_isFolded ? 0 : M::kFindingRow;
    const TimelineLayout::Plot plot { M::kMargin + M::kGutter, static_cast<double>(size.width()) - M::kMargin,
        findingRow + (m_isFolded ? 2 : M::kTitle) + M::kPillRow, plotBottom(size), findingRow };
    return { m_content.series(), m_range, plot, topTokens() };
}

double TimelineView::plotBottom(QSize size) const
{
    constexpr int kFoldedMargin = 4;
    return size.height() - (m_isFolded ? kFoldedMargin : TimelineMetrics::kAxis + lanesHeight());
}

LanePlaces TimelineView::places(const TimelineLayout &layout) const
{
    const double bottom = layout.plot().bottom;
    if (m_isFolded)
        return { .cache = { bottom, 0 }, .compared = { bottom, 0 }, .traces = { bottom, 0, false } };
    return LanePlaces::below(bottom, m_content);
}

// --- painting -------------------------------------------------------------------------------------------------------

void TimelineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    // The ground of a measured range is below the curves' layers.
    if (m_content.isEmpty() || m_measured)
        return paint(painter, rect());
    paintFromLayers(painter, event->rect());
}

/// Curves and bands seldom change, but the pointer moves all the time: they are painted from pixmaps.
void TimelineView::paintFromLayers(QPainter &painter, const QRect &dirty)
{
    const TimelineLayout layout = layOut();
    const QColor &ground = m_content.theme().base;
    const double bottom = plotBottom(size());
    const double window = m_content.windowTokens();
    const LayerKey key { m_range, m_curveVersion, bottom, window, layout.highest(),
        TriggerLine(m_content, layout).coveredActs() };
    m_curveLayer.draw(painter, rect(), key, ground, [&](QPainter &drawing) {
        drawing.setRenderHint(QPainter::TextAntialiasing);
        paintCurves(drawing, layout);
    });
    const CacheRows rows = places(layout).cache;
    const auto top = static_cast<int>(rows.top);
    const QRect lane(0, top, width(), static_cast<int>(std::ceil(rows.wordsTop())) - top);
    if (rows.bands > 0 && lane.intersects(dirty))
        m_bandLayer.draw(painter, lane, { m_range, m_bandVersion, bottom, window, 0, {} }, ground,
            [&](QPainter &drawing) { CacheLane(m_content).paintBands(drawing, layout, rows); });
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintOverCurves(painter, layout, size(), dirty);
}

void TimelineView::paint(QPainter &painter, const QRect &rect) const
{
    painter.fillRect(rect, m_content.theme().base);
    if (m_content.isEmpty())
        return;
    painter.save();
    painter.translate(rect.topLeft());
    painter.setRenderHint(QPainter::TextAntialiasing);
    const TimelineLayout layout = layOut(rect.size());
    if (m_measured)
        SelectionPainter(painter, m_content, layout).paintMeasured(*m_measured);
    paintCurves(painter, layout);
    CacheLane(m_content).paintBands(painter, layout, places(layout).cache);
    paintOverCurves(painter, layout, rect.size(), QRect(QPoint(), rect.size()));
    painter.restore();
}

void TimelineView::paintCurves(QPainter &painter, const TimelineLayout &layout) const
{
    const AxesPainter axes(painter, m_content, layout);
    if (!m_isFolded)
        axes.paintAxes();
    RecordedCurvePainter(painter, m_content, layout).paint();
    const PolicyCurvePainter policy(painter, layout, m_content.policyCurve(), m_content.theme());
    policy.paintCounterfactual();
    for (size_t i = 0; i < m_content.comparedCurves().size(); ++i) {
        if (const PolicyCurve &curve = m_content.comparedCurves()[i]; !curve.isEmpty())
            paintComparedCurve(painter, layout, curve, comparedPen(m_content.theme(), i));
    }
    policy.paintLine();
    if (m_isFolded)
        return;
    policy.paintWaits();
    policy.paintActs(TriggerLine(m_content, layout).coveredActs());
    axes.paintWindow();
}

void TimelineView::paintOverCurves(
    QPainter &painter, const TimelineLayout &layout, QSize size, const QRect &dirty) const
{
    paintFoldMark(painter);
    const SelectionPainter selection(painter, m_content, layout);
    const auto paintCalls = [&] {
        if (m_hovered && *m_hovered != m_content.chosenColumn())
            selection.paintHovered(*m_hovered);
        selection.paintChosen();
    };
    if (m_isFolded) {
        paintCalls();
        return CompactionMarks(m_content, layout).paint(painter);
    }
    if (dirty.top() < TimelineMetrics::kTitle)
        words().paint(painter, size.width());
    const TriggerLine trigger(m_content, layout);
    trigger.paintLines(painter);
    FindingMarks(m_content, layout).paint(painter);
    BookmarkMarks(m_content, layout).paint(painter);
    paintCalls();
    PolicyCurvePainter(painter, layout, m_content.policyCurve(), m_content.theme())
        .paintCounterfactualLabel(trigger.label());
    CompactionMarks(m_content, layout).paint(painter);
    trigger.paintLabel(painter, m_drag == Drag::Trigger);
    const LanePlaces lanes = places(layout);
    if (dirty.bottom() < lanes.cache.top - 4) // the labels of the bands begin a little higher than the bands
        return;
    CacheLane(m_content).paint(painter, layout, lanes.cache);
    CompareTable(m_content).paint(painter, layout, lanes.compared);
    TraceRows(m_content, lanes.traces).paint(painter, layout);
}

void TimelineView::paintFoldMark(QPainter &painter) const
{
    const QPointF middle = QRectF(foldMark()).center();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_content.theme().secondary, 1.5));
    painter.translate(middle);
    if (m_isFolded)
        painter.rotate(-90);
    const std::array<QPointF, 3> mark { QPointF(-4, -2), QPointF(0, 2), QPointF(4, -2) };
    painter.drawPolyline(mark.data(), static_cast<int>(mark.size()));
    painter.restore();
}

} // namespace ui
