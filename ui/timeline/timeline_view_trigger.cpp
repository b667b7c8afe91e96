// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The trigger of the policy: its line, its label, dragging and stepping it.

#include "ui/timeline/timeline_view.h"

#include "ui/timeline/policy_curve_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::CompactionKind;

namespace {

constexpr double kTriggerLabel = 18; ///< height
constexpr double kTriggerReach = 4;  ///< pixels from the line at which it can still be taken hold of
} // namespace

void TimelineView::paintTriggers(QPainter &painter, const TimelineLayout &layout) const
{
    const TimelineLayout::Plot &plot = layout.plot();
    const QColor &accent = m_state.theme().accent;
    for (const TriggerLevel &level : m_triggers.others) {
        if (level.tokens > layout.highest())
            continue;
        const double y = crisp(layout.yOf(level.tokens));
        painter.setPen(QPen(accent, 1, Qt::DotLine));
        painter.drawLine(QPointF(plot.left, y), QPointF(plot.right, y));
    }
    if (m_triggers.main && !isTriggerAbove(layout))
        painter.fillRect(QRectF(plot.left, triggerLine(layout) - 1, plot.right - plot.left, 2), accent);
}

void TimelineView::paintTriggerLabel(QPainter &painter, const TimelineLayout &layout) const
{
    const QRectF label = triggerLabel(layout);
    if (label.isEmpty())
        return;
    const Theme &theme = m_state.theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(m_drag == Drag::Trigger ? theme.accentGround : theme.base);
    painter.drawRoundedRect(label.adjusted(0.5, 0.5, -0.5, -0.5), kTriggerLabel / 2, kTriggerLabel / 2);
    painter.setFont(Theme::textFont(11));
    painter.drawText(label, Qt::AlignCenter, triggerWords(layout));
    painter.restore();
}

double TimelineView::triggerLine(const TimelineLayout &layout) const
{
    return std::round(layout.yOf(m_triggers.main->tokens));
}

bool TimelineView::isTriggerAbove(const TimelineLayout &layout) const
{
    return m_triggers.main->tokens > layout.highest();
}

QString TimelineView::triggerWords(const TimelineLayout &layout) const
{
    const QString words = tr("trigger %1").arg(displayText(levelText(*m_triggers.main)));
    return isTriggerAbove(layout) ? words + u" ↑"_s : words;
}

QRectF TimelineView::triggerLabel(const TimelineLayout &layout) const
{
    if (!m_triggers.main || m_series.isEmpty())
        return {};
    const TimelineLayout::Plot &plot = layout.plot();
    // As wide for every level, so that it does not grow and shrink below the pointer.
    const QFontMetricsF metrics(Theme::textFont(11));
    const double width = std::max(metrics.horizontalAdvance(tr("trigger %1").arg(u"88.8 % · 888k"_s)),
                             metrics.horizontalAdvance(triggerWords(layout)))
        + 18;
    const auto placeAt = [&](double top, bool isForEveryHeight) -> QRectF {
        std::vector<std::pair<double, double>> taken;
        const double digit = QFontMetricsF(Theme::strongFont(11)).horizontalAdvance(u'0');
        for (const TimelineLayout::MarkGroup &group : layout.markGroups(digit)) {
            if (isForEveryHeight
                || std::abs(group.y - top - kTriggerLabel / 2) < TimelineLayout::kMarkRadius + kTriggerLabel / 2)
                taken.emplace_back(group.x - group.width / 2 - 3, group.x + group.width / 2 + 3);
        }
        const auto left = freePlace(plot.left + 8, plot.right - 4, width, std::move(taken));
        return left ? QRectF(*left, top, width, kTriggerLabel) : QRectF();
    };
    // Between the pills of the call and the axis.
    const auto inside = [&](double top) { return std::clamp(top, plot.top - 2, plot.bottom - kTriggerLabel - 1); };
    const double y = triggerLine(layout);
    const double onLine = inside(y - kTriggerLabel / 2);
    // Best where no mark stands at any height: there it stays while the line moves. Else beside the line.
    if (const QRectF place = placeAt(onLine, true); !place.isEmpty())
        return place;
    for (const double top : { onLine, inside(y + 2), inside(y - kTriggerLabel - 2) }) {
        if (const QRectF place = placeAt(top, false); !place.isEmpty())
            return place;
    }
    return {};
}

