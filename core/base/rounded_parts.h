// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <span>
#include <vector>

namespace core {

/// Rounds parts to integers that add up to `sum`, for figures shown beside their total. If the rounded parts add up to
/// another number, the parts with the largest rounding errors are rounded the other way, one by one. `sum` must be
/// within rounding of the sum of the parts. Without parts the result is empty. O(n log n).
[[nodiscard]] std::vector<long long> roundedParts(std::span<const double> parts, long long sum);
/// The same; `sum` is the rounded sum of the parts.
[[nodiscard]] std::vector<long long> roundedParts(std::span<const double> parts);

} // namespace core
