// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"

#include <span>
#include <vector>

namespace core {

/// Maps the elements of a later sequence to equal elements of an earlier one.
struct Alignment {
    static constexpr uint32_t kNone = 0xffffffffU;

    std::vector<uint32_t> places; ///< for each element after: its index before, or `kNone`; indices increase
    size_t prefix = 0;            ///< length of the common prefix
};

/// Pairs equal elements in order. First the common prefix. Then the longest increasing sequence of elements that occur
/// once on both sides. Between those, elements that occur several times are paired from the end: the older one is
/// nearly always the one that was cut or rewritten. O(n), for changes behind the prefix O(n log n).
[[nodiscard]] Alignment align(std::span<const Hash> before, std::span<const Hash> after);

} // namespace core
