// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/decimal_text.h"

#include <array>
#include <charconv>

namespace core {

namespace {

constexpr size_t kLongest = 400; ///< the digits of the largest double and a few decimals

} // namespace

std::string decimalText(double value)
{
    std::array<char, kLongest> digits {};
    char *const end = digits.data() + digits.size();
    return { digits.data(), std::to_chars(digits.data(), end, value, std::chars_format::fixed).ptr };
}

std::string decimalText(double value, int decimals)
{
    std::array<char, kLongest> digits {};
    char *const end = digits.data() + digits.size();
    return { digits.data(), std::to_chars(digits.data(), end, value, std::chars_format::fixed, decimals).ptr };
}

std::optional<double> parseDecimal(std::string_view text)
{
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

} // namespace core
