// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QRectF>
#include <QRegion>

class QPainter;

namespace ui {

/// The policy's trigger in a timeline: a line with a label at its level, and dotted lines for other triggers.
class TriggerLine final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    TriggerLine(const TimelineContent &content, const TimelineLayout &layout);

    /// Whether there is a trigger with a level. All other functions that do not paint require one.
    [[nodiscard]] bool exists() const { return m_levels.main && !m_content.isEmpty(); }
    /// y of the line; the top of the plot if the trigger is above it.
    [[nodiscard]] double y() const;
    [[nodiscard]] bool isAbove() const;
    /// Rectangle of the label on the line; empty without a trigger or without room.
    [[nodiscard]] QRectF label() const;
    /// The part of the label that covers the numbers of the policy's acts.
    [[nodiscard]] QRectF coveredActs() const;
    /// Everything that is painted for the trigger, including other text that moves aside for it.
    [[nodiscard]] QRegion region() const;
    /// Whether a press at `position` grabs the trigger.
    [[nodiscard]] bool contains(QPointF position) const;
    [[nodiscard]] QString tip() const;

    void paintLines(QPainter &painter) const;
    void paintLabel(QPainter &painter, bool isHeld) const;

private:
    [[nodiscard]] QString words() const;
    /// A rectangle for the label at height `top`, clear of compaction marks near that height, or of all marks.
    enum class Clear { OfNearMarks, OfAllMarks };
    [[nodiscard]] QRectF placeAt(double top, double width, Clear clear) const;

    const TimelineContent &m_content;
    const TriggerLevels &m_levels;
    const TimelineLayout &m_layout;
};

} // namespace ui
