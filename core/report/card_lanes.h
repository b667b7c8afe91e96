// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// Limit by the room on a page.
inline constexpr size_t kMostCardLanes = 3;

/// The trace of a text as drawn on a card, without its words.
struct CardLife {
    struct Stretch {
        uint32_t from = 0; ///< calls `[from, to)`
        uint32_t to = 0;
        TraceState state = TraceState::Gone;
    };
    std::vector<Stretch> stretches; ///< ascending; empty if the text was never in an array
    std::string ending;             ///< `there to the end`, `last sent at call 311`
};

/// One text, as recorded and under the policy.
struct CardLane {
    std::string name; ///< `1 · user · text in #12`, plus the beginning of the text if texts are shown
    CardLife recorded;
    CardLife simulated;
};

enum class CardTexts : uint8_t { Hidden, Shown };

/// Traces a text as recorded and under the policy. `number` is the lane's number from 1, `unlogged` belongs to the
/// recorded spans. Reads the blocks of both once.
[[nodiscard]] CardLane cardLane(size_t number, std::string_view text, CardTexts texts, const ContextSpans &recorded,
    const ContextSpans &simulated, std::span<const UnloggedStretch> unlogged);

} // namespace core
