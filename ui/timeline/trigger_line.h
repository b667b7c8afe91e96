// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QRectF>
#include <QRegion>

class QPainter;

namespace ui {

/// The trigger of the policy in a timeline: a line at its height with a label, and dotted lines for other triggers.
class TriggerLine final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    TriggerLine(const TimelineContent &content, const TimelineLayout &layout);

    /// There is a trigger with a height. The other functions but those that paint need one.
    [[nodiscard]] bool exists() const { return m_levels.main && !m_content.isEmpty(); }
    /// y of the line; the top of the plot if the trigger is above it.
    [[nodiscard]] double y() const;
    [[nodiscard]] bool isAbove() const;
    /// The label's place on the line; empty without a trigger or without room.
    [[nodiscard]] QRectF label() const;
    /// The part of the label that covers the numbers of the policy's compactions.
    [[nodiscard]] QRectF coveredActs() const;
    /// Everything that is painted for the trigger, and the words that give way to it.
    [[nodiscard]] QRegion region() const;
    /// A press at `position` takes hold of the trigger. False without one.
    [[nodiscard]] bool contains(QPointF position) const;
    [[nodiscard]] QString tip() const;

    void paintLines(QPainter &painter) const;
    void paintLabel(QPainter &painter, bool isHeld) const;

private:
    [[nodiscard]] QString words() const;
    /// A place for the label at height `top`, clear of compaction marks near that height, or of all marks.
    enum class Clear { OfNearMarks, OfAllMarks };
    [[nodiscard]] QRectF placeAt(double top, double width, Clear clear) const;

    const TimelineContent &m_content;
    const TriggerLevels &m_levels;
    const TimelineLayout &m_layout;
};

} // namespace ui
