// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Numbers with a decimal point in every locale. Qt sets LC_NUMERIC from the environment, so `printf` and `stod` use a
/// decimal comma in a German locale, for example.

/// The fewest digits that parse to the same number, without an exponent.
[[nodiscard]] std::string decimalText(double value);
/// Rounded to `decimals` digits after the point.
[[nodiscard]] std::string decimalText(double value, int decimals);
/// nullopt unless all of `text` is a number.
[[nodiscard]] std::optional<double> parseDecimal(std::string_view text);

} // namespace core
