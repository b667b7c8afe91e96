// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Pointer and keys of the timeline.

#include "ui/timeline/bookmark_marks.h"
#include "ui/timeline/cache_lane.h"
#include "ui/timeline/compaction_marks.h"
#include "ui/timeline/finding_marks.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/trace_rows.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

void TimelineView::setHovered(std::optional<size_t> column)
{
    if (column == m_hovered)
        return;
    m_hovered = column;
    update();
}

QRegion TimelineView::triggerRegion() const
{
    const TimelineLayout layout = layOut();
    return TriggerLine(m_content, layout).region();
}

bool TimelineView::isInPlot(const TimelineLayout &layout, QPointF position)
{
    // The axis and the pills belong to the calls below and above them, the gutter to nothing.
    const TimelineLayout::Plot &plot = layout.plot();
    return position.x() >= plot.left - 4 && position.x() <= plot.right + TimelineMetrics::kMargin
        && position.y() >= plot.top - plot.findingRow - TimelineMetrics::kPillRow;
}

bool TimelineView::isOnAxis(const TimelineLayout &layout, QPointF position)
{
    const double bottom = layout.plot().bottom;
    return position.y() > bottom + 1 && position.y() < bottom + TimelineMetrics::kAxis;
}

std::optional<size_t> TimelineView::traceAt(const TimelineLayout &layout, QPointF position) const
{
    return TraceRows(m_content, places(layout).traces).at(layout, position);
}

std::optional<FindingTrack::Group> TimelineView::findingsAt(const TimelineLayout &layout, QPointF position) const
{
    return m_isFolded ? std::nullopt : FindingMarks(m_content, layout).at(position);
}

// --- mouse ----------------------------------------------------------------------------------------------------------

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (m_content.isEmpty())
        return;
    if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        m_panFrom = event->position().x();
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() == Qt::LeftButton && foldMark().contains(event->position().toPoint()))
        return Q_EMIT foldRequested(!m_isFolded);
    const TimelineLayout layout = layOut();
    if (event->button() == Qt::LeftButton && isInPlot(layout, event->position()))
        startDrag(layout, event->position(), event->modifiers());
}

void TimelineView::startDrag(const TimelineLayout &layout, QPointF position, Qt::KeyboardModifiers modifiers)
{
    const size_t column = layout.columnAt(position.x());
    const bool isMovable = isTriggerMovable() && modifiers == Qt::NoModifier;
    if (isMovable && TriggerLine(m_content, layout).contains(position)) {
        m_drag = Drag::Trigger;
        m_trigger.startDrag(layout, position.y());
        setHovered(std::nullopt);
        return update();
    }
    if (const auto trace = traceAt(layout, position))
        return TraceRows(m_content, places(layout).traces).press(*trace, column);
    if (modifiers.testFlag(Qt::ShiftModifier)) {
        m_drag = Drag::Measure;
        m_measuresOnAxis = false;
        m_measureFrom = column;
        m_measured = { column, column };
        setHovered(std::nullopt);
        return update();
    }
    m_measured.reset();
    if (const auto findings = findingsAt(layout, position)) {
        m_content.chooseFindings(*findings);
        return update();
    }
    if (isOnAxis(layout, position)) {
        m_drag = Drag::Measure;
        m_measuresOnAxis = true;
        m_measureFrom = column;
        m_content.choose(column);
        return update();
    }
    m_drag = Drag::Scrub;
    if (const auto mark = CompactionMarks(m_content, layout).at(position))
        m_content.chooseMark(*mark);
    else
        m_content.choose(column);
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
    if (m_content.isEmpty())
        return;
    const TimelineLayout layout = layOut();
    const double x = event->position().x();
    switch (m_drag) {
    case Drag::Pan:
        setRange(m_range.moved((m_panFrom - x) / layout.columnWidth(), m_content.series().columnCount()));
        m_panFrom = x;
        return;
    case Drag::Measure:
        return measureTo(layout.columnAt(x));
    case Drag::Scrub:
        m_content.choose(layout.columnAt(x));
        setHovered(layout.columnAt(x));
        return;
    case Drag::Trigger:
        return m_trigger.dragTo(layout, event->position().y());
    case Drag::None:
        if (isTriggerMovable() && TriggerLine(m_content, layout).contains(event->position())) {
            setCursor(Qt::SplitVCursor);
            return setHovered(std::nullopt);
        }
        if (findingsAt(layout, event->position()))
            setCursor(Qt::PointingHandCursor);
        else
            unsetCursor();
        setHovered(isInPlot(layout, event->position()) ? std::optional(layout.columnAt(x)) : std::nullopt);
        return;
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent *)
{
    if (std::exchange(m_drag, Drag::None) == Drag::Pan)
        unsetCursor();
    if (m_trigger.endDrag())
        update();
    // A click with Shift measures from the chosen call to there; one on the axis has chosen its call.
    const bool wasOnAxis = m_measured && std::exchange(m_measuresOnAxis, false);
    if (m_measured && m_measured->first == m_measured->second) {
        if (wasOnAxis)
            return clearMeasured();
        m_measured->first = m_content.chosenColumn();
        update();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !foldMark().contains(event->position().toPoint()))
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
        setRange(m_range.moved(-steps / 120.0 * m_range.width() / 10, m_content.series().columnCount()));
    } else {
        event->ignore();
        return;
    }
    event->accept();
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const TimelineLayout layout = layOut();
    const bool isByMouse = event->reason() == QContextMenuEvent::Mouse;
    const auto chosen = m_isOnTrace ? m_content.traces().current() : std::nullopt;
    const auto trace = m_content.isEmpty() ? std::nullopt : isByMouse ? traceAt(layout, event->pos()) : chosen;
    if (!trace && m_contextActions.isEmpty())
        return QWidget::contextMenuEvent(event);
    QMenu *menu = trace ? TraceRows(m_content, places(layout).traces).makeMenu(*trace, this) : new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    if (!trace)
        menu->addActions(m_contextActions);
    menu->popup(event->globalPos());
}

