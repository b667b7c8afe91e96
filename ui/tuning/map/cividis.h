// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>

namespace ui {

/// A colour of the ramp, 0 to 255.
struct RampColour {
    uint8_t red = 0;
    uint8_t green = 0;
    uint8_t blue = 0;
    friend bool operator==(const RampColour &, const RampColour &) = default;
};

/// The cividis colour map from dark blue (0) to yellow (1). Its lightness grows evenly, so people with colour vision
/// deficiency see the same order (Nuñez, Anderton and Renslow, PLOS ONE 13, 2018). Interpolates linearly between ten
/// published colours.
[[nodiscard]] RampColour cividis(double share);

} // namespace ui
