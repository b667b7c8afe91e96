// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/context_curve.h"

#include <algorithm>

namespace core {

ContextCurve contextCurve(const ArraySums &sums, const BlockTokens &tokens)
{
    const auto pointOf = [](const ArraySum &sum) { return ContextPoint { std::max(0.0, sum.value()), sum.basis }; };
    ContextCurve curve;
    for (const ArraySum &sum : sums.calls)
        curve.calls.push_back(pointOf(sum));
    curve.end = pointOf(sums.end);
    curve.events = sums.events;
    curve.recordedCount = sums.recordedCount;
    curve.peak = sums.peak;
    curve.error = tokens.error;
    return curve;
}

} // namespace core
