// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/cache_model.h"

#include <algorithm>
#include <cmath>

namespace core {

/// What a request can read, and how far back its entries were looked at.
struct CacheFind {
    double read = 0;
    size_t first = CacheCall::kNone; ///< the first request of which more than its time and model counted
};

/// Where a request's marks stand by the rules: those of its harness, of system prompt and tools, and of the cache.
[[nodiscard]] CacheMarks cacheMarks(const CacheRules &rules, const CacheCall &call);

/// What of a prompt is written, where the last mark is at `kept`, and what is billed as input.
inline void fillParts(CacheReading &reading, const CacheRules &rules, double prompt, double kept)
{
    reading.written = rules.kind == CacheKind::Steps ? 0 : std::max(0.0, kept - reading.read);
    reading.uncached = std::max(0.0, prompt - reading.read - reading.written);
}

/// How long the cache keeps what a request writes that asked for `lifetime`, 0 for as long as is usual.
[[nodiscard]] inline Timestamp cacheLifetime(const CacheRules &rules, Timestamp lifetime)
{
    return (lifetime > 0 ? lifetime : rules.lifetime) + rules.grace;
}

namespace cachewalk {

/// Recorded sizes of one and the same prefix differ by a token or two.
inline constexpr double kSlack = 8;

/// The whole steps in a prefix. Its tokens are a sum, of which the last digits are not to be trusted.
[[nodiscard]] inline double wholeSteps(const CacheRules &rules, double tokens)
{
    constexpr double kGrain = 1e-6;
    return std::floor((tokens + kGrain) / rules.step) * rules.step;
}

/// Time between two requests; 0 where one has none.
[[nodiscard]] inline Timestamp between(const std::optional<Timestamp> &earlier, const std::optional<Timestamp> &later)
{
    return earlier && later ? *later - *earlier : 0;
}

/// What `call` can read of what a request left, with which it has the first `common` tokens in common.
[[nodiscard]] double readableOf(
    const CacheRules &rules, const CacheEntry &entry, const CacheCall &call, const CacheMarks &marks, double common);

/// Whether all marks but that of system prompt and tools look back to no request as short as this one. Then they find
/// none before it either: what of an earlier request both this and a later one begin with is no longer than this one.
[[nodiscard]] bool isBehindLookback(const CacheRules &rules, const CacheEntry &earlier, const CacheMarks &marks);

/// Whether neither the request nor any before it left more than `best` that the first `common` tokens hold.
[[nodiscard]] inline bool isExhausted(const CacheRules &rules, const CacheEntry &earlier, double common, double best)
{
    return rules.kind != CacheKind::Steps && earlier.least > common + kSlack && earlier.prelude <= best;
}

} // namespace cachewalk

/// Goes from request to request along the bases, as long as each kept alive what the one before it left. Messages are
/// kept alive by requests with the same options, system prompt and tools by all. `entryAt(index)` is what is kept of a
/// request. O(1) where the array grew, else O(requests back to a mark that still stands).
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
            break; // nothing further back can hold more
        common = std::min(common, earlier.shared);
        index = earlier.base;
    }
    return found;
}

} // namespace core
