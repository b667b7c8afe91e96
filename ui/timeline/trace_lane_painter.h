// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/traces.h"
#include "ui/look/theme.h"
#include "ui/timeline/trace_lanes.h"

#include <QCoreApplication>

class QPainter;

namespace ui {

/// Draws the lane of one trace, with labels where they fit.
class TraceLanePainter final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    TraceLanePainter(QPainter &painter, const TimelineLayout &layout, const Theme &theme)
        : m_painter(painter)
        , m_layout(layout)
        , m_theme(theme)
    {
    }

    void paint(const Traced &traced, double top) const;
    /// Draws the lane for the policy's arrays, without the name.
    void paintPolicy(const Traced &traced, double top) const;

private:
    [[nodiscard]] LanePiece wholeLane() const;
    /// Draws the name in the first piece with enough room.
    void paintLife(const core::Trace &life, const QString &name, double top) const;
    void paintWords(const QString &words, const LanePiece &piece, double top) const;
    [[nodiscard]] QString stateWords(const core::Trace &trace, const LanePiece &piece) const;

    QPainter &m_painter;
    const TimelineLayout &m_layout;
    const Theme &m_theme;
};

} // namespace ui
