// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Reads since when runs count: a day like `2026-01-31`, from its midnight (UTC) on, or `7d`, `12h`, `2w` before `now`;
/// nothing where it is neither.
[[nodiscard]] std::optional<Timestamp> parseSince(std::string_view text, Timestamp now);

/// The time of the system's clock.
[[nodiscard]] Timestamp timeNow();

/// `2026-01-31`, the day in UTC; where it is not its midnight `2026-01-31 08:00 UTC`.
[[nodiscard]] std::string sinceText(Timestamp time);

} // namespace core
