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

/// The cividis ramp from dark blue (0) to yellow (1): its lightness grows evenly, and people who see no red or no green
/// see the same order (Nuñez, Anderton and Renslow, PLOS ONE 13, 2018). Linear between ten of its published colours.
[[nodiscard]] RampColour cividis(double share);

} // namespace ui
