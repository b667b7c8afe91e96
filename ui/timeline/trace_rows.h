// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"
#include "ui/timeline/trace_lanes.h"

#include <QPointF>

#include <optional>

class QMenu;
class QPainter;
class QWidget;

namespace ui {

/// The traces below a timeline: a lane each, and with a policy a second one for its arrays. Traces are identified by
/// their index in Traces.
class TraceRows final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    TraceRows(const TimelineContent &content, const LaneRows &rows)
        : m_content(content)
        , m_rows(rows)
    {
    }

    void paint(QPainter &painter, const TimelineLayout &layout) const;
    [[nodiscard]] std::optional<size_t> at(const TimelineLayout &layout, QPointF position) const;
    /// The state at a column, and both verdicts.
    [[nodiscard]] QString tip(size_t trace, size_t column, bool isPolicy) const;
    [[nodiscard]] QString nameOf(size_t trace) const;
    /// What became of the text of the current trace, or of the newest, in sentences.
    [[nodiscard]] QString verdict() const;
    /// Whether the verdict is drawn there.
    [[nodiscard]] bool isOnVerdict(QPointF position) const { return m_rows.isOnWords(position.y()); }
    /// Selects the call, the block that carries the text there, and the trace.
    void press(size_t trace, size_t column) const;
    /// The context menu of the lane, owned by `parent`.
    [[nodiscard]] QMenu *makeMenu(size_t trace, QWidget *parent) const;

private:
    const TimelineContent &m_content;
    LaneRows m_rows;
};

} // namespace ui
