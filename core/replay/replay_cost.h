// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/cost.h"
#include "core/replay/regret.h"
#include "core/replay/replay.h"

namespace core {

/// One call of a replay under the provider's cache.
struct ReplayCallCost {
    CacheReading cache; ///< all uncached where there is no model of this cache
    std::optional<double>
        cost; ///< dollars, its share of summaries and fetching again included; nothing without a price
};

/// What a replay would have cost.
struct ReplayCost {
    std::vector<ReplayCallCost> calls; ///< of each call
    std::vector<RunCall> run;          ///< the same as requests, those for summaries among them
    CostParts parts;
    std::string_view rule;    ///< of the cache, in words; empty where there is no model of it
    size_t unpricedCalls = 0; ///< calls of models that have no price
    double readTokens = 0;
    double promptTokens = 0;

    /// Of all prompt tokens, those read from the cache.
    [[nodiscard]] double hitShare() const { return promptTokens > 0 ? readTokens / promptTokens : 0; }
    [[nodiscard]] bool isPriced() const { return !calls.empty() && unpricedCalls < calls.size(); }
};

/// Runs a policy's arrays through the provider's cache, its mark on the last block (automatic caching), entries as long
/// as the recorded calls wrote theirs, at the recorded times. A summary that was written is one request more: it reads
/// what was in context and answers with the summary (numbers.md: what Claude Code does). Each block that lost uses need
/// is sent once more with the first call that needs it. O(calls).
[[nodiscard]] ReplayCost replayCost(
    const Replay &replay, const RecordedCache &recorded, const Prices &prices, const Regret *regret);

/// The recorded calls of the same thread, from their usage.
[[nodiscard]] ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices);

/// Each compaction of a replay against a run without it is not known; this compares the first one's run with that of
/// the log without any policy. Nothing if the policy never fires.
[[nodiscard]] std::optional<PayBack> firstPayBack(const Replay &replay, const ReplayCost &cost, const ReplayCost &none);

} // namespace core
