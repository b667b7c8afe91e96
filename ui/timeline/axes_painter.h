// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

class QPainter;

namespace ui {

/// Draws the axes of a timeline: token values left, turns and calls below, and the line of the model's window.
class AxesPainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    AxesPainter(QPainter &painter, const TimelineContent &content, const TimelineLayout &layout)
        : m_painter(painter)
        , m_content(content)
        , m_layout(layout)
        , m_theme(content.theme())
    {
    }

    void paintAxes() const;
    /// Draws the model's window as a dashed line; nothing if it is unknown or above the plot.
    void paintWindow() const;

private:
    void paintValues() const;
    void paintTurns() const;
    void paintCalls() const;
    [[nodiscard]] bool hasWindow() const;

    QPainter &m_painter;
    const TimelineContent &m_content;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
};

} // namespace ui
