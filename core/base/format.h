// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <format>
#include <string>
#include <string_view>

namespace core {

/// `std::vformat`, compiled once: each unit that calls `std::vformat` itself compiles two seconds longer.
[[nodiscard]] std::string vformatted(std::string_view format, std::format_args arguments);

/// `std::format`; the format string is checked at compile time.
template <typename... Arguments>
[[nodiscard]] std::string formatted(std::format_string<Arguments...> format, Arguments &&...arguments)
{
    return vformatted(format.get(), std::make_format_args(arguments...));
}

} // namespace core
