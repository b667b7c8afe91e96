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

/// Where 95 % of the figures of resampled sessions lie.
struct Interval {
    double low = 0;
    double high = 0;
};

/// Draws as many of `count` things as there are, with replacement, again and again (Efron's bootstrap). The same seed
/// draws the same on every machine.
class Resampler final {
public:
    Resampler(size_t count, uint64_t seed)
        : m_random(seed)
        , m_drawn(count)
    {
    }
    /// Valid until the next one.
    [[nodiscard]] std::span<const size_t> draw();

private:
    std::mt19937_64 m_random;
    std::vector<size_t> m_drawn;
};

/// The interval of a statistic over `count` things: from the 2.5th to the 97.5th of its percentiles over resampled
/// ones; of fewer than ten things it is narrower than it should be. Draws in which it is not a number are left out;
/// where it never is one, the interval is not either.
[[nodiscard]] Interval resampledInterval(
    size_t count, uint64_t seed, size_t rounds, const std::function<double(std::span<const size_t>)> &statistic);

} // namespace core
