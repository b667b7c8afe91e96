// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/timeline_view.h"

#include "ui/hub/replays.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/look/call_time.h"
#include "ui/timeline/policy_curve_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::CompactionKind;

namespace {

constexpr int kGutter = 54; ///< where the values stand
constexpr int kTurnRow = 15;
constexpr int kCallRow = 16;
constexpr int kPillHeight = 17;
constexpr double kValueSpacing = 26;
constexpr double kLeastValueSpacing = 16; ///< in a low plot, so that it has more than the tick of nothing
constexpr double kCallSpacing = 64;
constexpr double kWindowLabel = 30; ///< height of the window's two words in the gutter, above its line
constexpr double kDotsFrom = 12;    ///< width of a column from which each call gets a dot
constexpr size_t kFineFrom = 500;   ///< calls in sight from which the line is one pixel, which is much cheaper

QFont smallFont() { return Theme::textFont(11); }
QFont smallFigures() { return Theme::figureFont(11); }

} // namespace

TimelineView::TimelineView(ViewState &state, QWidget *parent)
    : QWidget(parent)
    , m_state(state)
    , m_traces(state.workspace().facts().traces())
    , m_comparisons(state.workspace().comparisons())
{
    setObjectName(u"timeline"_s);
    setAccessibleName(tr("Timeline: context at every call"));
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    connect(&state, &ViewState::pictureChanged, this, &TimelineView::rebuild);
    connect(&state, &ViewState::themeChanged, this, [this] {
        ++m_curvesChanged;
        ++m_bandsChanged;
        update();
    });
    // The picture of a plan may come later; the line follows at once.
    connect(&state.workspace(), &Workspace::planChanged, this, &TimelineView::takeTriggers);
    connect(&m_traces, &Traces::changed, this, &TimelineView::takeTraces);
    connect(&state.workspace().replays(), &Replays::changed, this, &TimelineView::takeReplay);
    connect(&state.workspace().figures(), &RunFigures::recordedChanged, this, &TimelineView::takeFigures);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &TimelineView::takeFigures);
    connect(&m_comparisons, &Comparisons::changed, this, &TimelineView::takeComparisons);
    rebuild();
}

void TimelineView::rebuild()
{
    const core::SessionPtr &session = m_state.session();
    const core::BlockTokensPtr &tokens = m_state.workspace().tokens();
    const core::ThreadIndex thread = m_state.position().thread;
    const bool isSame = session == m_session && tokens == m_tokens && thread == m_thread;
    if (!isSame) {
        const bool isOtherThread = thread != m_thread;
        ++m_curvesChanged;
        m_session = session;
        m_tokens = tokens;
        m_thread = thread;
        m_series = {};
        m_heldTop.reset();
        m_spansDays = false;
        if (session && tokens && thread.index() < session->threads.size()) {
            const core::Thread &shown = session->thread(thread);
            m_series = TimelineSeries(
                core::contextCurve(*session, thread, *tokens), shown.compactions, core::outlineOf(*session, thread));
            m_spansDays = spansDays(shown);
        }
        const size_t columns = m_series.columnCount();
        if (isOtherThread || m_range.to > static_cast<double>(columns))
            m_isFitted = true;
        if (m_isFitted)
            m_range = TimelineRange::all(columns);
        if (m_hovered && *m_hovered >= columns)
            m_hovered.reset();
        if (m_measured && (isOtherThread || std::max(m_measured->first, m_measured->second) >= columns))
            m_measured.reset();
        takeTriggers();
        takeReplay();
        takeFigures();
        takeComparisons();
    }
    const TimelineRange before = m_range;
    if (!m_series.isEmpty() && m_drag == Drag::None)
        m_range = m_range.revealing(chosenColumn(), m_series.columnCount());
    // The picture of another plan changes nothing here: its replay and its figures come by themselves.
    const bool isSameColumn = std::exchange(m_shownColumn, chosenColumn()) == chosenColumn();
    if (!isSame || !isSameColumn || m_range != before)
        update();
}

void TimelineView::takeReplay()
{
    const core::ReplayPtr &replay = m_state.workspace().replays().current();
    const bool isOfThis = replay && replay->ground->log.session == m_session && replay->ground->log.thread == m_thread
        && replay->steps.size() == m_series.columnCount();
    m_replay = isOfThis ? replay : nullptr;
    m_policyCurve = m_replay ? PolicyCurve(*m_replay) : PolicyCurve();
    m_policyPrompts = m_replay ? core::promptSums(*m_replay) : core::PromptSums();
    ++m_curvesChanged;
    noteLanes();
}

