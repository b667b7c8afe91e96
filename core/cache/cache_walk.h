// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_model.h"

#include <algorithm>
#include <cmath>

namespace core {

/// The tokens a request can read, and how far the search went back.
struct CacheFind {
    double read = 0;
    size_t first = CacheCall::kNone; ///< index of the earliest request that the walk reached
};

/// The marks of a request that are long enough to be cached: the end of system prompt and tools, the marks that the
/// harness sets, and the mark that some caches set at the end.
[[nodiscard]] CacheMarks cacheMarks(const CacheRules &rules, const CacheCall &call);

/// Splits the rest of a prompt after the read part into written and uncached; `kept` is the last mark.
inline void fillParts(CacheReading &reading, const CacheRules &rules, double prompt, double kept)
{
    reading.written = rules.kind == CacheKind::Steps ? 0 : std::max(0.0, kept - reading.read);
    reading.uncached = std::max(0.0, prompt - reading.read - reading.written);
}

/// The cache lifetime of a request's writes; `lifetime` is the requested one, 0 for the default.
[[nodiscard]] inline Timestamp cacheLifetime(const CacheRules &rules, Timestamp lifetime)
{
    return (lifetime > 0 ? lifetime : rules.lifetime) + rules.grace;
}

namespace cachewalk {

/// Recorded sizes of the same prefix differ by a token or two.
inline constexpr double kSlack = 8;

/// Rounds down to whole steps. `tokens` is a floating-point sum, so its last digits are ignored.
[[nodiscard]] inline double wholeSteps(const CacheRules &rules, double tokens)
{
    constexpr double kGrain = 1e-6;
    return std::floor((tokens + kGrain) / rules.step) * rules.step;
}

/// Time between two requests; 0 if a time is missing.
[[nodiscard]] inline Timestamp between(const std::optional<Timestamp> &earlier, const std::optional<Timestamp> &later)
{
    return earlier && later ? *later - *earlier : 0;
}

/// Tokens that `call` can read of an entry, if both share the first `common` tokens.
[[nodiscard]] double readableOf(
    const CacheRules &rules, const CacheEntry &entry, const CacheCall &call, const CacheMarks &marks, double common);

/// True if every mark, except that of the prelude, lies more than `lookback` blocks after the end of `earlier`. Then
/// requests before `earlier` are out of reach too: their shared prefix is at most as long as `earlier`.
[[nodiscard]] bool isBehindLookback(const CacheRules &rules, const CacheEntry &earlier, const CacheMarks &marks);

/// True if this request and all requests that it continues have no entry longer than `best` in the first `common`
/// tokens.
[[nodiscard]] inline bool isExhausted(const CacheRules &rules, const CacheEntry &earlier, double common, double best)
{
    return rules.kind != CacheKind::Steps && earlier.least > common + kSlack && earlier.prelude <= best;
}

} // namespace cachewalk

/// Follows `base` from request to request, back in time. Stops at a request whose entries were not refreshed in time.
/// Requests with the same options refresh messages; all requests refresh system prompt and tools. `entryAt(index)`
/// returns the entry of a request. O(1) where the array grew, else O(requests back to a surviving mark).
template <typename EntryAt>
[[nodiscard]] CacheFind findReadable(
    const CacheRules &rules, const CacheCall &call, const CacheMarks &marks, const EntryAt &entryAt)
{
    using namespace cachewalk;
    CacheFind found;
    double common = call.shared;
    std::optional<Timestamp> later = call.sent;
    std::optional<Timestamp> laterAlike = call.sent;
    size_t looked = 0;
    for (size_t index = call.base; index != CacheCall::kNone;) {
        const CacheEntry &earlier = entryAt(index);
        if (rules.breakpoints > 0 && ++looked > rules.breakpoints)
            break;
        found.first = index;
        if (earlier.model == call.model) {
            if (between(earlier.readable, later) > earlier.preludeLifetime)
                break;
            const bool isAlike
                = earlier.options == call.options && between(earlier.readable, laterAlike) <= earlier.lifetime;
            const double within = isAlike ? common : std::min(common, call.prelude);
            found.read = std::max(found.read, readableOf(rules, earlier, call, marks, within));
            later = earlier.sent ? earlier.sent : later;
            laterAlike = isAlike && earlier.sent ? earlier.sent : laterAlike;
        }
        const bool mayFindPrelude = found.read == 0 && !marks.empty() && marks.begin()->blocks == 0
            && marks.begin()->tokens <= common + kSlack;
        if (found.read + kSlack + rules.step >= std::min(common, call.end.tokens)
            || (!mayFindPrelude
                && (isBehindLookback(rules, earlier, marks) || isExhausted(rules, earlier, common, found.read))))
            break; // no earlier request can hold more
        common = std::min(common, earlier.shared);
        index = earlier.base;
    }
    return found;
}

} // namespace core
