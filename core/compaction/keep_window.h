// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/tokens/weights.h"

#include <string>

namespace core {

/// A measure carries its unit: `0.1w` (of the model's window), `20000tok`, `6msg`.
struct Measure {
    enum class Unit : uint8_t { WindowFraction, Tokens, Messages };
    double value = 0;
    Unit unit = Unit::Messages;

    [[nodiscard]] std::string text() const;
    friend bool operator==(const Measure &, const Measure &) = default;
};

/// `0.1w`, `20000tok` or `20k tok`, `6msg`; an error says what is expected.
[[nodiscard]] Result<Measure> parseMeasure(std::string_view text);

/// Index of the first slot of the keep window: the trailing slots that hold at most `keep`. Slots before it may be
/// rewritten, it and those after it stay verbatim. A window fraction is of the model's window where that is known, else of
/// the array. Token measures keep whole slots, and at least the last one.
[[nodiscard]] size_t keepCutoff(const Transcript &transcript, const Measure &keep, const BlockTokens &tokens);

} // namespace core
