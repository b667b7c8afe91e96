// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QFontMetricsF>
#include <QStringList>

#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// The title row of a timeline: facts about the curves left, figures of one column or of a measured range right.
class TimelineWords final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    /// `topTokens` is the value at the top of the plot. Reads out `column`, unless there is a `measure`.
    TimelineWords(const TimelineContent &content, double topTokens, size_t column,
        std::optional<TimelineSeries::Measure> measure);

    /// The basis of the figures, and facts that the plot has no room for; most important first.
    [[nodiscard]] QStringList basisWords() const;
    /// The totals of the policy's replay; empty without one.
    [[nodiscard]] QString policyWords() const;
    /// As many facts as fit into `room`; under a policy its name and the first fact at least.
    [[nodiscard]] QString factsFor(double room, const QFontMetricsF &metrics) const;
    /// The text at the right of the row.
    [[nodiscard]] QString readOut() const;

    void paint(QPainter &painter, int width) const;

private:
    /// One figure at the right. It has a fixed width, so that nothing moves while scrubbing.
    struct Field {
        QString text;
        QString widest;
        bool isQuiet = false;
        [[nodiscard]] double width(const QFontMetricsF &metrics) const;
    };

    [[nodiscard]] QStringList replayWords() const;
    /// `Deep Agents: `
    [[nodiscard]] QString nameWords() const;
    [[nodiscard]] double wantedRoom() const;
    [[nodiscard]] QString measureText(const TimelineSeries::Measure &measure) const;
    [[nodiscard]] std::vector<Field> fields() const;
    /// Both return the right edge of the remaining room.
    [[nodiscard]] double paintMeasure(QPainter &painter, const QRectF &row) const;
    [[nodiscard]] double paintFields(QPainter &painter, const QRectF &row, const std::vector<Field> &shown) const;

    const TimelineContent &m_content;
    double m_topTokens;
    size_t m_column;
    std::optional<TimelineSeries::Measure> m_measure;
};

} // namespace ui
