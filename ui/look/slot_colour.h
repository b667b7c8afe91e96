// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "ui/look/theme.h"

namespace ui {

/// What the colour of a slot shows.
enum class ColourBy { Material, Role, Age };

/// The material whose colour stands for the role of a slot. Results are of the tool, whichever role carries them.
[[nodiscard]] core::Material materialOfRole(const core::Transcript &transcript, const core::Slot &slot);

/// The fill of a slot. By age it is a gradient over `messageCount` messages.
[[nodiscard]] QColor slotColour(const Theme &theme, ColourBy colourBy, const core::Transcript &transcript,
    const core::Slot &slot, size_t messageCount);

} // namespace ui
