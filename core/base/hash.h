// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// A 128-bit content hash (XXH3). Where comparing bytes is expensive, equal hashes count as equal content.
struct Hash {
    uint64_t low = 0;
    uint64_t high = 0;

    [[nodiscard]] bool isNull() const { return low == 0 && high == 0; }
    friend constexpr auto operator<=>(const Hash &, const Hash &) = default;
};

[[nodiscard]] Hash hashOf(std::string_view bytes);

/// Order matters: `combine(a, b)` differs from `combine(b, a)`.
[[nodiscard]] Hash combine(Hash a, Hash b);

} // namespace core

template <>
struct std::hash<core::Hash> {
    size_t operator()(const core::Hash &value) const noexcept { return static_cast<size_t>(value.low ^ value.high); }
};
