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

/// A cache reading as billed tokens. `lifetime` of the written entries, in milliseconds.
[[nodiscard]] BilledTokens billedTokens(const CacheReading &reading, double output, Timestamp lifetime);

/// One call of a recorded or replayed run, with everything its price depends on. Token figures are as exact as the
/// run's.
struct RunCall {
    BilledTokens tokens;
    std::optional<Price> price; ///< nullopt for an unknown model
    double fresh = 0;           ///< prompt tokens that no earlier call sent; every run caches these once
    CacheCause cause = CacheCause::None;
    bool isSummary = false;  ///< an extra request for a summary: it reads the prefix and writes the summary
    bool isLogEntry = false; ///< the same for an entry of a log; `isSummary` is set, too
    bool isByWorker = false; ///< a worker writes the summary beside the session; `isSummary` is set, too
    double refetched = 0;    ///< tokens to fetch again because a compaction lost them; not part of `tokens`
    CallIndex call {};       ///< of a recorded run

    /// In dollars; 0 without a price.
    [[nodiscard]] double cost() const;
    /// The prompt tokens that an earlier call had sent and that the cache no longer held.
    [[nodiscard]] double rewritten() const;
    /// What prompt tokens that were not read from the cache cost beyond reading them, in dollars; 0 without a price.
    [[nodiscard]] double beyondReading(double notRead) const;
    [[nodiscard]] double rewritingCost() const { return beyondReading(rewritten()); }
};

/// The price of a prompt token that is not read: as a write if the call wrote, else as input. In dollars for a million.
[[nodiscard]] double entryPrice(const BilledTokens &tokens, const Price &price);

/// A run's cost in dollars, split into five parts.
struct CostParts {
    double resent = 0;             ///< sending contexts and answering, as if no cache had been lost
    double compactionRewrites = 0; ///< rewriting the cache after compactions, beyond the cost of reading
    double idleRewrites = 0;       ///< the same after idle times
    double summaries = 0;          ///< requests for summaries and for entries of a log
    double refetched = 0;          ///< fetching lost text again

    [[nodiscard]] double total() const { return resent + compactionRewrites + idleRewrites + summaries + refetched; }
};

/// Adds a call. Tokens that are neither fresh nor read were written or billed as input again; their cost beyond reading
/// goes to compaction or idling, by the call's cause. For other causes it stays in `resent`. A call without a price
/// costs nothing here.
void addTo(CostParts &parts, const RunCall &call);
[[nodiscard]] CostParts costParts(std::span<const RunCall> run);

/// Part by part, `run` minus `other`; negative if `run` costs less.
[[nodiscard]] CostParts difference(const CostParts &run, const CostParts &other);

/// When a compaction has saved as much as it cost.
struct PayBack {
    std::optional<size_t> after; ///< calls after the call at which it fired; nullopt: never in this run
    size_t followed = 0;         ///< calls after that call
    bool isLostAgain = false;    ///< it pays back, but the whole run costs more than one without any compaction

    /// `pays back after 4 calls (61 calls came after the compaction)` or `does not pay back in the 2 calls that
    /// followed`.
    [[nodiscard]] std::string sentence() const;
};

/// Compares a run that compacts before call `fired` (`costs`) with one that does not (`otherCosts`). Finds the first
/// call from `fired` on after which the sum of `costs` is not higher. The cost of a request for a summary belongs to
/// the call it was for. O(calls).
[[nodiscard]] PayBack payBack(std::span<const double> costs, std::span<const double> otherCosts, size_t fired);

/// A recorded call's cost in dollars.
struct CallCost {
    Position position;
    std::optional<double> recorded; ///< from its usage; nullopt without a price
    std::optional<double> computed; ///< from the cache model's reading; nullopt without a model of the cache
};

struct SessionCost {
    std::vector<CallCost> calls; ///< calls with usage, thread by thread
    double recorded = 0;         ///< sum over the calls with a price
    double computed = 0;         ///< sum over the same calls
    bool isComputed = false;     ///< every call with a price has a computed cost
    std::vector<std::string> unpricedModels;
    size_t unpricedCalls = 0;

    /// `$4.10 by usage; Palimpsest computes $4.02.`, plus the calls without a price.
    [[nodiscard]] std::string sentence() const;
    /// `$4.10 by usage.`, plus the calls without a price.
    [[nodiscard]] std::string recordedSentence() const;
    /// Names of unpriced models, separated by commas; a model without a name is `a model that is not named`.
    [[nodiscard]] std::string unpricedNames() const;
};

/// The cost of a recorded session, by usage and by the cache model. A call without a time gets the latest prices.
[[nodiscard]] SessionCost recordedCost(const Session &session, const RecordedCache &cache, const Prices &prices);

/// The recorded cost of one thread, from its usage.
struct ThreadCost {
    ThreadIndex thread;
    size_t calls = 0; ///< with usage
    size_t unpricedCalls = 0;
    double recorded = 0; ///< of the calls with a price

    [[nodiscard]] std::optional<double> known() const
    {
        return unpricedCalls < calls ? std::optional(recorded) : std::nullopt;
    }
    /// `$1.32 for 24 calls`.
    [[nodiscard]] std::string words() const;
};

/// The recorded cost of a session, seen from one thread: the thread, the subagents that it and its subagents started,
/// and all other threads. Threads without usage are left out.
struct CostByThread {
    ThreadCost own;
    std::vector<ThreadCost> subagents;
    std::vector<ThreadCost> others;
    size_t subagentsNotInFile = 0; ///< started by the thread; the file has none of their calls

    [[nodiscard]] ThreadCost ofSubagents() const;
    [[nodiscard]] ThreadCost ofAll() const;
    /// `$21.01 with its 6 subagents`, and how many are not in the file; empty if it started none.
    [[nodiscard]] std::string words() const;
    /// A line for each thread and their sum; empty if the thread is alone.
    [[nodiscard]] std::vector<std::string> lines(const Session &session) const;
};
[[nodiscard]] CostByThread costByThread(const Session &session, ThreadIndex thread, const SessionCost &cost);

/// The recorded calls of a thread as a run to compare with a replay. Fresh tokens are those beyond what the previous
/// call left in the cache; none after a compaction.
[[nodiscard]] std::vector<RunCall> recordedRun(
    const Session &session, ThreadIndex thread, const RecordedCache &cache, const Prices &prices);

/// `$4.02`; three significant digits below a cent.
[[nodiscard]] std::string dollars(double amount);

} // namespace core
