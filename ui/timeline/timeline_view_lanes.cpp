// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The lanes of traced texts below the axis: painting, pointing, what is said of them.

#include "core/evidence/trace_verdict.h"
#include "core/session/slot_label.h"
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/trace_lane_painter.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QPainter>

#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::TraceState;

namespace {

QString stateWord(TraceState state)
{
    switch (state) {
    case TraceState::Verbatim:
        return TimelineView::tr("in context, word for word");
    case TraceState::Partial:
        return TimelineView::tr("partly in context");
    case TraceState::Gone:
        return TimelineView::tr("gone");
    case TraceState::Unknown:
        return TimelineView::tr("cannot be known: text that the log does not hold was sent");
    }
    return {};
}

} // namespace

LaneRows TimelineView::laneRows(const TimelineLayout &layout) const
{
    const CompareRows above = compareRows(layout);
    return { above.top + CompareRows::heightOf(above.count), m_traces.count(), m_replay != nullptr };
}

void TimelineView::takeTraces() { noteLanes(); }

int TimelineView::lanesHeight() const
{
    const LaneRows traces { 0, m_traces.count(), m_replay != nullptr };
    return static_cast<int>(
        CacheRows::heightOf(bandCount()) + CompareRows::heightOf(compareRowCount()) + traces.height());
}

void TimelineView::noteLanes()
{
    update();
    noteLanesHeight();
}

void TimelineView::noteLanesHeight()
{
    if (std::exchange(m_lanesHeight, lanesHeight()) == lanesHeight())
        return;
    updateGeometry();
    Q_EMIT lanesHeightChanged();
}

void TimelineView::paintLanes(QPainter &painter, const TimelineLayout &layout) const
{
    const LaneRows rows = laneRows(layout);
    if (rows.count == 0)
        return;
    const Theme &theme = m_state.theme();
    const TimelineLayout::Plot &plot = layout.plot();
    const TraceLanePainter lanes(painter, layout, theme);
    for (size_t row = 0; row < rows.count; ++row) {
        const double top = rows.topOf(row);
        const bool isCurrent = m_traces.current() == row;
        painter.setFont(isCurrent ? Theme::strongFont(11) : Theme::textFont(11));
        painter.setPen(isCurrent ? theme.accent : theme.secondary);
        painter.drawText(QRectF(plot.left - kNameReach, top - 1, kNameReach - 8, LaneRows::kBar + 2),
            Qt::AlignRight | Qt::AlignVCenter, tr("trace"));
        lanes.paint(m_traces.at(row), top);
        if (!rows.hasPolicy)
            continue;
        const double below = rows.policyTopOf(row);
        painter.setFont(Theme::textFont(11));
        painter.setPen(theme.accent);
        painter.drawText(QRectF(plot.left - kNameReach, below - 1, kNameReach - 8, LaneRows::kBar + 2),
            Qt::AlignRight | Qt::AlignVCenter, tr("policy"));
        lanes.paintPolicy(m_traces.at(row), below);
    }
    // Where one stands, through all lanes.
    const double x = std::floor(layout.xOf(chosenColumn()));
    if (x >= plot.left && x <= plot.right)
        painter.fillRect(QRectF(x, rows.top, 1, static_cast<double>(rows.count) * rows.row()), theme.text);
}

std::optional<size_t> TimelineView::laneAt(const TimelineLayout &layout, QPointF position) const
{
    const LaneRows rows = laneRows(layout);
    const size_t row = rows.rowAt(position.y());
    return row < rows.count && position.x() >= layout.plot().left - kNameReach ? std::optional(row) : std::nullopt;
}

const core::TraceLane *TimelineView::stretchAt(size_t lane, size_t column) const
{
    const auto &life = m_traces.at(lane).life;
    return life ? life->at(static_cast<uint32_t>(column)) : nullptr;
}

void TimelineView::pressLane(size_t lane, size_t column)
{
    choose(column);
    const core::TraceLane *stretch = stretchAt(lane, column);
    if (stretch != nullptr && stretch->carrier.isValid()) {
        m_state.setCurrentBlock(stretch->carrier);
        if (m_state.currentSlot().isValid())
            Q_EMIT m_state.revealRequested(m_state.currentSlot());
    }
    m_traces.setCurrent(lane); // choosing a block ends that
}

QString TimelineView::laneTip(size_t lane, size_t column, bool isPolicy) const
{
    const Traced &traced = m_traces.at(lane);
    const auto &life = isPolicy ? traced.policyLife : traced.life;
    if (!life)
        return tr("%1\nbeing traced").arg(traced.name);
    const core::Session &session = isPolicy ? *m_traces.replay()->spans.session : *m_session;
    const core::TraceLane *stretch = life->at(static_cast<uint32_t>(column));
    QString tip = isPolicy ? tr("under the policy, %1").arg(nameOf(column)) : nameOf(column);
    tip += u": "_s + (stretch != nullptr ? stateWord(stretch->state) : tr("not yet in context"));
    if (stretch != nullptr && stretch->carrier.isValid() && stretch->carrier.index() < session.blocks.size()) {
        const core::Block &block = session.block(stretch->carrier);
        const QString number = block.message.isValid() ? u"#%1 "_s.arg(block.message.value()) : QString();
        tip += tr("\nshown by %1").arg(number + displayText(core::labelOf(session, block).text()));
    }
    if (stretch != nullptr && stretch->state == TraceState::Partial)
        tip += tr("\nkeeps %1: %2")
                   .arg(displayText(core::keptShareText(*life, *stretch)),
                       displayText(core::keptWordsText(*life, *stretch)));
    return tip + u"\n\n"_s + (isPolicy ? traced.policyVerdict : traced.verdict);
}

void TimelineView::contextMenuEvent(QContextMenuEvent *event)
{
    const auto lane = m_series.isEmpty() ? std::nullopt : laneAt(layOut(), event->pos());
    if (!lane && m_contextActions.isEmpty())
        return QWidget::contextMenuEvent(event);
    if (!lane) {
        auto *menu = new QMenu(this);
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addActions(m_contextActions);
        return menu->popup(event->globalPos());
    }
    auto *menu = new QMenu(this);
    menu->setObjectName(u"laneMenu"_s);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Remove Trace"), this, [this, lane = *lane] {
        if (lane < m_traces.count())
            m_traces.remove(lane);
    });
    menu->addAction(tr("Remove All Traces"), this, [this] { m_traces.clear(); });
    menu->addSeparator();
    menu->addAction(tr("Copy Verdict"), this,
        [words = m_traces.at(*lane).verdict] { QGuiApplication::clipboard()->setText(words); });
    if (const QString &words = m_traces.at(*lane).policyVerdict; m_replay && !words.isEmpty())
        menu->addAction(
            tr("Copy Verdict under the Policy"), this, [words] { QGuiApplication::clipboard()->setText(words); });
    menu->popup(event->globalPos());
}

} // namespace ui