void TimelineView::takeTriggers()
{
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    const QRegion before = triggerRegion();
    m_triggers = policy && m_session ? TriggerLevels::of(*policy, policy->windowOf(*m_session)) : TriggerLevels();
    noteLanesHeight();
    // While a setting is dragged little more than the line moves.
    QString words = planWords();
    if (std::exchange(m_planWords, words) == words && !m_series.isEmpty())
        update(before + triggerRegion());
    else
        update();
}

QString TimelineView::planWords() const
{
    if (!m_session || m_series.isEmpty())
        return {};
    const Plan &plan = m_state.workspace().plan();
    const QStringList said { plan.policy ? displayText(plan.policy->name) : QString(),
        plan.isSimulated() ? u"simulated"_s : QString(), basisWords().join(u'\n') };
    return said.join(u'\n');
}

size_t TimelineView::chosenColumn() const
{
    const core::Position position = m_state.position();
    return position.isEnd() ? m_series.callCount() : std::min(position.call.index(), m_series.callCount());
}

void TimelineView::choose(size_t column)
{
    core::Position position = m_state.position();
    position.call = m_series.isEnd(column) ? core::CallIndex() : core::CallIndex(column);
    m_state.setPosition(position);
}

void TimelineView::chooseMark(size_t number)
{
    core::Position position = m_state.position();
    position.call = core::CallIndex(m_series.marks()[number].column);
    m_state.setPosition(position, number);
}

void TimelineView::setHovered(std::optional<size_t> column)
{
    if (column == m_hovered)
        return;
    m_hovered = column;
    update();
}

void TimelineView::setRange(TimelineRange range)
{
    m_range = range;
    m_isFitted = m_range == TimelineRange::all(m_series.columnCount());
    update();
}

void TimelineView::zoomAt(double factor, double x)
{
    if (!m_series.isEmpty())
        setRange(
            m_range.zoomed(factor, std::clamp(layOut().placeAt(x), m_range.from, m_range.to), m_series.columnCount()));
}

void TimelineView::fit() { setRange(TimelineRange::all(m_series.columnCount())); }

void TimelineView::centre()
{
    if (m_series.isEmpty())
        return;
    const TimelineRange before = m_range;
    if (m_measured) {
        const auto [first, last] = std::minmax(m_measured->first, m_measured->second);
        const double width = static_cast<double>(last - first) + 1;
        const TimelineRange wanted { static_cast<double>(first), static_cast<double>(last) + 1 };
        // Never narrower than can be zoomed to.
        setRange(wanted.zoomed(
            std::min(1.0, width / TimelineRange::kNarrowest), wanted.from + width / 2, m_series.columnCount()));
    } else {
        setRange(m_range.moved(
            static_cast<double>(chosenColumn()) + 0.5 - (m_range.from + m_range.to) / 2, m_series.columnCount()));
    }
    if (before == m_range)
        fit();
}

std::optional<TimelineSeries::Measure> TimelineView::measured() const
{
    return m_measured ? std::optional(m_series.measure(m_measured->first, m_measured->second)) : std::nullopt;
}

void TimelineView::clearMeasured()
{
    m_measured.reset();
    update();
}

TimelineLayout TimelineView::layOut(QSize size) const
{
    const TimelineLayout::Plot plot { kMargin + kGutter, static_cast<double>(size.width()) - kMargin,
        kTitleHeight + kPillRow, plotBottom(size) };
    return { m_series, m_range, plot, topTokens() };
}

double TimelineView::plotBottom(QSize size) const
{
    return static_cast<double>(size.height()) - kAxisHeight - lanesHeight();
}

double TimelineView::topTokens() const
{
    if (m_heldTop)
        return *m_heldTop;
    double simulated = m_policyCurve.peak();
    for (const PolicyCurve &compared : m_comparedCurves)
        simulated = std::max(simulated, compared.peak());
    return timelineTop(m_series.peak(), windowTokens(), simulated);
}

double TimelineView::windowTokens() const
{
    return m_session ? static_cast<double>(m_session->windowTokens.value_or(0)) : 0.0;
}

// --- words ----------------------------------------------------------------------------------------------------------

// --- painting -------------------------------------------------------------------------------------------------------

void TimelineView::paintEvent(QPaintEvent *event)
{
    QPainter painter(this);
    // While a range is measured its ground lies below the curves.
    if (m_series.isEmpty() || m_measured)
        return paint(painter, rect());
    paintFromLayers(painter, event->rect());
}

