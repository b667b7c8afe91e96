// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/compared_curves.h"
#include "ui/timeline/timeline_content.h"

#include <QPen>
#include <QStringList>

#include <vector>

class QPainter;

namespace ui {

/// The table of compared policies below a timeline: a row with line style and totals for the recorded run, the chosen
/// policy and each compared policy.
class CompareTable final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    explicit CompareTable(const TimelineContent &content);

    /// The row as one text; empty if there is no such row.
    [[nodiscard]] QString nameOf(size_t row) const;
    void paint(QPainter &painter, const TimelineLayout &layout, const CompareRows &places) const;

private:
    struct Row {
        QString name;
        QPen pen;
        QStringList totals; ///< empty while the replay runs
    };
    void paintRow(QPainter &painter, const TimelineLayout::Plot &plot, const Row &row, double top, double nameWidth,
        const std::vector<double> &widths) const;

    const TimelineContent &m_content;
    std::vector<Row> m_rows;
};

} // namespace ui
