// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/cache_misses.h"
#include "core/replay/extra_calls.h"
#include "core/replay/partial_output.h"
#include "core/replay/replay_cost.h"

#include <memory>

namespace core {

/// The cost of a thread's calls by usage, beside the computed cost of the same calls. Dollars.
struct RecordedBill {
    double recorded = 0;
    double computed = 0;  ///< without requests for summaries, which calls' usage does not contain
    size_t calls = 0;     ///< calls with usage and a price
    size_t callCount = 0; ///< all calls of the thread

    [[nodiscard]] bool isKnown() const { return calls > 0; }
    /// Computed minus recorded: negative if the model computes too little.
    [[nodiscard]] double error() const { return computed - recorded; }
    /// Relative to the recorded cost; nullopt if that is zero.
    [[nodiscard]] std::optional<double> errorShare() const;
    /// `$4.10 by usage for 61 of 61 calls; Palimpsest computes $4.02, 2.0 % less`; empty if unknown.
    [[nodiscard]] std::string sentence() const;

    RecordedBill &operator+=(const RecordedBill &other);
};

/// Sums over the prompts of a run.
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

/// The prompts of a thread by usage, beside the computed prompts that policies are compared with (see
/// `recordedArraysCost`). A computed prompt is the recorded one, unless there is none or the log holds more.
struct RecordedPrompts {
    PromptSums byUsage;             ///< calls with usage
    PromptSums computed;            ///< all calls
    std::vector<TokenFigure> calls; ///< as computed, by call
    TokenFigure end;                ///< the final array, which a next call would send

    /// Whether usage covers all calls and gives the same sum.
    [[nodiscard]] bool isAsRecorded() const;
    /// `5,500,817 tokens by usage for 73 of 73 calls; Palimpsest computes 5.543M ±2 %`; empty without usage or if both
    /// are equal.
    [[nodiscard]] std::string sentence() const;
};

/// ` for 60 of 61 calls`, to follow figures by usage; empty if usage covers all calls.
[[nodiscard]] std::string forCalls(size_t calls, size_t all);
/// ` for all 61`, to follow computed figures if `forCalls` is not empty.
[[nodiscard]] std::string forAll(size_t calls, size_t all);

/// The cost of a thread's recorded run, with which replays are compared.
///
/// A difference in tokens or money is always a run minus `computed`: positive if the run sends or costs more. Errors of
/// the model are in both figures; `prompts` and `bill` show their size.
struct RecordedFigures {
    ReplayGroundPtr ground;
    RecordedCache cache;     ///< all threads
    CostGroundPtr costs;     ///< shared by all replays of the thread
    SessionCost sessionCost; ///< all threads
    CostByThread byThread;   ///< this thread, its subagents, and all else
    ReplayCost run;          ///< this thread, from usage: calls that have it
    ReplayCost computed;     ///< all calls of this thread, with the model that replays use: see recordedArraysCost
    RecordedBill bill;
    PartialOutput partialOutput; ///< output that the bill lacks
    CacheMisses misses;          ///< of all calls with usage
    OutputSpeed speed;           ///< of the recorded calls
    RecordedPrompts prompts;     ///< of this thread
    ReplayCost none;             ///< the append log without any policy
    size_t compactions = 0;      ///< recorded, without rollbacks
    size_t silentClearings = 0;  ///< that no record says

