// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace core {

/// A length with its unit: `0.1w` (share of the model's window), `20000tok`, `6msg`, `3results`, `2turns`. A share of
/// the window may have tokens subtracted: `1w-16384tok`.
struct Measure {
    enum class Unit : uint8_t { WindowFraction, Tokens, Messages, Results, Turns };
    double value = 0; ///< a share from 0 to 1, or a whole number
    Unit unit = Unit::Messages;
    double less = 0; ///< tokens taken from a share of the window

    /// For documents and options: `0.1w`, `1w-16384tok`, `20000tok`, `6msg`. `parseMeasure` returns the same measure.
    [[nodiscard]] std::string text() const;
    /// For editable fields: `10 %`, `100 % - 16,384 tok`, `6 msg`. `parseMeasure` reads it, to six digits.
    [[nodiscard]] std::string fieldText() const;
    /// For labels: `10 % of window`, `window less 16,384 tokens`, `20,000 tokens`, `6 messages`.
    [[nodiscard]] std::string words() const;
    /// Tokens in a window of this size; 0 if the unit is not a length in tokens.
    [[nodiscard]] double tokensIn(double window) const
    {
        return unit == Unit::Tokens ? value : unit == Unit::WindowFraction ? value * window - less : 0;
    }
    /// The tokens as a threshold: a share is rounded down; at least 1.
    [[nodiscard]] double thresholdIn(double window) const;
    friend bool operator==(const Measure &, const Measure &) = default;
};

/// Parses `0.1w`, `10%` or `10 % of window`, `1w-16384tok`, `20000tok` or `20k tok`, `6msg`, `3results`, `2turns`.
/// Ignores blanks, case and commas between thousands. `tokens` and `messages` may be written out; `k` and `M` mean
/// thousands and millions. Fails with Usage and the expected form.
[[nodiscard]] Result<Measure> parseMeasure(std::string_view text);

} // namespace core
