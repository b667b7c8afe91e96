// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <span>
#include <vector>

namespace core {

/// Parts as whole numbers that add up to `sum`, for figures that are shown beside their total: each is rounded, and
/// what rounding leaves over goes, one each, to those that it changed most against it. `sum` is no further from theirs
/// than rounding takes it; without parts there is nothing to give. O(n log n).
[[nodiscard]] std::vector<long long> roundedParts(std::span<const double> parts, long long sum);
/// The same with the rounded sum of the parts.
[[nodiscard]] std::vector<long long> roundedParts(std::span<const double> parts);

} // namespace core
