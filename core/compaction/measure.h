// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// A measure carries its unit: `0.1w` (of the model's window), `20000tok`, `6msg`, `3results`, `2turns`.
struct Measure {
    enum class Unit : uint8_t { WindowFraction, Tokens, Messages, Results, Turns };
    double value = 0; ///< a share from 0 to 1, or a whole number
    Unit unit = Unit::Messages;

    /// For documents and options: `0.1w`, `20000tok`, `6msg`. `parseMeasure` reads it back exactly.
    [[nodiscard]] std::string text() const;
    /// For fields that people edit: `10 %`, `20000tok`, `6msg`. `parseMeasure` reads it, to six digits.
    [[nodiscard]] std::string fieldText() const;
    /// For people to read: `10 % of window`, `20,000 tokens`, `6 messages`.
    [[nodiscard]] std::string words() const;
    /// In a window of so many tokens; 0 where it is no length in tokens.
    [[nodiscard]] double tokensIn(double window) const
    {
        return unit == Unit::Tokens ? value : unit == Unit::WindowFraction ? value * window : 0;
    }
    friend bool operator==(const Measure &, const Measure &) = default;
};

/// `0.1w`, `10%` or `10 % of window`, `20000tok` or `20k tok`, `6msg`, `3results`, `2turns`; blanks and capitals do not
/// matter, `tokens` and `messages` may be written out, `k` and `M` stand for thousands and millions. An error of kind
/// Usage says what is expected.
[[nodiscard]] Result<Measure> parseMeasure(std::string_view text);

} // namespace core
