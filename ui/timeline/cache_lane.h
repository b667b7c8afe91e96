// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QStringList>

class QPainter;

namespace ui {

/// The lane of the provider's cache: a band for the recorded run, one for the policy, and a row with their costs.
class CacheLane final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    explicit CacheLane(const TimelineContent &content)
        : m_content(content)
    {
    }

    /// Paints the bands only, which seldom change.
    void paintBands(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const;
    /// Paints labels, costs and the line of the chosen call over the bands.
    void paint(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const;
    /// Tool tip for a call's cache; in the row of costs (`band` = number of bands) for both runs.
    [[nodiscard]] QString tip(size_t band, size_t column) const;
    [[nodiscard]] QString nameOf(size_t band) const;

private:
    void paintBand(QPainter &painter, const TimelineLayout &layout, size_t band, double top) const;
    /// Costs of the recorded run, then of the policy's, with cache figures if there is room.
    [[nodiscard]] QStringList moneyWords(double room) const;
    /// Whether a policy has figures, beside which the computed ones of the recorded run stand.
    [[nodiscard]] bool isCompared() const;
    [[nodiscard]] QString runsTip() const;

    const TimelineContent &m_content;
};

} // namespace ui
