// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/hash.h"

#include <span>
#include <vector>

namespace core {

/// Which elements of a later sequence are elements of an earlier one.
struct Alignment {
    static constexpr uint32_t kNone = 0xffffffffU;

    std::vector<uint32_t> places; ///< for every element after: its place before, or `kNone`; places increase
    size_t prefix = 0;            ///< how many elements both sequences begin with
};

/// Pairs equal elements in order: the common prefix; beyond it the longest increasing sequence of elements that occur
/// once on both sides; between those, the same of the elements that occur several times, of which the last is paired
/// with the last: what is cut or rewritten is nearly always older than what is kept. O(n), for changes beyond the
/// prefix O(n log n).
[[nodiscard]] Alignment align(std::span<const Hash> before, std::span<const Hash> after);

} // namespace core
