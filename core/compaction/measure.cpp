// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/measure.h"

#include "core/base/counted.h"
#include "core/base/decimal_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>

namespace core {

namespace {

struct UnitName {
    std::string_view name;
    Measure::Unit unit;
};
/// The first name of a unit is used for writing.
constexpr auto kUnitNames = std::to_array<UnitName>(
    { UnitName { "w", Measure::Unit::WindowFraction }, { "window", Measure::Unit::WindowFraction },
        { "tok", Measure::Unit::Tokens }, { "token", Measure::Unit::Tokens }, { "tokens", Measure::Unit::Tokens },
        { "msg", Measure::Unit::Messages }, { "msgs", Measure::Unit::Messages }, { "message", Measure::Unit::Messages },
        { "messages", Measure::Unit::Messages }, { "results", Measure::Unit::Results },
        { "result", Measure::Unit::Results }, { "turns", Measure::Unit::Turns }, { "turn", Measure::Unit::Turns } });

/// Larger values are typing errors; integers are exact up to here.
constexpr double kLargest = 1e15;

/// Whether the comma at `at` separates thousands, as in `16,384`.
bool separatesThousands(std::string_view text, size_t at)
{
    const std::string_view behind = text.substr(at + 1);
    return at > 0 && isDigit(text[at - 1]) && behind.size() >= 3 && std::ranges::all_of(behind.substr(0, 3), isDigit)
        && (behind.size() == 3 || !isDigit(behind[3]));
}

/// Without blanks and commas between thousands, in lower case.
std::string condensed(std::string_view text)
{
    std::string result;
    for (size_t at = 0; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (std::isspace(byte) == 0 && !(text[at] == ',' && separatesThousands(text, at)))
            result += static_cast<char>(std::tolower(byte));
    }
    return result;
}

std::string_view nameOf(Measure::Unit unit) { return std::ranges::find(kUnitNames, unit, &UnitName::unit)->name; }

std::unexpected<Error> refuse(std::string_view text, std::string_view reason)
{
    return failure(ErrorKind::Usage,
        "“" + std::string(text) + "” " + std::string(reason)
            + ". Write a number with its unit, such as 10% (of the window), 20000tok or 6msg.");
}

} // namespace

std::string Measure::text() const
{
    return decimalText(value) + std::string(nameOf(unit)) + (less > 0 ? "-" + decimalText(less) + "tok" : "");
}

std::string Measure::fieldText() const
{
    const auto grouped = [](double whole, std::string_view name) {
        return groupedNumber(static_cast<uint64_t>(whole)) + " " + std::string(name);
    };
    if (unit != Unit::WindowFraction)
        return grouped(value, nameOf(unit));
    std::array<char, 64> digits {};
    const auto end
        = std::to_chars(digits.data(), digits.data() + digits.size(), value * 100, std::chars_format::general, 6).ptr;
    return std::string(digits.data(), end) + " %" + (less > 0 ? " - " + grouped(less, nameOf(Unit::Tokens)) : "");
}

double Measure::thresholdIn(double window) const
{
    return unit == Unit::WindowFraction ? std::max(1.0, std::floor(window * value) - less)
                                        : std::max(1.0, tokensIn(window));
}

std::string Measure::words() const
{
    const auto count = static_cast<uint64_t>(value);
    switch (unit) {
    case Unit::WindowFraction: {
        const std::string share
            = value == 1 && less > 0 ? "window" : Measure { value, unit }.fieldText() + " of window";
        return less > 0 ? share + " less " + counted(static_cast<uint64_t>(less), "token") : share;
    }
    case Unit::Tokens:
        return counted(count, "token");
    case Unit::Messages:
        return counted(count, "message");
    case Unit::Results:
        return counted(count, "result");
    case Unit::Turns:
        return counted(count, "turn");
    }
    return text();
}

Result<Measure> parseMeasure(std::string_view text)
{
    const std::string measure = condensed(text);
    if (const size_t minus = measure.find('-'); minus != std::string::npos && minus > 0) {
        const auto share = parseMeasure(std::string_view(measure).substr(0, minus));
        const auto less = parseMeasure(std::string_view(measure).substr(minus + 1));
        if (!share || !less || share->unit != Measure::Unit::WindowFraction || less->unit != Measure::Unit::Tokens)
            return refuse(text, "is not a share of the window minus some tokens");
        return Measure { share->value, share->unit, less->value };
    }
    Measure result;
    const char *const measureEnd = measure.data() + measure.size();
    const auto [numberEnd, error] = std::from_chars(measure.data(), measureEnd, result.value, std::chars_format::fixed);
    if (error != std::errc() || !std::isfinite(result.value))
        return refuse(text, "is not a measure");
    if (std::signbit(result.value))
        return refuse(text, "is out of range");
    std::string_view unit(numberEnd, measureEnd);
    const auto unitOf = [](std::string_view name) { return std::ranges::find(kUnitNames, name, &UnitName::name); };
    if (unitOf(unit) == kUnitNames.end() && (unit.starts_with('k') || unit.starts_with('m'))) {
        result.value *= unit.front() == 'k' ? 1e3 : 1e6;
        unit.remove_prefix(1);
    }
    if (unit == "%" || unit == "%ofwindow" || unit == "%ofthewindow") {
        // Parses again with an exponent: dividing 33.3 % by 100 would not give exactly 0.333.
        const std::string share = std::string(measure.c_str(), numberEnd) + "e-2";
        std::from_chars(share.data(), share.data() + share.size(), result.value);
        unit = "w";
    }
    const auto *const found = unitOf(unit);
    if (found == kUnitNames.end())
        return refuse(text, unit.empty() ? "has no unit" : "has an unknown unit");
    result.unit = found->unit;
    if (result.value > kLargest)
        return refuse(text, "is out of range");
    if (result.unit == Measure::Unit::WindowFraction) {
        if (result.value > 1)
            return refuse(text, "is more than the whole window");
        return result;
    }
    const double whole = std::round(result.value);
    if (std::abs(result.value - whole) > 1e-9 * std::max(1.0, whole)) // 0.3k is not exactly 300
        return refuse(text, "is not a whole number");
    result.value = whole;
    return result;
}

} // namespace core
