// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/cache/wire_cache.h"
#include "core/money/cost.h"
#include "core/replay/regret.h"
#include "core/replay/replay.h"

#include <memory>

namespace core {

/// One call of a replay, with the provider's cache.
struct ReplayCallCost {
    CacheReading cache;         ///< all uncached without a model of this cache
    std::optional<double> cost; ///< dollars, including its share of summaries and refetching; nullopt without a price
};

/// The cost of a replay.
struct ReplayCost {
    std::vector<ReplayCallCost> calls; ///< by call, if kept
    std::vector<RunCall> run;          ///< the same as requests, summary requests included
    CostParts parts;
    std::string_view rule; ///< the cache rule in words; empty without a model or without a cache
    size_t callCount = 0;
    size_t unpricedCalls = 0; ///< calls of models without a price
    double readTokens = 0;
    double promptTokens = 0;

    /// Share of all prompt tokens read from the cache.
    [[nodiscard]] double hitShare() const { return promptTokens > 0 ? readTokens / promptTokens : 0; }
    [[nodiscard]] bool isPriced() const { return unpricedCalls < callCount; }
};

/// Inputs that the costs of all replays of a thread share: each call's prices, time, model and cache lifetime, looked
/// up once. Immutable.
struct CostGround {
    struct Call {
        std::shared_ptr<const PriceRow> prices; ///< shared by calls at the same prices; nullptr for a model without a
                                                ///< price
        std::optional<Timestamp> sent;
        std::optional<Timestamp> responding; ///< start of its response
        Timestamp lifetime = 0;              ///< of the recorded call's writes; 0: the default
        uint32_t model = 0;
        uint32_t options = 0;     ///< of the recorded call, see CacheCall; policies do not change them
        double answer = 0;        ///< tokens
        double beside = 0;        ///< tokens sent beside the array
        double fresh = 0;         ///< tokens that no earlier call sent
        bool isTakenBack = false; ///< the user rewound the log before it
    };
    std::vector<Call> calls;
    std::optional<CacheRules> rules; ///< nullopt without a model of the cache, or if the recording had no cache
    /// Tokens of system prompt and tools: the smallest, over the calls, of what a call sends beside its array, by block
    /// tokens.
    double prelude = 0;
    double preludeBytes = 0;              ///< their length; without a recorded prelude 4 bytes a token
    std::shared_ptr<const Prices> prices; ///< of all models; nullptr: none
    double firstPrompt = 0;               ///< recorded tokens of the first call's prompt; 0 if none
    double firstRead = 0;                 ///< the part of it that was in the cache before the log began, by usage

    /// Tokens that a policy's first prompt reads: `firstRead` if the prompt is as recorded, else 0.
    [[nodiscard]] double readOfFirst(double prompt) const;
};
using CostGroundPtr = std::shared_ptr<const CostGround>;

/// Billed tokens of the request for a summary: it reads the prompt before it, if any, from the cache.
[[nodiscard]] BilledTokens summaryTokens(const CostGround &ground, double before, double summary);

/// O(calls × model names).
[[nodiscard]] CostGroundPtr costGround(const ReplayGround &ground, const RecordedCache &recorded, const Prices &prices);

/// The request of a worker, which writes a summary beside the session.
struct WorkerRequest {
    double output = 0;         ///< the summary; 0: no request
    double input = 0;          ///< with a model of its own: the messages that it sends
    bool isWaitedFor = false;  ///< it lands at once
    bool sendsNothing = false; ///< see SummaryWorker::Request
    bool hasOwnModel = false;
    const PriceRow *prices = nullptr; ///< of its own model; nullptr without a price
};

/// The figures of a replayed call that its cost depends on; as in ReplayStep.
struct CostStep {
    double tokens = 0;
    double arrayTokens = 0;
    double beside = 0;            ///< tokens sent beside the array
    double unchanged = 0;         ///< prefix of the array equal to the previous array
    double summary = 0;           ///< summaries written for this call
    bool isWrittenBefore = false; ///< no request wrote `summary` here: it is a log, or a worker wrote it
    WorkerRequest worker {};      ///< starts directly before the call
    double logEntry = 0;
    double logRequest = 0;
    double refetched = 0;    ///< tokens that lost uses need at this call
    double stableTokens = 0; ///< see ReplayStep
    uint32_t stableBlocks = 0;
    uint32_t blocks = 0; ///< size of the array
    bool hasFired = false;
};

/// Runs a policy's arrays through the provider's cache at the recorded times, with the policy's cache marks and the
/// recorded lifetimes of entries. What the cache held before the log began (a resumed session) comes
/// from the usage of the first call, for policies that leave this call unchanged. A written summary is an extra
/// request: it reads the context and responds with the summary, as Claude Code does. A worker with a model of its own
/// sends the messages that the summary replaces, and nothing of them is in a cache. An entry of a log that a model
/// writes is an extra request, too. It runs directly behind the call before: what is in the cache then is read, the
/// rest and the text that asks for the entry are input. Its turns are thrown away, so it writes nothing. Each block
/// that lost uses need is sent once more, with the first call that needs it. A call costs as much time as in the cache
/// model.
class RunCosting final {
public:
    /// Without `keepsCalls` only sums are kept. The ground must outlive the object.
    explicit RunCosting(const CostGround &ground, const CacheMarkPlaces &marks = {}, bool keepsCalls = true);

    void add(const CostStep &step);
    /// The cost of the added calls; then another run can be added.
    [[nodiscard]] ReplayCost finish();

private:
    [[nodiscard]] double unchangedPrompt(const CostStep &step) const;
    [[nodiscard]] double cachedOf(const CacheReading &reading, double prompt) const;
    [[nodiscard]] RunCall entryRequest(const CostStep &step) const;
    [[nodiscard]] RunCall workerRequest(const CostStep &step, const std::optional<Price> &price) const;
    [[nodiscard]] CacheCause causeOf(const CostStep &step) const;

    const CostGround &m_ground;
    double m_prelude = 0; ///< tokens of system prompt and tools, if a mark stands behind them
    bool m_keepsCalls;
    std::optional<WireCache> m_cache;
    CostStep m_before;
    double m_inCache = 0; ///< of the previous prompt, directly behind its call
    ReplayCost m_cost;
};

/// Where a policy's marks stand in the messages.
[[nodiscard]] std::vector<MarkPlacement> placementsOf(const CacheMarkPlaces &marks);

[[nodiscard]] ReplayCost replayCost(const Replay &replay, const CostGround &ground, const Regret *regret);

/// The cost of the thread's recorded calls, from their usage.
[[nodiscard]] ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices);

/// The cost of the recorded arrays, computed as if a policy had sent them. Costs of replays are compared with this one,
/// so that errors of the cache model and token counts are on both sides. `none` is the replay without a policy, which
/// sends the recorded arrays up to the first recorded compaction. After it prompts are the recorded ones, and a summary
/// by the harness is an extra request. O(ranges of the thread's calls).
[[nodiscard]] ReplayCost recordedArraysCost(const Replay &none, const CostGround &ground);

/// The pay-back of the first compaction, against the log without any policy. (Later compactions would each need a run
/// without them.) nullopt if the policy never fires.
[[nodiscard]] std::optional<PayBack> firstPayBack(const Replay &replay, const ReplayCost &cost, const ReplayCost &none);

} // namespace core
