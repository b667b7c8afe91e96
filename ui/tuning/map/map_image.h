// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/tuning/map/map_layout.h"
#include "ui/tuning/map/sweep_map.h"

#include <QImage>

namespace ui {

/// The cells of a map as an image in device pixels: colours, hatching of extrapolated cells, price
/// cliffs. Rendered once for each change of data or size: O(pixels).
/// `dotted`: by cell, whether it has a dot.
[[nodiscard]] QImage mapImage(const SweepMap &map, const MapLayout &layout, const Theme &theme, double pixelRatio,
    const std::vector<bool> &dotted);

/// The colour for `goodness` from worst (0) to best (1), as in the legend.
[[nodiscard]] QColor rampColour(double goodness);

} // namespace ui
