// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "ui/look/theme.h"

namespace ui {

/// What the colour of a slot shows.
enum class ColourBy { Material, Role, Age };

/// The fill of a slot. By age it is a gradient over `messageCount` messages.
[[nodiscard]] QColor slotColour(const Theme &theme, ColourBy colourBy, const core::Transcript &transcript,
    const core::Slot &slot, size_t messageCount);

} // namespace ui
