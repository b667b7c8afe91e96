// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/time_text.h"

#include <charconv>
#include <chrono>
#include <memory>

namespace core {

// The formats of <chrono> take GCC 19 seconds to compile, so these texts are assembled by hand.

namespace {

namespace chrono = std::chrono;

constexpr Timestamp kSecond = 1000;
constexpr Timestamp kMinute = 60 * kSecond;
constexpr Timestamp kHour = 60 * kMinute;

/// The number of `count` digits at `from`; -1 if there is none.
int digitsAt(std::string_view text, size_t from, size_t count)
{
    if (from + count > text.size())
        return -1;
    int value = 0;
    for (const char c : text.substr(from, count)) {
        if (c < '0' || c > '9')
            return -1;
        value = value * 10 + (c - '0');
    }
    return value;
}

/// Midnight of a date; nullopt if the date does not exist.
std::optional<Timestamp> midnightOf(int year, int month, int day)
{
    if (year < 0 || month < 1 || day < 1)
        return std::nullopt;
    const chrono::year_month_day date { chrono::year(year), chrono::month(static_cast<unsigned>(month)),
        chrono::day(static_cast<unsigned>(day)) };
    if (!date.ok())
        return std::nullopt;
    return chrono::milliseconds(chrono::sys_days(date).time_since_epoch()).count();
}

/// `7d`
std::optional<Timestamp> parseAge(std::string_view text)
{
    constexpr unsigned kMost = 100'000;
    if (text.empty())
        return std::nullopt;
    const char unit = text.back();
    const Timestamp each = unit == 'h' ? kHour : unit == 'd' ? kDayLength : unit == 'w' ? 7 * kDayLength : 0;
    text.remove_suffix(1);
    unsigned number = 0;
    const char *end = std::to_address(text.end());
    const auto [last, error] = std::from_chars(std::to_address(text.begin()), end, number);
    if (error != std::errc() || last != end || number > kMost || each == 0)
        return std::nullopt;
    return each * number;
}

std::string padded(int64_t number, size_t digits)
{
    std::string text = std::to_string(number < 0 ? -number : number);
    if (text.size() < digits)
        text.insert(0, digits - text.size(), '0');
    return number < 0 ? "-" + text : text;
}

Timestamp startOfDay(Timestamp time)
{
    const Timestamp intoDay = time % kDayLength;
    return time - intoDay - (intoDay < 0 ? kDayLength : 0);
}

/// `2026-01-31`
std::string dayText(Timestamp time)
{
    const chrono::year_month_day date { chrono::sys_days(chrono::days(startOfDay(time) / kDayLength)) };
    return padded(int { date.year() }, 4) + "-" + padded(unsigned { date.month() }, 2) + "-"
        + padded(unsigned { date.day() }, 2);
}

/// `12:00`
std::string clockText(Timestamp time)
{
    const Timestamp intoDay = time - startOfDay(time);
    return padded(intoDay / kHour, 2) + ":" + padded(intoDay % kHour / kMinute, 2);
}

/// `2026-01-31T12:00:00`
std::string secondsText(Timestamp time)
{
    const Timestamp intoDay = time - startOfDay(time);
    return dayText(time) + "T" + clockText(time) + ":" + padded(intoDay % kMinute / kSecond, 2);
}

/// `2026-01-31T12:00:00.123`
std::string millisecondsText(Timestamp time)
{
    return secondsText(time) + "." + padded((time - startOfDay(time)) % kSecond, 3);
}

} // namespace

Timestamp timeNow()
{
    return chrono::duration_cast<chrono::milliseconds>(chrono::system_clock::now().time_since_epoch()).count();
}

std::optional<Timestamp> parseTime(std::string_view iso)
{
    const auto midnight = midnightOf(digitsAt(iso, 0, 4), digitsAt(iso, 5, 2), digitsAt(iso, 8, 2));
    const int hour = digitsAt(iso, 11, 2);
    const int minute = digitsAt(iso, 14, 2);
    const int second = digitsAt(iso, 17, 2);
    if (!midnight || hour < 0 || minute < 0 || second < 0)
        return std::nullopt;
    Timestamp time = *midnight + hour * kHour + minute * kMinute + second * kSecond;
    size_t i = 19;
    if (i < iso.size() && iso[i] == '.') {
        ++i;
        Timestamp scale = 100;
        for (; i < iso.size() && iso[i] >= '0' && iso[i] <= '9'; ++i, scale /= 10)
            time += (iso[i] - '0') * scale;
    }
    if (i + 5 < iso.size() && (iso[i] == '+' || iso[i] == '-')) {
        const int hours = digitsAt(iso, i + 1, 2);
        const int minutes = digitsAt(iso, i + 4, 2);
        if (hours >= 0 && minutes >= 0)
            time -= (iso[i] == '+' ? 1 : -1) * (hours * kHour + minutes * kMinute);
    }
    return time;
}

std::optional<Timestamp> parseDay(std::string_view text)
{
    if (text.size() != 10 || text[4] != '-' || text[7] != '-')
        return std::nullopt;
    return midnightOf(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2));
}

std::optional<Timestamp> parseSince(std::string_view text, Timestamp now)
{
    const auto age = parseAge(text);
    return age ? std::optional(now - *age) : parseDay(text);
}

std::string isoTime(Timestamp time) { return millisecondsText(time) + "Z"; }
std::string isoSeconds(Timestamp time) { return secondsText(time) + "Z"; }
std::string pythonIsoTime(Timestamp time) { return millisecondsText(time) + "000+00:00"; }
std::string minuteText(Timestamp time) { return dayText(time) + " " + clockText(time) + " UTC"; }
std::string sinceText(Timestamp time) { return time == startOfDay(time) ? dayText(time) : minuteText(time); }

} // namespace core