// --- tool tips and keys ---------------------------------------------------------------------------------------------

QString TimelineView::tipAt(QPoint position) const
{
    if (m_content.isEmpty())
        return {};
    if (foldMark().contains(position))
        return m_isFolded ? tr("Unfolds the Timeline") : tr("Folds the Timeline");
    if (!m_isFolded && position.y() < TimelineMetrics::kTitle)
        return m_content.replay() ? policyWords() + u'\n' + words().basisWords().join(u'\n') : QString();
    const TimelineLayout layout = layOut();
    const LanePlaces lanes = places(layout);
    const size_t column = layout.columnAt(position.x());
    const TraceRows traces(m_content, lanes.traces);
    if (const auto trace = traces.at(layout, position))
        return traces.tip(*trace, column, lanes.traces.isPolicyAt(position.y()));
    if (traces.isOnVerdict(position))
        return traces.verdict();
    if (const auto band = lanes.cache.bandAt(position.y()))
        return CacheLane(m_content).tip(*band, column);
    const BookmarkMarks bookmarks(m_content, layout);
    if (const auto bookmark = m_isFolded ? std::nullopt : bookmarks.at(position))
        return bookmarks.tip(*bookmark);
    if (const auto findings = findingsAt(layout, position))
        return FindingMarks(m_content, layout).tip(*findings);
    const TriggerLine trigger(m_content, layout);
    return !m_isFolded && trigger.contains(position) ? trigger.tip() : QString();
}

bool TimelineView::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty()) {
            QToolTip::hideText();
            event->ignore();
        } else {
            QToolTip::showText(help->globalPos(), toolTipText(tip), this);
        }
        return true;
    }
    // These keys are shortcuts of the window; while this view has the focus they are its own.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isZoom = key->modifiers() == Qt::ControlModifier
            && (key->key() == Qt::Key_0 || key->key() == Qt::Key_Plus || key->key() == Qt::Key_Minus);
        const bool isTakenBack = m_measured || m_trigger.isRunning();
        if (isZoom || (key->key() == Qt::Key_Escape && isTakenBack)) {
            event->accept();
            return true;
        }
    }
    return QWidget::event(event);
}

bool TimelineView::takeBack()
{
    if (m_trigger.isRunning()) {
        m_drag = Drag::None;
        m_trigger.cancel();
        return true;
    }
    const bool hadRange = m_measured.has_value();
    if (hadRange)
        clearMeasured();
    return hadRange;
}

bool TimelineView::stepTo(int key)
{
    m_isOnTrace = false;
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        m_content.state().stepCall(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Down:
        m_content.state().stepCall(1);
        return true;
    case Qt::Key_Home:
        m_content.choose(0);
        return true;
    case Qt::Key_End:
        m_content.choose(m_content.series().callCount());
        return true;
    default:
        return false;
    }
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    if (m_content.isEmpty())
        return QWidget::keyPressEvent(event);
    const TimelineLayout layout = layOut();
    const bool isControl = event->modifiers().testFlag(Qt::ControlModifier);
    const double x = layout.xOf(m_content.chosenColumn());
    const bool isShift = (event->modifiers() & ~Qt::KeypadModifier) == Qt::ShiftModifier;
    if (isShift ? stepWithShift(event->key()) : stepTo(event->key()))
        return;
    switch (event->key()) {
    case Qt::Key_T:
        return stepTrace(1);
    case Qt::Key_F:
        return centre();
    case Qt::Key_Escape:
        if (takeBack())
            return;
        break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        if (m_content.traces().removeOne())
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

bool TimelineView::stepWithShift(int key)
{
    switch (key) {
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!m_isFolded)
            m_trigger.step(layOut(), topTokens(), key == Qt::Key_Up ? 1 : -1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        extendMeasured(key == Qt::Key_Left ? -1 : 1);
        return true;
    case Qt::Key_T:
        stepTrace(-1);
        return true;
    default:
        return false;
    }
}

void TimelineView::extendMeasured(int columns)
{
    if (m_isFolded)
        return;
    const size_t chosen = m_content.chosenColumn();
    const bool isFromChosen = m_measured && m_measured->first == chosen;
    const auto end = static_cast<int>(isFromChosen ? m_measured->second : chosen);
    const int last = static_cast<int>(m_content.series().columnCount()) - 1;
    const auto next = static_cast<size_t>(std::clamp(end + columns, 0, last));
    setHovered(std::nullopt);
    m_measured = { chosen, next };
    m_range = m_range.revealing(next, m_content.series().columnCount());
    if (next == chosen)
        m_measured.reset();
    update();
}

void TimelineView::stepTrace(int traces)
{
    const auto count = static_cast<int>(m_content.traces().count());
    if (count == 0 || m_isFolded)
        return;
    const auto current = m_content.traces().current();
    const int from = current ? static_cast<int>(*current) : traces > 0 ? -1 : 0;
    const auto next = static_cast<size_t>((from + traces + count) % count);
    TraceRows(m_content, places(layOut()).traces).press(next, m_content.chosenColumn());
    m_isOnTrace = true;
    update();
    tellCurrentItem(*this);
}

void TimelineView::endTriggerSteps()
{
    if (m_trigger.endSteps())
        update();
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (!event->isAutoRepeat())
        endTriggerSteps();
    QWidget::keyReleaseEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    tellCurrentItem(*this);
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    endTriggerSteps();
    QWidget::focusOutEvent(event);
}

} // namespace ui
