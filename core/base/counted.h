// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/text.h"

namespace core {

/// `run`, `runs`: the noun for that number. For nouns with a plural in -s.
[[nodiscard]] inline std::string plural(uint64_t number, std::string_view one)
{
    return std::string(one) + (number == 1 ? "" : "s");
}

/// `1 run`, `1,204 runs`.
[[nodiscard]] inline std::string counted(uint64_t number, std::string_view one)
{
    return groupedNumber(number) + " " + plural(number, one);
}

} // namespace core
