// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/rounded_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace core {

std::vector<long long> roundedParts(std::span<const double> parts, long long sum)
{
    std::vector<long long> rounded;
    for (const double part : parts)
        rounded.push_back(std::llround(part));
    const long long left = sum - std::accumulate(rounded.begin(), rounded.end(), 0LL);
    const long long one = left < 0 ? -1 : 1;
    std::vector<size_t> order(parts.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::ranges::stable_sort(
        order, {}, [&](size_t i) { return static_cast<double>(one) * (static_cast<double>(rounded[i]) - parts[i]); });
    for (size_t i = 0; i < std::min(order.size(), static_cast<size_t>(left * one)); ++i)
        rounded[order[i]] += one;
    return rounded;
}

std::vector<long long> roundedParts(std::span<const double> parts)
{
    return roundedParts(parts, std::llround(std::accumulate(parts.begin(), parts.end(), 0.0)));
}

} // namespace core