/// Curves and bands change seldom, the pointer always moves: they are kept as they were drawn last.
void TimelineView::paintFromLayers(QPainter &painter, const QRect &dirty)
{
    const TimelineLayout layout = layOut();
    const QColor &ground = m_state.theme().base;
    const LayerKey key { m_range, m_curvesChanged, plotBottom(size()), windowTokens(), layout.highest(),
        coveredActs(layout) };
    m_curveLayer.draw(painter, *this, rect(), key, ground, [&](QPainter &drawing) {
        drawing.setRenderHint(QPainter::TextAntialiasing);
        paintCurves(drawing, layout);
    });
    const CacheRows rows = cacheRows(layout);
    const auto top = static_cast<int>(rows.top);
    const QRect lane(0, top, width(), static_cast<int>(std::ceil(rows.wordsTop())) - top);
    if (rows.bands > 0 && lane.intersects(dirty))
        m_bandLayer.draw(painter, *this, lane, { m_range, m_bandsChanged, plotBottom(size()), windowTokens(), 0, {} },
            ground, [&](QPainter &drawing) { paintBands(drawing, layout); });
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintOverCurves(painter, layout, size(), dirty);
}

QRectF TimelineView::coveredActs(const TimelineLayout &layout) const
{
    return triggerLabel(layout).intersected(PolicyCurvePainter::actRow(layout));
}

void TimelineView::paint(QPainter &painter, const QRect &rect) const
{
    painter.fillRect(rect, m_state.theme().base);
    if (m_series.isEmpty())
        return;
    painter.save();
    painter.translate(rect.topLeft());
    painter.setRenderHint(QPainter::TextAntialiasing);
    const TimelineLayout layout = layOut(rect.size());
    paintMeasured(painter, layout);
    paintCurves(painter, layout);
    paintBands(painter, layout);
    paintOverCurves(painter, layout, rect.size(), QRect(QPoint(), rect.size()));
    painter.restore();
}

void TimelineView::paintCurves(QPainter &painter, const TimelineLayout &layout) const
{
    paintAxes(painter, layout);
    paintCurve(painter, layout);
    const PolicyCurvePainter policy(painter, layout, m_policyCurve, m_state.theme());
    policy.paintCounterfactual();
    paintComparedCurves(painter, layout);
    policy.paintLine();
    policy.paintActs(coveredActs(layout));
    paintWindow(painter, layout);
}

void TimelineView::paintOverCurves(
    QPainter &painter, const TimelineLayout &layout, QSize size, const QRect &dirty) const
{
    if (dirty.top() < kTitleHeight)
        paintTitle(painter, size);
    paintTriggers(painter, layout);
    paintHovered(painter, layout);
    paintChosen(painter, layout);
    const QRectF trigger = triggerLabel(layout);
    const PolicyCurvePainter policy(painter, layout, m_policyCurve, m_state.theme());
    policy.paintCounterfactualLabel(trigger);
    paintMarks(painter, layout);
    paintTriggerLabel(painter, layout);
    if (dirty.bottom() < layout.plot().bottom + kAxisHeight - 4) // the bands' labels begin a little higher than they
        return;
    paintCacheLane(painter, layout);
    paintCompareTable(painter, layout);
    paintLanes(painter, layout);
}

