// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/since.h"

#include <charconv>
#include <chrono>
#include <format>
#include <memory>
#include <sstream>

namespace core {

namespace {

using namespace std::chrono;

/// `7d`; nothing where it is none.
std::optional<milliseconds> parseAge(std::string_view text)
{
    constexpr unsigned kMost = 100'000;
    if (text.empty())
        return std::nullopt;
    const char unit = text.back();
    const hours each { unit == 'h' ? 1 : unit == 'd' ? 24 : unit == 'w' ? 7 * 24 : 0 };
    text.remove_suffix(1);
    unsigned number = 0;
    const char *end = std::to_address(text.end());
    const auto [last, error] = std::from_chars(std::to_address(text.begin()), end, number);
    if (error != std::errc() || last != end || number > kMost || each.count() == 0)
        return std::nullopt;
    return each * static_cast<int64_t>(number);
}

} // namespace

std::optional<Timestamp> parseSince(std::string_view text, Timestamp now)
{
    if (const auto age = parseAge(text))
        return now - age->count();
    sys_days day;
    std::istringstream stream { std::string(text) };
    if (stream >> parse("%F", day) && stream.peek() == std::istringstream::traits_type::eof())
        return duration_cast<milliseconds>(day.time_since_epoch()).count();
    return std::nullopt;
}

Timestamp timeNow() { return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count(); }

std::string sinceText(Timestamp time)
{
    const sys_time<milliseconds> at { milliseconds(time) };
    return at == floor<days>(at) ? std::format("{:%F}", at) : std::format("{:%F %H:%M} UTC", floor<minutes>(at));
}

} // namespace core
