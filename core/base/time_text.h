// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Milliseconds since 1970-01-01 UTC.
using Timestamp = int64_t;
inline constexpr Timestamp kDayLength = 24 * 3'600'000;

/// The current time of the system clock.
[[nodiscard]] Timestamp timeNow();

/// Parses `2026-01-31T12:00:00.123+01:00` (ISO 8601 or RFC 3339). Fraction and offset are optional; without an offset
/// the time is UTC.
[[nodiscard]] std::optional<Timestamp> parseTime(std::string_view iso);

/// Midnight UTC of `2026-01-31`.
[[nodiscard]] std::optional<Timestamp> parseDay(std::string_view text);

/// Parses a start date: a day like `2026-01-31` (midnight UTC), or an age before `now` like `7d`, `12h`, `2w`.
[[nodiscard]] std::optional<Timestamp> parseSince(std::string_view text, Timestamp now);

/// `2026-01-31T12:00:00.123Z`
[[nodiscard]] std::string isoTime(Timestamp time);
/// `2026-01-31T12:00:00Z`; truncates the fraction of a second.
[[nodiscard]] std::string isoSeconds(Timestamp time);
/// `2026-01-31T12:00:00.123000+00:00`, as Python's `datetime.isoformat()` writes it in UTC.
[[nodiscard]] std::string pythonIsoTime(Timestamp time);
/// `2026-01-31 08:00 UTC`
[[nodiscard]] std::string minuteText(Timestamp time);
/// `2026-01-31` for a midnight in UTC, else `2026-01-31 08:00 UTC`.
[[nodiscard]] std::string sinceText(Timestamp time);

} // namespace core
