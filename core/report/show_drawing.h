// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/show.h"
#include "core/session/slot_label.h"

#include <string>
#include <string_view>

namespace core {

/// The letter for a material, for output without colour, and its display name.
struct MaterialName {
    std::string_view letter;
    std::string_view name;
};
[[nodiscard]] MaterialName wordsOf(Material material);

/// Options for drawing in a terminal.
struct ShowDrawingOptions {
    enum class Colours : uint8_t {
        None,
        OnDark, ///< 24-bit colours for a dark background
        OnLight,
    };
    Colours colours = Colours::None;
    size_t columns = 100;  ///< at least 40 are used
    size_t rows = 40;      ///< lines for the slots; slots that do not fit are folded
    bool showsAll = false; ///< one line for every slot
};

/// Draws the array as bars true to scale, one line per slot. Small slots that do not fit are folded into one line per
/// run. Hot slots have their reason, unlogged text is hatched, and a line marks the keep boundary. Above are the head
/// line and the context curve over the calls, below the materials of the array. Control characters of the session
/// become visible marks (visible.h). Ends with a line end.
[[nodiscard]] std::string drawShow(const Shown &shown, const ShowDrawingOptions &options);

} // namespace core
