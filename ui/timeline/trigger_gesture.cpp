// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trigger_gesture.h"

#include <algorithm>
#include <cmath>

namespace ui {

void TriggerGesture::startDrag(const TimelineLayout &layout, double y)
{
    const TriggerLine line(m_content, layout);
    m_kind = Kind::Drag;
    m_heldTop = layout.highest();
    m_grip = line.isAbove() ? 0 : y - line.y();
    m_content.state().workspace().beginGesture();
}

void TriggerGesture::dragTo(const TimelineLayout &layout, double y)
{
    Workspace &workspace = m_content.state().workspace();
    const core::PolicyPtr &policy = workspace.plan().policy;
    const auto now = workspace.trigger();
    if (!policy || !now)
        return;
    const TimelineLayout::Plot &plot = layout.plot();
    const double pixel = layout.highest() / std::max(1.0, plot.bottom - plot.top);
    workspace.previewTrigger(
        triggerAt(*now, layout.tokensAt(y - m_grip), policy->windowOf(*m_content.session()), pixel));
}

double TriggerGesture::stepSize(const TimelineLayout &layout) const
{
    const bool isShare = m_content.triggers().main->measure.unit == core::Measure::Unit::WindowFraction;
    return isShare ? m_content.plan().policy->windowOf(*m_content.session()) / 100
                   : std::pow(10, std::floor(std::log10(std::max(10.0, layout.highest()) / 100)));
}

void TriggerGesture::step(const TimelineLayout &layout, double topTokens, int direction)
{
    const TriggerLevels &levels = m_content.triggers();
    if (!levels.isMovable || isDragging())
        return;
    Workspace &workspace = m_content.state().workspace();
    if (!isRunning()) {
        m_kind = Kind::Steps;
        m_heldTop = topTokens;
        workspace.beginGesture();
    }
    const double window = workspace.plan().policy->windowOf(*m_content.session());
    const double size = stepSize(layout);
    workspace.previewTrigger(
        triggerAt(levels.main->measure, std::max(0.0, levels.main->tokens + direction * size), window, size));
}

void TriggerGesture::moveTo(const TimelineLayout &layout, double tokens)
{
    const TriggerLevels &levels = m_content.triggers();
    if (!levels.isMovable || isRunning())
        return;
    Workspace &workspace = m_content.state().workspace();
    m_kind = Kind::Steps;
    workspace.beginGesture();
    workspace.previewTrigger(triggerAt(levels.main->measure, std::max(0.0, tokens),
        workspace.plan().policy->windowOf(*m_content.session()), stepSize(layout)));
    endSteps();
}

bool TriggerGesture::end(Kind kind)
{
    if (m_kind != kind)
        return false;
    m_kind = Kind::None;
    m_heldTop.reset();
    Workspace &workspace = m_content.state().workspace();
    const auto trigger = workspace.trigger();
    workspace.endGesture(tr("Change Trigger to %1").arg(trigger ? displayText(trigger->words()) : QString()));
    return true;
}

void TriggerGesture::cancel()
{
    m_kind = Kind::None;
    m_heldTop.reset();
    m_content.state().workspace().cancelGesture();
}

} // namespace ui