void TimelineView::paintAxes(QPainter &painter, const TimelineLayout &layout) const
{
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    painter.setFont(smallFigures());
    const QFontMetricsF figures(painter.font());
    const bool hasWindow = windowTokens() > 0 && windowTokens() <= layout.highest();
    const double window = hasWindow ? layout.yOf(windowTokens()) : -100;
    const double spacing = std::clamp((plot.bottom - plot.top) / 2, kLeastValueSpacing, kValueSpacing);
    for (const TimelineLayout::Tick &tick : layout.valueTicks(spacing)) {
        const double y = crisp(tick.at);
        painter.setPen(QPen(theme.hairline, 1, tick.value > 0 ? Qt::DotLine : Qt::SolidLine));
        painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
        if (tick.at > window - kWindowLabel && tick.at < window + 16)
            continue; // its label stands there
        painter.setPen(theme.secondary);
        const double above = tick.value > 0 ? 9 : 13; // the row of the turns begins below the axis
        painter.drawText(
            QRectF(kMargin, y - above, kGutter - 8, 18), Qt::AlignRight | Qt::AlignVCenter, displayText(tick.text));
    }

    // Turns: a tick each, numbered where there is room.
    const double turnTop = plot.bottom + 2;
    painter.setFont(smallFont());
    painter.setPen(theme.secondary);
    const QRectF turnLabel(kMargin, turnTop, kGutter - 8, kTurnRow);
    const QRectF callLabel(kMargin, turnTop + kTurnRow, kGutter - 8, kCallRow);
    painter.drawText(callLabel, Qt::AlignRight | Qt::AlignVCenter, tr("call"));
    const auto turns = layout.turnTicks();
    if (!turns.empty() || !m_series.turnStarts().empty())
        painter.drawText(turnLabel, Qt::AlignRight | Qt::AlignVCenter, tr("turn"));
    painter.setFont(smallFigures());
    painter.setPen(theme.secondary);
    const auto widthOf
        = [&](const TimelineLayout::TurnTick &tick) { return figures.horizontalAdvance(QString::number(tick.number)); };
    // Where the ticks stand too close for any number, one is given now and then, and its tick is longer.
    const bool areClose = std::ranges::none_of(
        turns, [&](const TimelineLayout::TurnTick &tick) { return tick.room > widthOf(tick) + 8; });
    double free = plot.left;
    for (const TimelineLayout::TurnTick &tick : turns) {
        const double x = crisp(tick.x);
        const double width = widthOf(tick);
        const bool isNumbered = areClose ? x >= free && x + width + 3 <= plot.right : tick.room > width + 8;
        painter.drawLine(QPointF(x, plot.bottom + 1), QPointF(x, plot.bottom + (areClose && isNumbered ? 14 : 6)));
        if (!isNumbered)
            continue;
        painter.drawText(QRectF(x + 3, turnTop + 1, width + 2, kTurnRow), Qt::AlignLeft | Qt::AlignVCenter,
            QString::number(tick.number));
        free = x + kCallSpacing;
    }

    // Calls; the end has its word where it is in sight.
    const QRectF row(plot.left, turnTop + kTurnRow, plot.right - plot.left, kCallRow);
    double limit = plot.right + kMargin;
    const double endX = layout.xOf(m_series.callCount());
    if (endX <= plot.right) {
        const QString end = tr("end");
        const double width = figures.horizontalAdvance(end);
        const double left = std::min(endX - width / 2, plot.right + kMargin - width - 2);
        painter.setPen(theme.secondary);
        painter.drawText(QRectF(left, row.top(), width + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter, end);
        limit = left - 8;
    }
    for (const TimelineLayout::Tick &tick : layout.callTicks(kCallSpacing)) {
        const double width = figures.horizontalAdvance(displayText(tick.text));
        const double left = std::max(tick.at - width / 2, plot.left - 4);
        if (left + width > limit)
            continue;
        painter.drawText(
            QRectF(left, row.top(), width + 2, row.height()), Qt::AlignLeft | Qt::AlignVCenter, displayText(tick.text));
    }
}

QColor TimelineView::recordedColour() const
{
    const Theme &theme = m_state.theme();
    return m_replay ? blended(theme.curve, theme.base, 0.45) : theme.curve;
}

void TimelineView::paintCurve(QPainter &painter, const TimelineLayout &layout) const
{
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const auto spans = layout.spans();
    painter.save();
    painter.setClipRect(QRectF(plot.left, plot.top - 2, plot.right - plot.left, plot.bottom - plot.top + 2));

    // The ground reaches from one break to the next.
    const QColor estimated = blended(theme.base, theme.curveGround, 0.5);
    const auto fill = [&](const TimelineLayout::Span &a, const TimelineLayout::Span &b) {
        const bool isExact = a.isExact && b.isExact;
        QPolygonF ground;
        ground << QPointF(a.x, plot.bottom) << QPointF(a.x, layout.yOf(a.last - a.first > 1 ? a.high : a.exit))
               << QPointF(b.x, layout.yOf(b.last - b.first > 1 ? b.high : b.entry)) << QPointF(b.x, plot.bottom);
        painter.setBrush(isExact ? theme.curveGround : estimated);
        painter.drawPolygon(ground);
    };
    painter.setPen(Qt::NoPen);
    const bool isMerged = layout.columnWidth() < 1;
    for (size_t i = 1; i < spans.size() && !isMerged; ++i) {
        if (!spans[i].isBroken)
            fill(spans[i - 1], spans[i]);
    }
    // A polygon a pixel would cost many times as much.
    for (size_t i = 0; i < spans.size() && isMerged; ++i) {
        const double top = std::floor(layout.yOf(spans[i].high));
        painter.fillRect(QRectF(std::floor(spans[i].x), top, 1, plot.bottom - top),
            spans[i].isExact ? theme.curveGround : estimated);
    }
    if (isMerged)
        paintMergedLine(painter, layout, spans);
    else
        paintLine(painter, layout, spans);
    if (layout.columnWidth() >= kDotsFrom) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        for (const TimelineLayout::Span &span : spans) {
            painter.setBrush(span.isExact ? recordedColour() : theme.secondary);
            painter.drawEllipse(QPointF(span.x, layout.yOf(span.entry)), 2, 2);
        }
    }
    painter.restore();
}

