// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/report/show.h"

#include <string>

namespace core {

/// How `show` draws in a terminal.
struct ShowDrawingOptions {
    enum class Colours : uint8_t {
        None,
        OnDark, ///< 24-bit colours for a dark ground
        OnLight,
    };
    Colours colours = Colours::None;
    size_t columns = 100;  ///< at least 40 are used
    size_t rows = 40;      ///< lines for the slots; what does not fit is folded
    bool showsAll = false; ///< every slot on a line of its own
};

/// The array as slot bars, one line a slot: true to scale, small slots that do not fit folded into one line each run,
/// hot ones marked with their reason, what is not in the log hatched, the keep boundary between; above them the head
/// line and the saw-tooth of the context over the calls, below them what the array is made of. Characters of the
/// session that would act on the terminal are written as marks (visible.h). Ends with a line end.
[[nodiscard]] std::string drawShow(const Shown &shown, const ShowDrawingOptions &options);

} // namespace core
