// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/tuning/map/map_layout.h"
#include "ui/tuning/map/sweep_map.h"

#include <QImage>

namespace ui {

/// The cells of a map as a picture: colours, hatching of extrapolated cells, outlines of plateaus, price cliffs. Made
/// once for each change of data or size, at the device's pixels: O(pixels).
[[nodiscard]] QImage mapImage(const SweepMap &map, const MapLayout &layout, const Theme &theme, double pixelRatio);

/// The ramp from the worst to the best, as the legend shows it.
[[nodiscard]] QColor rampColour(double goodness);

} // namespace ui