/// Runs of one kind are one polyline, so that dashes go on from call to call.
void TimelineView::paintLine(
    QPainter &painter, const TimelineLayout &layout, const std::vector<TimelineLayout::Span> &spans) const
{
    const Theme &theme = m_state.theme();
    const QPen solid(recordedColour(), spans.size() < kFineFrom ? 1.2 : 1);
    QPen dashed(theme.secondary, 1);
    dashed.setDashPattern({ 3, 3 });
    painter.setRenderHint(QPainter::Antialiasing);
    QPolygonF line;
    bool isExactRun = true;
    const auto flush = [&] {
        if (line.size() > 1) {
            painter.setPen(isExactRun ? solid : dashed);
            painter.drawPolyline(line);
        }
        line.clear();
    };
    for (size_t i = 0; i < spans.size(); ++i) {
        const TimelineLayout::Span &span = spans[i];
        const bool leadsOver = i > 0 && !span.isBroken;
        const bool isExact = leadsOver ? span.isExact && spans[i - 1].isExact : span.isExact;
        if (!leadsOver || isExact != isExactRun) {
            const QPointF last = line.isEmpty() ? QPointF() : line.back();
            const bool goesOn = leadsOver && !line.isEmpty();
            flush();
            if (goesOn)
                line << last;
            isExactRun = isExact;
        }
        line << QPointF(span.x, layout.yOf(span.entry));
    }
    flush();
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Several calls a pixel: from the lowest to the highest, and to where the pixel before left off.
void TimelineView::paintMergedLine(
    QPainter &painter, const TimelineLayout &layout, const std::vector<TimelineLayout::Span> &spans) const
{
    const Theme &theme = m_state.theme();
    for (size_t i = 0; i < spans.size(); ++i) {
        const TimelineLayout::Span &span = spans[i];
        double top = layout.yOf(span.high);
        double bottom = layout.yOf(span.low);
        if (i > 0 && !span.isBroken) {
            const double before = layout.yOf(spans[i - 1].exit);
            top = std::min(top, before);
            bottom = std::max(bottom, before);
        }
        painter.fillRect(
            QRectF(std::floor(span.x), std::floor(top), 1, std::max(1.0, std::ceil(bottom) - std::floor(top))),
            span.isExact ? recordedColour() : theme.secondary);
    }
}

void TimelineView::paintWindow(QPainter &painter, const TimelineLayout &layout) const
{
    const double window = windowTokens();
    if (window <= 0 || window > layout.highest())
        return;
    const TimelineLayout::Plot &plot = layout.plot();
    const double y = crisp(layout.yOf(window));
    painter.setPen(QPen(m_state.theme().secondary, 1, Qt::DashLine));
    painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
    // Named in the gutter, where nothing can run into it.
    const double words = std::min(y, plot.bottom - 6); // the row of the turns begins below the axis
    painter.setFont(smallFigures());
    painter.drawText(
        QRectF(kMargin, words - 9, kGutter - 8, 18), Qt::AlignRight | Qt::AlignVCenter, displayText(axisText(window)));
    painter.setFont(smallFont());
    painter.drawText(QRectF(kMargin, words - 23, kGutter - 8, 14), Qt::AlignRight | Qt::AlignVCenter, tr("window"));
}

void TimelineView::paintMarks(QPainter &painter, const TimelineLayout &layout) const
{
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (const size_t index : layout.drops()) {
        const TimelineSeries::Mark &mark = m_series.marks()[index];
        const bool isNumbered = TimelineLayout::lookOf(mark.kind) == TimelineLayout::Look::Number;
        QPen pen(isNumbered ? theme.hot : theme.secondary, 1);
        pen.setDashPattern({ 2, 2 });
        painter.setPen(pen);
        const double x = crisp(layout.xOf(mark.column));
        painter.drawLine(QPointF(x, layout.yOf(mark.before)), QPointF(x, layout.yOf(mark.after)));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = Theme::strongFont(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font);
    for (const TimelineLayout::MarkGroup &group : layout.markGroups(metrics.horizontalAdvance(u'0'))) {
        switch (group.look) {
        case TimelineLayout::Look::Number: {
            const QRectF pill(group.x - group.width / 2, group.y - TimelineLayout::kMarkRadius, group.width,
                2 * TimelineLayout::kMarkRadius);
            painter.setPen(QPen(theme.hot, 1.3));
            painter.setBrush(theme.base);
            painter.drawRoundedRect(
                pill.adjusted(0.65, 0.65, -0.65, -0.65), TimelineLayout::kMarkRadius, TimelineLayout::kMarkRadius);
            painter.setPen(theme.hot);
            painter.drawText(pill, Qt::AlignCenter, displayText(group.text()));
            break;
        }
        case TimelineLayout::Look::Triangle: {
            QPolygonF triangle;
            triangle << QPointF(group.x, plot.bottom - 8) << QPointF(group.x + 4.5, plot.bottom)
                     << QPointF(group.x - 4.5, plot.bottom);
            painter.setPen(QPen(theme.base, 1));
            painter.setBrush(theme.hot);
            painter.drawPolygon(triangle);
            break;
        }
        case TimelineLayout::Look::Arrow: {
            const double y = plot.bottom - 5;
            painter.setPen(QPen(theme.base, 4));
            painter.drawLine(QPointF(group.x - 6, y), QPointF(group.x + 6, y));
            painter.setPen(QPen(theme.text, 1.5));
            painter.drawLine(QPointF(group.x - 5, y), QPointF(group.x + 6, y));
            painter.drawPolyline(
                QPolygonF { QPointF(group.x - 2, y - 3.5), QPointF(group.x - 6, y), QPointF(group.x - 2, y + 3.5) });
            break;
        }
        }
    }
    painter.restore();
}

void TimelineView::paintMeasured(QPainter &painter, const TimelineLayout &layout) const
{
    if (!m_measured)
        return;
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const auto [first, last] = std::minmax(m_measured->first, m_measured->second);
    const double left = std::clamp(layout.xAt(static_cast<double>(first)), plot.left, plot.right);
    const double right = std::clamp(layout.xAt(static_cast<double>(last) + 1), plot.left, plot.right);
    painter.fillRect(QRectF(left, plot.top - 4, right - left, plot.bottom - plot.top + 4), theme.accentGround);
    painter.setPen(QPen(theme.accent, 1));
    for (const double x : { left, right })
        painter.drawLine(QPointF(crisp(x), plot.top - 4), QPointF(crisp(x), plot.bottom));
}

void TimelineView::paintHovered(QPainter &painter, const TimelineLayout &layout) const
{
    if (!m_hovered || *m_hovered == chosenColumn())
        return;
    const TimelineLayout::Plot &plot = layout.plot();
    const double x = layout.xOf(*m_hovered);
    if (x < plot.left || x > plot.right)
        return;
    painter.save();
    painter.setPen(QPen(m_state.theme().secondary, 1));
    painter.drawLine(QPointF(crisp(x), plot.top), QPointF(crisp(x), plot.bottom));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_state.theme().base, 1));
    painter.setBrush(m_state.theme().text);
    painter.drawEllipse(QPointF(crisp(x), layout.yOf(m_series.tokens(*m_hovered))), 3.5, 3.5);
    painter.restore();
}

