// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/partial_output.h"
#include "core/replay/replay_cost.h"

#include <memory>

namespace core {

/// What usage says that the calls of a thread cost, beside what we compute of the same calls. Dollars.
struct RecordedBill {
    double recorded = 0;
    double computed = 0;  ///< without requests for summaries: usage of calls does not hold them
    size_t calls = 0;     ///< that have usage and a price
    size_t callCount = 0; ///< of the thread

    [[nodiscard]] bool isKnown() const { return calls > 0; }
    /// Computed less recorded: negative where our model misses something.
    [[nodiscard]] double error() const { return computed - recorded; }
    /// Of what is recorded; nothing where that is nothing.
    [[nodiscard]] std::optional<double> errorShare() const;
    /// `usage says $4.10 for 61 of 61 calls, we compute $4.02: our model misses $0.08 (2.0 %)`; empty if not known.
    [[nodiscard]] std::string sentence() const;

    RecordedBill &operator+=(const RecordedBill &other);
};

/// The prompts of a run, added up.
struct PromptSums {
    TokenFigure sum { 0, Basis::Exact, 0 }; ///< as exact as the weakest of the prompts
    TokenFigure peak { 0, Basis::Exact, 0 };
    size_t calls = 0;

    void add(TokenFigure prompt);
    [[nodiscard]] TokenFigure mean() const
    {
        return { calls > 0 ? sum.value / static_cast<double>(calls) : 0, sum.basis, sum.error };
    }
};

/// What usage says that the calls of a thread were sent, beside what policies are compared with: the same calls as
/// `recordedArraysCost` has them. That is the recorded prompt, where there is one and the log does not hold more of it.
struct RecordedPrompts {
    PromptSums byUsage;             ///< of the calls that have usage
    PromptSums computed;            ///< of all
    std::vector<TokenFigure> calls; ///< as computed, of each call
    TokenFigure end;                ///< the array at the end, which a next call would be sent

    /// Usage says the same, of all calls.
    [[nodiscard]] bool isAsRecorded() const;
    /// `usage says 5,500,817 tokens for 73 of 73 calls, we compute 5.543M ±2 %`; empty where that is the same, or usage
    /// says nothing.
    [[nodiscard]] std::string sentence() const;
};

/// ` for 60 of 61 calls`, behind what usage says; empty where that is all of them.
[[nodiscard]] std::string forCalls(size_t calls, size_t all);
/// ` for all 61`, behind what we compute, where `forCalls` is not empty.
[[nodiscard]] std::string forAll(size_t calls, size_t all);

/// What the recorded run of a thread cost, and what replays of it are compared with.
///
/// A difference in tokens or money is always that of a run from the recorded one as `computed` has it, and positive
/// where the run sends or costs more. What `computed` misses of what was recorded is on both sides of it, and told by
/// `prompts` and `bill`.
struct RecordedFigures {
    ReplayGroundPtr ground;
    RecordedCache cache;     ///< of all threads
    CostGroundPtr costs;     ///< of all replays of this one
    SessionCost sessionCost; ///< of all threads
    ReplayCost run;          ///< of this one, from its usage: of the calls that have it
    ReplayCost computed;     ///< of all its calls, by the same model as replays: see recordedArraysCost
    RecordedBill bill;
    PartialOutput partialOutput; ///< what the bill lacks
    RecordedPrompts prompts;     ///< of this thread
    ReplayCost none;             ///< of the append log, without any policy
    size_t compactions = 0;      ///< recorded, rollbacks not among them
};
using RecordedFiguresPtr = std::shared_ptr<const RecordedFigures>;

/// O(calls + changes), no text. Nullptr if cancelled.
[[nodiscard]] RecordedFiguresPtr recordedFigures(
    const ReplayGroundPtr &ground, const Prices &prices, const ReplayOptions &options = {});

/// What `run` costs more than the recorded one, part by part. Nothing without prices, or where no call of the recording
/// has usage and a price.
[[nodiscard]] std::optional<CostParts> costDifference(const ReplayCost &run, const RecordedFigures &recorded);

/// `$4.10 recorded (we compute $4.02)`, `$4.10 recorded for 60 of 61 calls (we compute $4.02; $4.30 for all calls with
/// its summaries)` where some have no usage and policies are compared with another sum. `, output counted in part`
/// where that matters; without usage `we compute $4.02`; empty without a price.
[[nodiscard]] std::string recordedMoney(const RecordedFigures &recorded);

/// What a policy would have cost and lost.
struct PolicyFigures {
    ReplayPtr replay;
    ReplayCost cost;
    std::optional<Regret> regret;        ///< nothing while the uses are not known
    std::optional<PayBack> payBack;      ///< of its first compaction, against no policy at all; nothing if none fired
    std::optional<CostParts> difference; ///< from the recorded run: see costDifference
};
using PolicyFiguresPtr = std::shared_ptr<const PolicyFigures>;

/// `replay` keeps its spans. See `regretOf` and `replayCost` for what it costs.
[[nodiscard]] PolicyFiguresPtr policyFigures(
    const ReplayPtr &replay, const RecordedFigures &recorded, const Uses *uses);

/// `loses 3 of 214 later uses (1.4 %) · ~6.1k tokens to fetch again`.
[[nodiscard]] std::string lossSentence(const Regret &regret, const BlockTokens &tokens);
/// The prompt of a call, or of the end, under a policy. It is the recorded one, and exact, where all that the policy
/// sent is what was sent; else of the basis of the blocks.
[[nodiscard]] TokenFigure promptFigure(const Replay &replay, size_t call);
/// The prompts of a replay's first `count` calls, or of all.
[[nodiscard]] PromptSums promptSums(const Replay &replay, size_t count);
[[nodiscard]] inline PromptSums promptSums(const Replay &replay) { return promptSums(replay, replay.callCount()); }
/// `15 of 42 user messages in context at the end`.
[[nodiscard]] std::string messageSentence(const Regret &regret);
enum class SavingDetail : uint8_t { Sum, Parts };
/// `costs $1.20 less than the recorded run by our model, context resent −$2.10, summary calls +$0.90`; the sum alone
/// ends behind `model`. The parts are rounded so that those shown add up to the sum shown.
[[nodiscard]] std::string savingSentence(const CostParts &difference, SavingDetail detail = SavingDetail::Parts);
/// When it acted: `fires before calls 75, 177`; `never fires: 7,151 of 170,000 tokens at the last call; without a
/// trigger changed 12 blocks over 3 calls, first at call 5`; `acts without a trigger: changed …`; `changes nothing: no
/// stage is on`.
[[nodiscard]] std::string firingSentence(const Replay &replay);
/// What it did before one call, and why: `acted: 171,020 of 170,000 tokens`, `waits: …`, `acted without a trigger:
/// changed 2 blocks`.
[[nodiscard]] std::string decisionSentence(const Replay &replay, size_t call);
/// `summaries that nobody wrote are taken to be ~3,095 tokens (the median of the recorded ones)`.
[[nodiscard]] std::string assumptionSentence(const ReplayGround &ground);

} // namespace core
