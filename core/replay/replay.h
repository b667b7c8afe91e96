// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/compaction/compaction.h"
#include "core/compaction/message_array.h"
#include "core/context/append_log.h"
#include "core/context/context_spans.h"

#include <optional>

namespace core {

/// What all replays of a thread share: the log, and what each call was sent beside its array. Immutable.
struct ReplayGround {
    AppendLog log;
    BlockTokensPtr tokens;
    /// Of each step: tokens of system prompt, tools and whatever else recorded usage proves beside the array. Where the
    /// recording is of another world (counterfactual) or has no usage, that of the nearest call before which has one.
    std::vector<double> besides;
    std::vector<double> recorded; ///< of each step the recorded prompt; 0 where there is none
    std::vector<double> answers;  ///< of each step the tokens of the answer, recorded or weighed
    double summaryTokens = 0;     ///< assumed of a summary that nobody wrote
    bool isSummaryMedian = false; ///< the median of the recorded ones; else a flat assumption

    [[nodiscard]] const Session &session() const { return *log.session; }
    [[nodiscard]] size_t callCount() const { return log.callCount(); }
};
using ReplayGroundPtr = std::shared_ptr<const ReplayGround>;

/// What a summary is taken to weigh where the session has none: a flat assumption.
inline constexpr double kAssumedSummaryTokens = 1000;

/// O(blocks + ranges of the thread's calls); no text is read.
[[nodiscard]] ReplayGroundPtr replayGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens);

/// The array that a policy sent with one call. Token figures as those of the blocks.
struct ReplayStep {
    double tokens = 0;          ///< of the prompt: the array and what is sent beside it
    double arrayTokens = 0;     ///< of the array alone
    double unchangedTokens = 0; ///< of its beginning that is, to the byte, that of the array before
    double writtenSummary = 0;  ///< of summaries that were written for it
    uint32_t messageCount = 0;  ///< in the policy's shape
    uint32_t blockCount = 0;
    double freshTokens = 0; ///< of blocks that no call before was sent
    bool hasFired = false;  ///< a stage that waits for a trigger acted
    bool isCounterfactual = false;
    bool isTorn = false; ///< the array holds a tool result whose call a summary took: providers refuse it
    /// Of texts that a persistent policy took out for good with this call, those of which its harness keeps no
    /// artifact.
    uint64_t lostBytes = 0;
    TriggerVerdict decision; ///< of the policy's trigger, as the last stage that waits for it saw it
    /// Blocks that stages which wait for no trigger changed or took out with this call, and with none before.
    uint32_t changedBlocks = 0;
};

/// Sums over calls.
struct ReplaySums {
    size_t calls = 0;
    double tokens = 0; ///< of all prompts
    double peak = 0;
    size_t compactions = 0; ///< calls before which the policy acted (see `Replay::compactsAt`)
    size_t torn = 0;        ///< calls that a provider would have refused
    uint64_t lostBytes = 0;

    /// One call more; `lost` are the bytes that it lost for good.
    void add(double prompt, bool isCompaction, bool isTorn, uint64_t lost);
};

/// What the stages of a policy that wait for no trigger did.
struct QuietActs {
    size_t blocks = 0; ///< that they changed or took out, each counted once
    size_t calls = 0;  ///< with which they changed one
    size_t firstCall = 0;
};

/// A policy at every call of a thread.
struct Replay {
    PolicyPtr policy; ///< with the assumed summary filled in
    ReplayGroundPtr ground;
    std::vector<ReplayStep> steps; ///< of each call, and one more: what a next call would be sent
    bool isSummaryAssumed = false; ///< a summary that it wrote has an assumed size
    /// What stood in the arrays that were sent; empty where `ReplayOptions::keepsSpans` is off. Of a view that is
    /// planned from scratch without the blocks that it made.
    ContextSpans spans;
    BlockTokensPtr tokens;     ///< of the blocks of `spans.session`
    ReplaySums recordedWorld;  ///< of the calls before the first recorded compaction
    ReplaySums counterfactual; ///< of those behind it

    [[nodiscard]] size_t callCount() const { return steps.size() - 1; }
    /// Whether the policy acted before a call: its trigger fired, or, where no stage waits for one, a stage changed
    /// blocks that none had changed before. Stages beside those that wait work on as blocks come in: no compaction.
    [[nodiscard]] bool compactsAt(size_t call) const;
    [[nodiscard]] QuietActs quietActs() const;
    [[nodiscard]] double totalTokens() const { return recordedWorld.tokens + counterfactual.tokens; }
    [[nodiscard]] double peak() const { return std::max(recordedWorld.peak, counterfactual.peak); }
    [[nodiscard]] size_t compactions() const { return recordedWorld.compactions + counterfactual.compactions; }
    [[nodiscard]] size_t torn() const { return recordedWorld.torn + counterfactual.torn; }
    [[nodiscard]] uint64_t lostBytes() const { return recordedWorld.lostBytes + counterfactual.lostBytes; }
};
using ReplayPtr = std::shared_ptr<const Replay>;

struct ReplayOptions {
    Overrides overrides;
    std::shared_ptr<ChangeMemo> memo; ///< of the session; may be none
    Progress *progress = nullptr;
    std::string sessionId;  ///< see CompactOptions
    bool keepsSpans = true; ///< costs a copy of the session's list of blocks
};

/// The policy over the append log. Persistent policies go on from what they left, views from the log, as the harness
/// has it. A harness whose trigger knows the recorded prompt is told the simulated one of the call before.
///
/// Stages that look at one block at a time, clearing, eliding and summarising work on what changed since the call
/// before: a call costs O(changes × stages × log). With others in the policy every call is planned from scratch.
/// nullptr if cancelled.
[[nodiscard]] ReplayPtr replay(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options = {});

/// The same, planned from scratch at every call: O(calls × blocks). What `replay` must agree with.
[[nodiscard]] ReplayPtr replayFromScratch(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options = {});

/// The policy as a replay runs it: a summary without a text is assumed.
[[nodiscard]] PolicyPtr withAssumedSummary(const ReplayGround &ground, const PolicyPtr &policy);

/// Tokens that enter the log with a step; with the first one also what is sent beside the array.
[[nodiscard]] double freshTokens(const ReplayGround &ground, size_t step);

/// Where its triggers fired.
[[nodiscard]] std::vector<ContextRewrite> rewritesOf(const Replay &replay);

/// Fills the sums of a replay from its steps.
void addUp(Replay &replay);

} // namespace core
