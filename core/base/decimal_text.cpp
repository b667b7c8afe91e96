// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/decimal_text.h"

#include <array>
#include <charconv>

namespace core {

namespace {

constexpr size_t kLongest = 400; ///< digits of the largest double, a few behind the point

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
    const char *const end = text.data() + text.size();
    const auto [last, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
}

} // namespace core
