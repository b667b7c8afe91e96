// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/timeline_content.h"

#include <QStringList>

class QPainter;

namespace ui {

/// The lane of the provider's cache: a band for the recorded run, one for the policy's, and a row with their costs.
class CacheLane final {
    Q_DECLARE_TR_FUNCTIONS(ui::TimelineView)

public:
    explicit CacheLane(const TimelineContent &content)
        : m_content(content)
    {
    }

    /// The bands alone, which seldom change.
    void paintBands(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const;
    /// Labels, costs and the line of the chosen call, over the bands.
    void paint(QPainter &painter, const TimelineLayout &layout, const CacheRows &rows) const;
    /// What is known of a call's cache; of both runs for the row of costs (`band` = the number of bands).
    [[nodiscard]] QString tip(size_t band, size_t column) const;
    [[nodiscard]] QString nameOf(size_t band) const;

private:
    void paintBand(QPainter &painter, const TimelineLayout &layout, size_t band, double top) const;
    /// The recorded run, then the policy's, with cache figures if there is room.
    [[nodiscard]] QStringList moneyWords(double room) const;
    [[nodiscard]] QString runsTip() const;

    const TimelineContent &m_content;
};

} // namespace ui
