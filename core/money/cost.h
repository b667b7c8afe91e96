// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/recorded_cache.h"
#include "core/money/prices.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// What a cache read and wrote as it is billed; `lifetime` of what it wrote, in milliseconds.
[[nodiscard]] BilledTokens billedTokens(const CacheReading &reading, double output, Timestamp lifetime);

/// One call of a run, recorded or replayed, with what its price depends on. Token figures are as good as the run's.
struct RunCall {
    BilledTokens tokens;
    std::optional<Price> price; ///< nothing for an unknown model
    double fresh = 0;           ///< tokens of the prompt that no call before was sent: they enter a cache anyhow
    CacheCause cause = CacheCause::None;
    bool isSummary = false; ///< a request of its own for a summary: it reads the prefix and writes the summary
    double refetched = 0;   ///< tokens that had to be fetched again because they were lost; beyond `tokens`

    /// In dollars; 0 without a price.
    [[nodiscard]] double cost() const;
};

/// A run's cost in dollars, in five parts that add up to it.
struct CostParts {
    double resent = 0;             ///< contexts sent and answered, as if no cache had been lost
    double compactionRewrites = 0; ///< what it cost beyond reading to write again what a compaction had changed
    double idleRewrites = 0;       ///< the same where the cache had run out
    double summaries = 0;          ///< requests for summaries
    double refetched = 0;          ///< fetching again what was lost

    [[nodiscard]] double total() const { return resent + compactionRewrites + idleRewrites + summaries + refetched; }
};

/// Tokens that are neither fresh nor read were written, or billed as input, once more; what that costs more than
/// reading goes to compaction or to idling by the call's cause. Where another cause broke the cache it stays in
/// `resent`. Calls without a price cost nothing here.
void addTo(CostParts &parts, const RunCall &call);
[[nodiscard]] CostParts costParts(std::span<const RunCall> run);

/// Part by part: what `run` costs more than `other`; negative where it costs less.
[[nodiscard]] CostParts difference(const CostParts &run, const CostParts &other);

/// When a compaction had saved what it cost.
struct PayBack {
    std::optional<size_t> after; ///< calls after the one at which it fired; nothing: never in this run
    size_t followed = 0;         ///< calls after that one

    /// `pays back after 4 calls; 61 followed` or `never paid back: 2 calls followed`.
    [[nodiscard]] std::string sentence() const;
};

/// Compares two runs call by call, `costs` with the compaction before call `fired`, `otherCosts` without: the first
/// call from there on behind which the sum of `costs` is no longer the higher one. A request for a summary is in the
/// cost of the call that it was for. O(calls).
[[nodiscard]] PayBack payBack(std::span<const double> costs, std::span<const double> otherCosts, size_t fired);

/// A recorded call's cost in dollars.
struct CallCost {
    Position position;
    std::optional<double> recorded; ///< from its usage; nothing without a price
    std::optional<double> computed; ///< from what the cache model says of it; nothing without a model of the cache
};

struct SessionCost {
    std::vector<CallCost> calls; ///< those with usage, thread by thread
    double recorded = 0;         ///< of the calls that have a price
    double computed = 0;         ///< of the same calls
    bool isComputed = false;     ///< all calls with a price have a computed cost
    std::vector<std::string> unpricedModels;
    size_t unpricedCalls = 0;

    /// `We compute $4.02, usage says $4.10.`, with what has no price.
    [[nodiscard]] std::string sentence() const;
    /// `Usage says $4.10.`, with what has no price.
    [[nodiscard]] std::string recordedSentence() const;
    /// The unpriced models, joined by commas; one without a name is said to be `a model that is not named`.
    [[nodiscard]] std::string unpricedNames() const;
};

/// What a recorded session cost, by its usage and by the cache model. A call without a time has the latest prices.
[[nodiscard]] SessionCost recordedCost(const Session &session, const RecordedCache &cache, const Prices &prices);

/// The recorded calls of a thread as a run, to be compared with a replayed one. Fresh is what a prompt has beyond what
/// the call before it left in the cache; behind a compaction, nothing.
[[nodiscard]] std::vector<RunCall> recordedRun(
    const Session &session, ThreadIndex thread, const RecordedCache &cache, const Prices &prices);

/// `$4.02`; below a cent three significant digits.
[[nodiscard]] std::string dollars(double amount);

} // namespace core
