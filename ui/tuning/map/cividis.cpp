// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/map/cividis.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

namespace {

constexpr auto kAnchors = std::to_array<RampColour>({
    { 0x00, 0x20, 0x4d },
    { 0x00, 0x33, 0x6f },
    { 0x39, 0x48, 0x6b },
    { 0x57, 0x5c, 0x6d },
    { 0x70, 0x71, 0x73 },
    { 0x8a, 0x87, 0x79 },
    { 0xa6, 0x9d, 0x75 },
    { 0xc4, 0xb5, 0x6c },
    { 0xe4, 0xcf, 0x5b },
    { 0xff, 0xea, 0x46 },
});

uint8_t between(uint8_t from, uint8_t to, double share)
{
    return static_cast<uint8_t>(std::lround(from + (to - from) * share));
}

} // namespace

RampColour cividis(double share)
{
    const double place = std::clamp(share, 0.0, 1.0) * (kAnchors.size() - 1);
    const size_t below = std::min(static_cast<size_t>(place), kAnchors.size() - 2);
    const double rest = place - static_cast<double>(below);
    const RampColour &from = kAnchors[below];
    const RampColour &to = kAnchors[below + 1];
    return { between(from.red, to.red, rest), between(from.green, to.green, rest), between(from.blue, to.blue, rest) };
}

} // namespace ui