    /// Why the bill differs from the computed cost: the cache cannot be computed, or `misses` explain that the bill is
    /// larger. Else empty.
    [[nodiscard]] std::string missSentence() const;
};
using RecordedFiguresPtr = std::shared_ptr<const RecordedFigures>;

/// O(calls + changes); reads no text. nullptr if cancelled.
[[nodiscard]] RecordedFiguresPtr recordedFigures(
    const ReplayGroundPtr &ground, const Prices &prices, const ReplayOptions &options = {});

/// `run` minus the recorded run, part by part. nullopt without prices, or if no recorded call has usage and a price.
[[nodiscard]] std::optional<CostParts> costDifference(const ReplayCost &run, const RecordedFigures &recorded);

/// `$4.10 by usage · computed $4.02`. If some calls have no usage, so that policies are compared with another sum:
/// `$4.10 by usage for 60 of 61 calls · computed $4.02 for these calls, and $4.30 with the other calls and the
/// requests for summaries`. `by usage, which counts only a part of the output` if PartialOutput matters. Without usage
/// `computed $4.02`; empty without a price.
[[nodiscard]] std::string recordedMoney(const RecordedFigures &recorded);

/// The cost that policies are compared with: `~$4.30 (by usage $4.10 for 60 of 61 calls)`. Empty without a price.
[[nodiscard]] std::string computedMoney(const RecordedFigures &recorded);

/// What a policy would have cost and lost.
struct PolicyFigures {
    ReplayPtr replay;
    ReplayCost cost;
    std::optional<Regret> regret;        ///< nullopt until the uses are known
    std::optional<PayBack> payBack;      ///< of its first compaction, against no policy; nullopt if it never acts
    std::optional<CostParts> difference; ///< from the recorded run: see costDifference
};
using PolicyFiguresPtr = std::shared_ptr<const PolicyFigures>;

/// `replay` must have its spans. Costs what `regretOf` and `replayCost` cost.
[[nodiscard]] PolicyFiguresPtr policyFigures(
    const ReplayPtr &replay, const RecordedFigures &recorded, const Uses *uses);

/// Replays the policy first; `options` without its progress. nullptr if cancelled.
[[nodiscard]] PolicyFiguresPtr replayedFigures(const PolicyPtr &policy, const RecordedFigures &recorded,
    const Uses *uses, ReplayOptions options, Progress &progress);

/// `loses 3 of 214 uses (1.4 %), 2 unknown · ~6.1k tokens to fetch again`.
[[nodiscard]] std::string lossSentence(const Regret &regret, const BlockTokens &tokens);
/// The prompt of a call, or of the end, under a policy. If the policy sends exactly what was sent, it is the recorded
/// prompt and exact; else it has the basis of the block tokens.
[[nodiscard]] TokenFigure promptFigure(const Replay &replay, size_t call);
/// The parts of the prompt that a replay sends at a step; their total is `ReplayStep::tokens`. `slots` are the tokens
/// of its own array, `unsure` those of them that a silent clearing of the recording may have removed
/// (`ReplayGround::unsentAt`). The replay leaves out a part of these, and nothing that its array no longer has. Beside
/// the array it sends what the harness sent: behind the first recorded compaction, what it sent with the call before.
[[nodiscard]] ArraySum promptSum(const Replay &replay, size_t step, double slots, double unsure);
/// Sums over the first `count` prompts of a replay.
[[nodiscard]] PromptSums promptSums(const Replay &replay, size_t count);
[[nodiscard]] inline PromptSums promptSums(const Replay &replay) { return promptSums(replay, replay.callCount()); }
/// The calls of a replay that a provider would refuse. If a recorded prompt is larger than the session's window, this
/// window is wrong: then the window is not known, and no prompt counts as above it.
struct RefusedCalls {
    std::vector<uint32_t> aboveWindow; ///< ascending
    size_t torn = 0;                   ///< a tool result has no tool call
    double window = 0;                 ///< 0: not known
};
[[nodiscard]] RefusedCalls refusedCalls(const Replay &replay);
/// `a provider would refuse 12 calls: prompts above the window of 200,000 tokens, first at call 75`; empty if none.
[[nodiscard]] std::string refusalSentence(const RefusedCalls &refused);
/// Why the figures of every policy are too high, if the file begins in the middle of a session; else empty.
[[nodiscard]] std::string midwaySentence(const ReplayGround &ground);
/// `15 of 42 user messages in context at the end`.
[[nodiscard]] std::string messageSentence(const Regret &regret);
/// `computed in the same way, the policy costs $1.20 less than the recorded run: context resent −$2.10, summary calls
/// +$0.90`. Parts are rounded so that they add up to the sum shown.
[[nodiscard]] std::string savingSentence(const CostParts &difference);
/// What requests for summaries and for entries of a log cost, and how long the user waits for them: `2 extra calls for
/// summaries: ~140.2k tokens sent, ~2.0k written, $0.07. The user waits …`. None if the policy has neither.
[[nodiscard]] std::vector<std::string> extraCallSentences(const PolicyFigures &policy, const OutputSpeed &speed);
/// `2 summaries, 20 clearings`: the calls before which the policy acted, by what it did; `no compaction` if none.
[[nodiscard]] std::string compactionWords(const Replay &replay);
/// The same of what the harness did: `3 summaries, 1 silent clearing`. Rollbacks are left out.
[[nodiscard]] std::string compactionWords(const RecordedFigures &recorded);
/// When the policy acted: `acts before calls 75, 177`; `never acts: 7,151 of 170,000 tokens at the last call; the
/// stages without a trigger changed 12 blocks over 3 calls, first at call 5`; `acts without a trigger: changed …`;
/// `changes nothing: no stage is on`.
[[nodiscard]] std::string firingSentence(const Replay &replay);
/// What the policy did before one call, and why: `acted: 171,020 of 170,000 tokens`, `waits: …`, `acted without a
/// trigger: changed 2 blocks`.
[[nodiscard]] std::string decisionSentence(const Replay &replay, size_t call);

} // namespace core