void TimelineView::paintChosen(QPainter &painter, const TimelineLayout &layout) const
{
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const size_t column = chosenColumn();
    const double x = crisp(layout.xOf(column));
    const bool isInSight = x >= plot.left && x <= plot.right;
    painter.save();
    if (isInSight) {
        painter.fillRect(QRectF(x - 0.5, plot.top - 3, 1, plot.bottom - plot.top + 6), theme.accent);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.base, 1));
        painter.setBrush(theme.accent);
        painter.drawEllipse(QPointF(x, layout.yOf(m_series.tokens(column))), 3.5, 3.5);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(Theme::strongFont(11));
    const QString name = isInSight ? nameOf(column)
        : x < plot.left            ? u"‹ "_s + nameOf(column)
                                   : nameOf(column) + u" ›"_s;
    const double width = painter.fontMetrics().horizontalAdvance(name) + 16;
    const double left
        = std::clamp(x - width / 2, plot.left - 4, std::max(plot.left - 4, plot.right + kMargin - 2 - width));
    const QRectF pill(left, plot.top - 3 - kPillHeight, width, kPillHeight);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    painter.drawRoundedRect(pill, 4, 4);
    painter.setPen(theme.base);
    painter.drawText(pill, Qt::AlignCenter, name);
    painter.restore();
    paintAssumption(painter, layout, pill);
}

