// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <string>

namespace testing {

/// What two cells tell otherwise, figures with a billionth of tolerance; empty if they tell the same.
inline std::string difference(const core::SweepFigures &one, const core::SweepFigures &other)
{
    std::string words;
    for (size_t i = 0; i < core::kSweepMetricCount; ++i) {
        const auto metric = static_cast<core::SweepMetric>(i);
        const double a = one[metric];
        const double b = other[metric];
        const bool isSame = std::isnan(a) ? std::isnan(b) : std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(b));
        if (!isSame)
            words += std::format("{} {} | {}; ", core::infoOf(metric).id, a, b);
    }
    if (one.isExtrapolated != other.isExtrapolated)
        words += "extrapolated; ";
    if (one.summaries != other.summaries || std::abs(one.summaryTokens - other.summaryTokens) > 1e-6)
        words += std::format("summaries {} | {}; ", one.summaries, other.summaries);
    return words;
}

} // namespace testing
