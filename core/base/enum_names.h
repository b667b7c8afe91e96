// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace core {

/// The names that documents use for the values of an enumeration, in the order of the enumerators.
template <typename Enum, size_t count>
struct EnumNames {
    std::array<std::string_view, count> names;

    [[nodiscard]] constexpr std::string_view of(Enum value) const { return names.at(static_cast<size_t>(value)); }
    [[nodiscard]] constexpr std::optional<Enum> named(std::string_view name) const
    {
        const auto found = std::ranges::find(names, name);
        return found == names.end() ? std::nullopt : std::optional(static_cast<Enum>(found - names.begin()));
    }
};

/// Joins names: `none, back or balanced`.
[[nodiscard]] inline std::string alternatives(std::span<const std::string_view> names)
{
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

} // namespace core
