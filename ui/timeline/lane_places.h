// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/compared_curves.h"
#include "ui/timeline/timeline_content.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/trace_lanes.h"

#include <QRectF>

#include <cmath>

namespace ui {

/// Rectangle of a lane's name, left of the plot.
[[nodiscard]] inline QRectF laneNamePlace(const TimelineLayout::Plot &plot, double top, double height)
{
    return { plot.left - TimelineMetrics::kNameReach, top, TimelineMetrics::kNameReach - 8, height };
}

/// The line of the chosen call through the lanes; empty if the call is out of sight.
[[nodiscard]] inline QRectF chosenLine(const TimelineLayout &layout, size_t column, double top, double bottom)
{
    const double x = std::floor(layout.xOf(column));
    const bool isInSight = x >= layout.plot().left && x <= layout.plot().right;
    return isInSight ? QRectF(x, top, 1, bottom - top) : QRectF();
}

/// The rows below the axis of a timeline, from top to bottom: the cache, the table of compared policies, the traces.
struct LanePlaces {
    CacheRows cache;
    CompareRows compared;
    LaneRows traces;

    /// `bottom` is the bottom of the plot.
    [[nodiscard]] static LanePlaces below(double bottom, const TimelineContent &content)
    {
        LanePlaces places;
        places.cache = { bottom + TimelineMetrics::kAxis, content.bandCount() };
        places.compared = { places.cache.top + CacheRows::heightOf(places.cache.bands), content.comparedRowCount() };
        places.traces = { places.compared.top + CompareRows::heightOf(places.compared.count), content.traces().count(),
            content.replay() != nullptr };
        return places;
    }
    /// Height of all rows in pixels.
    [[nodiscard]] int height() const
    {
        return static_cast<int>(
            CacheRows::heightOf(cache.bands) + CompareRows::heightOf(compared.count) + traces.height());
    }
};

} // namespace ui
