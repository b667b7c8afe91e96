// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/tuning/map/map_layout.h"
#include "ui/tuning/map/sweep_map.h"

#include <QImage>

namespace ui {

/// The cells of a map as an image in device pixels: colours, hatching of extrapolated cells, outlines of plateaus,
/// price cliffs. Rendered once for each change of data or size: O(pixels).
/// `reference`: cells with a better figure are dotted; NaN for none.
[[nodiscard]] QImage mapImage(
    const SweepMap &map, const MapLayout &layout, const Theme &theme, double pixelRatio, double reference);

/// The colour for `goodness` from worst (0) to best (1), as in the legend.
[[nodiscard]] QColor rampColour(double goodness);

} // namespace ui
