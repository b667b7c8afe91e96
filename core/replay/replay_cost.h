// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/wire_cache.h"
#include "core/money/cost.h"
#include "core/replay/regret.h"
#include "core/replay/replay.h"

#include <memory>

namespace core {

/// One call of a replay under the provider's cache.
struct ReplayCallCost {
    CacheReading cache; ///< all uncached where there is no model of this cache
    std::optional<double>
        cost; ///< dollars, its share of summaries and fetching again included; nothing without a price
};

/// What a replay would have cost.
struct ReplayCost {
    std::vector<ReplayCallCost> calls; ///< of each call, where they are kept
    std::vector<RunCall> run;          ///< the same as requests, those for summaries among them
    CostParts parts;
    std::string_view rule; ///< of the cache, in words; empty where there is no model of it, or no cache
    size_t callCount = 0;
    size_t unpricedCalls = 0; ///< calls of models that have no price
    double readTokens = 0;
    double promptTokens = 0;

    /// Of all prompt tokens, those read from the cache.
    [[nodiscard]] double hitShare() const { return promptTokens > 0 ? readTokens / promptTokens : 0; }
    [[nodiscard]] bool isPriced() const { return unpricedCalls < callCount; }
};

/// What the costs of all replays of a thread share: of each call its prices, time, model and cache lifetime, each
/// looked up once. Immutable.
struct CostGround {
    struct Call {
        std::shared_ptr<const PriceRow> prices; ///< calls at one price share it; nullptr for a model without one
        std::optional<Timestamp> sent;
        std::optional<Timestamp> responding; ///< when its response began
        Timestamp lifetime = 0;              ///< of what the recorded call wrote; 0: as long as is usual
        uint32_t model = 0;
        uint32_t options = 0;     ///< of the recorded call, see CacheCall: no policy changes them
        double answer = 0;        ///< tokens
        double beside = 0;        ///< tokens that are sent beside the array
        double fresh = 0;         ///< tokens that no call before was sent
        bool isTakenBack = false; ///< the person took back some of the log before it
    };
    std::vector<Call> calls;
    std::optional<CacheRules> rules; ///< nothing where there is no model of the cache, or the recording had none
    /// Tokens of system prompt and tools. What is sent beside the array is found anew at every call, as good as the
    /// blocks' figures are; these two are as long as the least of them.
    double prelude = 0;
    double firstPrompt = 0; ///< recorded tokens of the first call; 0 if there are none
    double firstRead = 0;   ///< of these what its usage says was in the cache, before the log began

    /// What a policy reads of its first prompt: one that is as recorded finds in the cache what the recorded one found.
    [[nodiscard]] double readOfFirst(double prompt) const;
};
using CostGroundPtr = std::shared_ptr<const CostGround>;

/// What the request for a summary is billed: the prompt before it read from the cache, where there is one.
[[nodiscard]] BilledTokens summaryTokens(const CostGround &ground, double before, double summary);

/// O(calls × names of models).
[[nodiscard]] CostGroundPtr costGround(const ReplayGround &ground, const RecordedCache &recorded, const Prices &prices);

/// One call of a replay, as far as its cost depends on it; as in ReplayStep.
struct CostStep {
    double tokens = 0;
    double arrayTokens = 0;
    double beside = 0;    ///< that are sent beside the array
    double unchanged = 0; ///< of the array's beginning that is that of the array before
    double summary = 0;   ///< of summaries that were written for it
    double refetched = 0; ///< that lost uses need with it
    uint32_t blocks = 0;  ///< of the array
    bool hasFired = false;
};

/// Runs a policy's arrays through the provider's cache, its mark on the last block (automatic caching), entries as long
/// as the recorded calls wrote theirs, at the recorded times. What the cache held before the log began (a session that
/// was resumed) is taken from the usage of its first call, for policies that leave that call alone. A summary that was
/// written is one request more: it reads what was in context and answers with the summary (numbers.md: what Claude Code
/// does). Each block that lost uses need is sent once more with the first call that needs it. A call costs what the
/// cache model's does.
class RunCosting final {
public:
    /// Without `keepsCalls` the sums alone are kept. The ground must outlive this.
    explicit RunCosting(const CostGround &ground, bool keepsCalls = true);

    void add(const CostStep &step);
    /// The cost of what was added; another run may follow.
    [[nodiscard]] ReplayCost finish();

private:
    [[nodiscard]] double unchangedPrompt(const CostStep &step) const;
    [[nodiscard]] CacheCause causeOf(const CostStep &step) const;

    const CostGround &m_ground;
    bool m_keepsCalls;
    std::optional<WireCache> m_cache;
    CostStep m_before;
    ReplayCost m_cost;
};

[[nodiscard]] ReplayCost replayCost(const Replay &replay, const CostGround &ground, const Regret *regret);

/// The recorded calls of the same thread, from their usage.
[[nodiscard]] ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices);

/// The recorded arrays of the same thread, as a policy that had sent them: what costs of replays are compared with, so
/// that what the model of cache and tokens misses is on both sides. `none` is the replay of no policy, which sent the
/// same up to the first recorded compaction; behind it prompts are the recorded ones, and a summary that the harness
/// wrote is a request more. O(ranges of the thread's calls).
[[nodiscard]] ReplayCost recordedArraysCost(const Replay &none, const CostGround &ground);

/// Each compaction of a replay against a run without it is not known; this compares the first one's run with that of
/// the log without any policy. Nothing if the policy never fires.
[[nodiscard]] std::optional<PayBack> firstPayBack(const Replay &replay, const ReplayCost &cost, const ReplayCost &none);

} // namespace core
