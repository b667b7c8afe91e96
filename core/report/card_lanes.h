// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// A page has room for so many.
inline constexpr size_t kMostCardLanes = 3;

/// The life of a text over the calls, as it is drawn: no word of the text.
struct CardLife {
    struct Stretch {
        uint32_t from = 0; ///< calls `[from, to)`
        uint32_t to = 0;
        TraceState state = TraceState::Gone;
    };
    std::vector<Stretch> stretches; ///< ascending; none if the text was never in an array
    std::string ending;             ///< `there to the end`, `gone since call 311`
};

/// One text, as recorded and under the policy.
struct CardLane {
    std::string name; ///< `1 · user · text in #12`, and with texts how it begins
    CardLife recorded;
    CardLife simulated;
};

enum class CardTexts : uint8_t { Hidden, Shown };

/// Traces a text in both worlds; `number` counts the lanes from 1, `unlogged` is of the recorded one. Reads the blocks
/// of both once.
[[nodiscard]] CardLane cardLane(size_t number, std::string_view text, CardTexts texts, const ContextSpans &recorded,
    const ContextSpans &simulated, std::span<const UnloggedStretch> unlogged);

} // namespace core
