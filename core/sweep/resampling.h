// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <vector>

namespace core {

/// The range that holds 95 % of the resampled figures.
struct Interval {
    double low = 0;
    double high = 0;
};

/// With fewer items than this, a resampled interval is too narrow.
inline constexpr size_t kFewestResampled = 10;

/// Draws `count` indices with replacement, repeatedly (Efron's bootstrap). The same seed draws the same indices on
/// every machine.
class Resampler final {
public:
    Resampler(size_t count, uint64_t seed)
        : m_random(seed)
        , m_drawn(count)
    {
    }
    /// Valid until the next call.
    [[nodiscard]] std::span<const size_t> draw();

private:
    std::mt19937_64 m_random;
    std::vector<size_t> m_drawn;
};

/// The interval of a statistic over `count` items, from the 2.5th to the 97.5th percentile of resampled values. With
/// fewer than `kFewestResampled` items it is too narrow. NaN values are left out; if all are NaN, so is the interval.
[[nodiscard]] Interval resampledInterval(
    size_t count, uint64_t seed, size_t rounds, const std::function<double(std::span<const size_t>)> &statistic);

} // namespace core