QRegion TimelineView::triggerRegion() const
{
    QRegion region;
    if (!m_triggers.main || m_series.isEmpty())
        return region;
    const TimelineLayout layout = layOut();
    const TimelineLayout::Plot &plot = layout.plot();
    const auto add = [&region](const QRectF &rect) { region += rect.toAlignedRect().adjusted(-1, -1, 1, 1); };
    const auto addLine = [&](double y) { add({ plot.left, y - 1, plot.right - plot.left, 2 }); };
    for (const TriggerLevel &level : m_triggers.others)
        addLine(layout.yOf(level.tokens));
    addLine(triggerLine(layout));
    const QRectF label = triggerLabel(layout);
    if (label.isEmpty())
        return region;
    add(label);
    // Words that give way to it.
    if (const QRectF word = PolicyCurvePainter::counterfactualLabel(layout, m_policyCurve); word.intersects(label))
        add(word);
    if (!coveredActs(layout).isEmpty())
        add(PolicyCurvePainter::actRow(layout));
    return region;
}

bool TimelineView::isOnTrigger(const TimelineLayout &layout, QPointF position) const
{
    if (!m_triggers.main || markAt(layout, position))
        return false;
    const TimelineLayout::Plot &plot = layout.plot();
    const bool isOnLine = !isTriggerAbove(layout) && position.x() >= plot.left && position.x() <= plot.right
        && std::abs(position.y() - triggerLine(layout)) <= kTriggerReach;
    return isOnLine || triggerLabel(layout).contains(position);
}

QString TimelineView::triggerTip() const
{
    const core::Policy &policy = *m_state.workspace().plan().policy;
    const QString measures = displayText(policy.trigger.words());
    QString tip = m_triggers.isMovable ? tr("The policy acts from here on. Drag it up or down, or press Shift+Up or "
                                            "Shift+Down; Escape takes a drag back.")
        : policy.trigger.isAlways()    ? tr("A stage of the policy acts from here on: its trigger is set in its row.")
        : policy.trigger.measures.size() > 1
        ? tr("The policy's trigger is more than one measure (%1): it cannot be dragged, but written in the Policy "
             "panel.")
              .arg(measures)
        : tr("A stage of the policy acts from here on; the policy's own trigger (%1) has no height here.")
              .arg(measures);
    if (!policy.counter.usesRecorded)
        tip += u'\n'
            + tr("It counts the messages alone, in its own way; the curve is the whole prompt, and may lie higher.");
    return tip;
}

QString TimelineView::triggerDeed() const
{
    const auto trigger = m_state.workspace().trigger();
    return tr("Change Trigger to %1").arg(trigger ? displayText(trigger->words()) : QString());
}

void TimelineView::dragTrigger(const TimelineLayout &layout, double y)
{
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    const auto now = m_state.workspace().trigger();
    if (!policy || !now)
        return;
    const TimelineLayout::Plot &plot = layout.plot();
    const double pixel = layout.highest() / std::max(1.0, plot.bottom - plot.top);
    m_state.workspace().previewTrigger(
        triggerAt(*now, layout.tokensAt(y - m_triggerGrip), policy->windowOf(*m_session), pixel));
}

void TimelineView::stepTrigger(int direction)
{
    if (!m_triggers.isMovable || m_drag == Drag::Trigger)
        return;
    Workspace &workspace = m_state.workspace();
    if (!std::exchange(m_isSteppingTrigger, true)) {
        m_heldTop = topTokens();
        workspace.beginGesture();
    }
    const double window = workspace.plan().policy->windowOf(*m_session);
    const bool isShare = m_triggers.main->measure.unit == core::Measure::Unit::WindowFraction;
    const double step
        = isShare ? window / 100 : std::pow(10, std::floor(std::log10(std::max(10.0, layOut().highest()) / 100)));
    workspace.previewTrigger(
        triggerAt(m_triggers.main->measure, std::max(0.0, m_triggers.main->tokens + direction * step), window, step));
}

void TimelineView::endKeyGesture()
{
    if (!std::exchange(m_isSteppingTrigger, false))
        return;
    m_heldTop.reset();
    m_state.workspace().endGesture(triggerDeed());
    update();
}

} // namespace ui
