// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QRect>

#include <optional>

class QPainter;

namespace ui {

/// The marks of findings in a timeline: dots below the top of the plot, in the colours of the Findings panel. A dot
/// that stands for several places has their number beside it.
class FindingMarks final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    FindingMarks(const TimelineContent &content, const TimelineLayout &layout)
        : m_content(content)
        , m_layout(layout)
    {
    }

    [[nodiscard]] std::optional<FindingTrack::Group> at(QPointF position) const;
    /// Of the mark that stands for a place; empty if the place is out of sight.
    [[nodiscard]] QRect rectOf(size_t place) const;
    /// The sentences of a mark's findings.
    [[nodiscard]] QString tip(const FindingTrack::Group &group) const;
    [[nodiscard]] static QString nameOf(const TimelineContent &content, size_t place);
    void paint(QPainter &painter) const;

private:
    [[nodiscard]] QRectF placeOf(const FindingTrack::Group &group) const;

    const TimelineContent &m_content;
    const TimelineLayout &m_layout;
};

} // namespace ui
