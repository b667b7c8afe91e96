// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/cache_misses.h"

#include "core/base/counted.h"
#include "core/base/format.h"

namespace core {

namespace {

constexpr double kLeastMissed = 1'000;  ///< tokens of a call; counts of a prefix differ by less
constexpr double kLeastExplained = 0.5; ///< of the difference

} // namespace

bool CacheMisses::explain(double error) const
{
    return error < 0 && dollars >= 0.005 && dollars >= -error * kLeastExplained;
}

std::string CacheMisses::sentence() const
{
    return formatted("at {}, the provider read less from its cache than Palimpsest computes; that cost {}",
        counted(calls, "call"), core::dollars(dollars));
}

CacheMisses cacheMisses(std::span<const RunCall> recorded, std::span<const RunCall> computed)
{
    std::vector<const RunCall *> calls;
    for (const RunCall &call : computed) {
        if (!call.isSummary)
            calls.push_back(&call);
    }
    CacheMisses misses;
    for (const RunCall &call : recorded) {
        if (!call.price || call.call.index() >= calls.size())
            continue;
        const double missed = calls[call.call.index()]->tokens.cacheRead - call.tokens.cacheRead;
        if (missed < kLeastMissed)
            continue;
        ++misses.calls;
        misses.tokens += missed;
        misses.dollars += call.beyondReading(missed);
    }
    return misses;
}

} // namespace core
