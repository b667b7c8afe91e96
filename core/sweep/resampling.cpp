// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/resampling.h"

#include "core/evidence/reach.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace core {

std::span<const size_t> Resampler::draw()
{
    // No std distribution, as results differ between libraries. The bias of the remainder is below 1e-15.
    for (size_t &each : m_drawn)
        each = m_random() % m_drawn.size();
    return m_drawn;
}

Interval resampledInterval(
    size_t count, uint64_t seed, size_t rounds, const std::function<double(std::span<const size_t>)> &statistic)
{
    constexpr double kOutside = 0.025; // on either side
    Resampler resampler(count, seed);
    std::vector<double> values;
    for (size_t i = 0; i < rounds && count > 0; ++i) {
        if (const double value = statistic(resampler.draw()); !std::isnan(value))
            values.push_back(value);
    }
    std::ranges::sort(values);
    if (values.empty())
        return { std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN() };
    return { quantile(values, kOutside), quantile(values, 1 - kOutside) };
}

} // namespace core
