// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trigger_line.h"

#include "ui/timeline/compaction_marks.h"
#include "ui/timeline/policy_curve_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLabelHeight = 18;
constexpr double kLineReach = 4; ///< distance in pixels at which a press grabs the line

} // namespace

TriggerLine::TriggerLine(const TimelineContent &content, const TimelineLayout &layout)
    : m_content(content)
    , m_levels(content.triggers())
    , m_layout(layout)
{
}

void TriggerLine::paintLines(QPainter &painter) const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    const QColor &accent = m_content.theme().accent;
    for (const TriggerLevel &level : m_levels.others) {
        if (level.tokens > m_layout.highest())
            continue;
        const double at = crisp(m_layout.yOf(level.tokens));
        painter.setPen(QPen(accent, 1, Qt::DotLine));
        painter.drawLine(QPointF(plot.left, at), QPointF(plot.right, at));
    }
    if (m_levels.main && !isAbove())
        painter.fillRect(QRectF(plot.left, y() - 1, plot.right - plot.left, 2), accent);
}

void TriggerLine::paintLabel(QPainter &painter, bool isHeld) const
{
    const QRectF place = label();
    if (place.isEmpty())
        return;
    const Theme &theme = m_content.theme();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(isHeld ? theme.accentGround : theme.base);
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), kLabelHeight / 2, kLabelHeight / 2);
    painter.setFont(Theme::textFont(11));
    painter.drawText(place, Qt::AlignCenter, words());
    painter.restore();
}

double TriggerLine::y() const { return std::round(m_layout.yOf(m_levels.main->tokens)); }

bool TriggerLine::isAbove() const { return m_levels.main->tokens > m_layout.highest(); }

QString TriggerLine::words() const
{
    const QString level = tr("trigger %1").arg(displayText(levelText(*m_levels.main)));
    return isAbove() ? level + u" ↑"_s : level;
}

QRectF TriggerLine::placeAt(double top, double width, Clear clear) const
{
    const TimelineLayout::Plot &plot = m_layout.plot();
    std::vector<std::pair<double, double>> taken;
    for (const TimelineLayout::MarkGroup &group : m_layout.markGroups(CompactionMarks::digitWidth())) {
        const bool isNear = std::abs(group.y - top - kLabelHeight / 2) < TimelineLayout::kMarkRadius + kLabelHeight / 2;
        if (isNear || clear == Clear::OfAllMarks)
            taken.emplace_back(group.x - group.width / 2 - 3, group.x + group.width / 2 + 3);
    }
    const auto left = freePlace(plot.left + 8, plot.right - 4, width, std::move(taken));
    return left ? QRectF(*left, top, width, kLabelHeight) : QRectF();
}

QRectF TriggerLine::label() const
{
    if (!exists())
        return {};
    const TimelineLayout::Plot &plot = m_layout.plot();
    // The same width for every level, so that the label does not change below the pointer.
    const QFontMetricsF metrics(Theme::textFont(11));
    const double width = std::max(metrics.horizontalAdvance(tr("trigger %1").arg(u"88.8 % · 888k"_s)),
                             metrics.horizontalAdvance(words()))
        + 18;
    // Between the pills of the calls and the axis.
    const double lowest = std::max(plot.top + 1, plot.bottom - kLabelHeight - 1);
    const auto inside = [&](double top) { return std::clamp(top, plot.top + 1, lowest); };
    const double line = y();
    const double onLine = inside(line - kLabelHeight / 2);
    // Clear of all marks, so the label keeps its place while the line moves.
    if (const QRectF place = placeAt(onLine, width, Clear::OfAllMarks); !place.isEmpty())
        return place;
    for (const double top : { onLine, inside(line + 2), inside(line - kLabelHeight - 2) }) {
        if (const QRectF place = placeAt(top, width, Clear::OfNearMarks); !place.isEmpty())
            return place;
    }
    return {};
}

QRectF TriggerLine::coveredActs() const { return label().intersected(PolicyCurvePainter::actRow(m_layout)); }

QRegion TriggerLine::region() const
{
    QRegion region;
    if (!exists())
        return region;
    const TimelineLayout::Plot &plot = m_layout.plot();
    const auto add = [&region](const QRectF &rect) { region += rect.toAlignedRect().adjusted(-1, -1, 1, 1); };
    const auto addLine = [&](double at) { add({ plot.left, at - 1, plot.right - plot.left, 2 }); };
    for (const TriggerLevel &level : m_levels.others)
        addLine(m_layout.yOf(level.tokens));
    addLine(y());
    const QRectF place = label();
    if (place.isEmpty())
        return region;
    add(place);
    if (const QRectF word = PolicyCurvePainter::counterfactualLabel(m_layout, m_content.policyCurve());
        word.intersects(place))
        add(word);
    if (!coveredActs().isEmpty())
        add(PolicyCurvePainter::actRow(m_layout));
    return region;
}

bool TriggerLine::contains(QPointF position) const
{
    if (!exists() || CompactionMarks(m_content, m_layout).at(position))
        return false;
    const TimelineLayout::Plot &plot = m_layout.plot();
    const bool isOnLine = !isAbove() && position.x() >= plot.left && position.x() <= plot.right
        && std::abs(position.y() - y()) <= kLineReach;
    return isOnLine || label().contains(position);
}

QString TriggerLine::tip() const
{
    const core::Policy &policy = *m_content.plan().policy;
    const QString measures = displayText(policy.trigger.words());
    QString tip = m_levels.isMovable ? tr("The policy acts from this height on. Drag the line, or press Shift+Up or "
                                          "Shift+Down. Escape cancels a drag.")
        : policy.trigger.isAlways()
        ? tr("A stage of the policy acts from this height on. Set its trigger in the stage's row.")
        : policy.trigger.measures.size() > 1
        ? tr("The policy's trigger has more than one measure (%1). Edit it in the Policy panel.").arg(measures)
        : tr("A stage of the policy acts from this height on. The policy's own trigger (%1) cannot be drawn here.")
              .arg(measures);
    if (policy.counter.usage == core::Counter::Usage::None && !policy.counter.countsPrelude)
        tip += u'\n'
            + tr("The policy acts when the messages alone reach this line, as its harness counts them. The curve shows "
                 "whole prompts. So the curve can cross the line before the policy acts.");
    return tip;
}

} // namespace ui