/// Beside the pill of the chosen call: at the left, or where that stands there, at the right.
void TimelineView::paintAssumption(QPainter &painter, const TimelineLayout &layout, const QRectF &pill) const
{
    if (!m_replay || !m_replay->isSummaryAssumed)
        return;
    const TimelineLayout::Plot &plot = layout.plot();
    const QString words = displayText(assumptionText(*m_replay));
    painter.setFont(smallFont());
    painter.setPen(m_state.theme().secondary);
    const double width = QFontMetricsF(painter.font()).horizontalAdvance(words) + 2;
    const bool isLeft = pill.left() > plot.left + width + 8;
    if (!isLeft && pill.right() + 8 + width > plot.right)
        return;
    painter.drawText(QRectF(isLeft ? plot.left : plot.right - width, pill.top(), width, pill.height()),
        Qt::AlignLeft | Qt::AlignVCenter, words);
}

// --- mouse and keys -------------------------------------------------------------------------------------------------

bool TimelineView::isInPlot(const TimelineLayout &layout, QPointF position) const
{
    // The axis and the pills belong to the calls below and above them, the gutter to nothing.
    const TimelineLayout::Plot &plot = layout.plot();
    return position.x() >= plot.left - 4 && position.x() <= plot.right + kMargin && position.y() >= kTitleHeight;
}

bool TimelineView::isOnAxis(const TimelineLayout &layout, QPointF position) const
{
    const double bottom = layout.plot().bottom;
    return position.y() > bottom + 1 && position.y() < bottom + kAxisHeight;
}

std::optional<size_t> TimelineView::markAt(const TimelineLayout &layout, QPointF position) const
{
    const double digit = QFontMetricsF(Theme::strongFont(11)).horizontalAdvance(u'0');
    for (const TimelineLayout::MarkGroup &group : layout.markGroups(digit)) {
        const double half = group.look == TimelineLayout::Look::Number ? TimelineLayout::kMarkRadius : 6;
        if (QRectF(group.x - group.width / 2, group.y - half, group.width, 2 * half).contains(position))
            return group.marks.front();
    }
    return std::nullopt;
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (m_series.isEmpty())
        return;
    const TimelineLayout layout = layOut();
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        m_panFrom = event->position().x();
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton || !isInPlot(layout, event->position()))
        return;
    const size_t column = layout.columnAt(event->position().x());
    if (m_triggers.isMovable && event->modifiers() == Qt::NoModifier && isOnTrigger(layout, event->position())) {
        m_drag = Drag::Trigger;
        m_heldTop = layout.highest();
        m_triggerGrip = isTriggerAbove(layout) ? 0 : event->position().y() - triggerLine(layout);
        m_state.workspace().beginGesture();
        setHovered(std::nullopt);
        update();
        return;
    }
    if (const auto lane = laneAt(layout, event->position()))
        return pressLane(*lane, column);
    if (event->modifiers().testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::Measure;
        m_measuresOnAxis = false;
        m_measureFrom = column;
        m_measured = { column, column };
        setHovered(std::nullopt);
        update();
        return;
    }
    m_measured.reset();
    if (isOnAxis(layout, event->position())) {
        m_drag = Drag::Measure;
        m_measuresOnAxis = true;
        m_measureFrom = column;
        choose(column);
        return update();
    }
    m_drag = Drag::Scrub;
    const auto mark = markAt(layout, event->position());
    if (mark)
        chooseMark(*mark);
    else
        choose(column);
    update();
}

