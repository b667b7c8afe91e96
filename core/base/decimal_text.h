// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Numbers with a decimal point in every locale. Qt sets LC_NUMERIC from the environment, and `printf` and `stod` write
/// and read a comma under German, for example.

/// The shortest digits that give the number back, without an exponent.
[[nodiscard]] std::string decimalText(double value);
/// Rounded to so many digits behind the point.
[[nodiscard]] std::string decimalText(double value, int decimals);
/// Nothing unless all of `text` is a number.
[[nodiscard]] std::optional<double> parseDecimal(std::string_view text);

} // namespace core