void TimelineView::measureTo(size_t column)
{
    if (!m_measured && column == m_measureFrom)
        return;
    setHovered(std::nullopt);
    m_measured = { m_measureFrom, column };
    update();
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    if (m_series.isEmpty())
        return;
    const TimelineLayout layout = layOut();
    const double x = event->position().x();
    switch (m_drag) {
    case Drag::Pan:
        setRange(m_range.moved((m_panFrom - x) / layout.columnWidth(), m_series.columnCount()));
        m_panFrom = x;
        return;
    case Drag::Measure:
        return measureTo(layout.columnAt(x));
    case Drag::Scrub:
        choose(layout.columnAt(x));
        setHovered(layout.columnAt(x));
        return;
    case Drag::Trigger:
        return dragTrigger(layout, event->position().y());
    case Drag::None:
        if (m_triggers.isMovable && isOnTrigger(layout, event->position())) {
            setCursor(Qt::SplitVCursor);
            return setHovered(std::nullopt);
        }
        unsetCursor();
        setHovered(isInPlot(layout, event->position()) ? std::optional(layout.columnAt(x)) : std::nullopt);
        return;
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *)
{
    if (m_drag == Drag::Pan)
        unsetCursor();
    if (std::exchange(m_drag, Drag::None) == Drag::Trigger) {
        m_heldTop.reset();
        m_state.workspace().endGesture(triggerDeed());
        update();
    }
    // A click with Shift reaches from the chosen call to there; one on the axis has chosen its call.
    if (m_measured && std::exchange(m_measuresOnAxis, false) && m_measured->first == m_measured->second)
        clearMeasured();
    if (m_measured && m_measured->first == m_measured->second) {
        m_measured->first = chosenColumn();
        update();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        fit();
}

void TimelineView::leaveEvent(QEvent *) { setHovered(std::nullopt); }

void TimelineView::wheelEvent(QWheelEvent *event)
{
    const QPoint angle = event->angleDelta();
    const bool isSideways = std::abs(angle.x()) > std::abs(angle.y());
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomAt(std::pow(1.2, angle.y() / 120.0), event->position().x());
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || isSideways) {
        const int steps = isSideways ? angle.x() : angle.y();
        setRange(m_range.moved(-steps / 120.0 * m_range.width() / 10, m_series.columnCount()));
    } else {
        event->ignore();
        return;
    }
    event->accept();
}

bool TimelineView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const auto lane = m_series.isEmpty() ? std::nullopt : laneAt(layOut(), help->pos());
        if (lane) {
            const size_t column = layOut().columnAt(help->pos().x());
            const bool isPolicy = laneRows(layOut()).isPolicyAt(help->pos().y());
            QToolTip::showText(help->globalPos(), toolTipText(laneTip(*lane, column, isPolicy)), this);
        } else if (const auto band = m_series.isEmpty() ? std::nullopt : cacheRows(layOut()).bandAt(help->pos().y())) {
            const size_t column = layOut().columnAt(help->pos().x());
            QToolTip::showText(help->globalPos(), toolTipText(cacheTip(*band, column)), this);
        } else if (m_replay && help->pos().y() < kTitleHeight) {
            QToolTip::showText(help->globalPos(), toolTipText(policyWords() + u'\n' + basisWords().join(u'\n')), this);
        } else if (!m_series.isEmpty() && isOnTrigger(layOut(), help->pos())) {
            QToolTip::showText(help->globalPos(), toolTipText(triggerTip()), this);
        } else {
            QToolTip::hideText();
            event->ignore();
        }
        return true;
    }
    // These keys are shortcuts of the window; while this view has the focus they are its own.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isZoom = key->modifiers() == Qt::ControlModifier
            && (key->key() == Qt::Key_0 || key->key() == Qt::Key_Plus || key->key() == Qt::Key_Minus);
        const bool isTakenBack = m_measured || m_drag == Drag::Trigger || m_isSteppingTrigger;
        if (isZoom || (key->key() == Qt::Key_Escape && isTakenBack)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (m_series.isEmpty())
        return QWidget::keyPressEvent(event);
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    const double x = layOut().xOf(chosenColumn());
    if (event->modifiers() == Qt::ShiftModifier && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down))
        return stepTrigger(event->key() == Qt::Key_Up ? 1 : -1);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return m_state.stepCall(-1);
    case Qt::Key_Right:
    case Qt::Key_Down:
        return m_state.stepCall(1);
    case Qt::Key_Home:
        return choose(0);
    case Qt::Key_End:
        return choose(m_series.callCount());
    case Qt::Key_F:
        return centre();
    case Qt::Key_Escape:
        if (m_drag == Drag::Trigger || m_isSteppingTrigger) {
            m_drag = Drag::None;
            m_isSteppingTrigger = false;
            m_heldTop.reset();
            return m_state.workspace().cancelGesture();
        }
        if (m_measured)
            return clearMeasured();
        break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (m_traces.removeOne())
            return;
        break;
    case Qt::Key_0:
        if (isControl)
            return fit();
        break;
    case Qt::Key_Plus:
        if (isControl)
            return zoomAt(1.25, x);
        break;
    case Qt::Key_Minus:
        if (isControl)
            return zoomAt(0.8, x);
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (!event->isAutoRepeat())
        endKeyGesture();
    QWidget::keyReleaseEvent(event);
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    endKeyGesture();
    QWidget::focusOutEvent(event);
}

// --- accessibility --------------------------------------------------------------------------------------------------

} // namespace ui
