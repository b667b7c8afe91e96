// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/compaction/assumed_summary.h"
#include "core/compaction/compaction.h"
#include "core/compaction/message_array.h"
#include "core/context/append_log.h"
#include "core/context/context_spans.h"
#include "core/tokens/silent_clearings.h"

#include <algorithm>
#include <optional>

namespace core {

/// What all replays of a thread share: the append log, and what each call sent beside its array. Immutable.
struct ReplayGround {
    AppendLog log;
    BlockTokensPtr tokens;
    ArraySumsPtr sums; ///< of the recorded arrays
    /// By step: tokens of system prompt, tools and anything else that is sent beside the array, and the tokens of
    /// thinking that this call still sends but that the array at the end no longer contains. Counterfactual steps have
    /// the tokens beside the array of the last step before them.
    std::vector<double> besides;
    /// The silent clearings. A clearing that is in effect at the last step before the counterfactual steps is in effect
    /// at all counterfactual steps.
    std::vector<SilentClearing> clearings;
    std::vector<UnsentText> unsent;  ///< of these clearings; the first is empty
    std::vector<uint32_t> unsentOf;  ///< by step: index into `unsent`
    std::vector<BlockId> everUnsent; ///< the blocks of all of them, ascending
    std::vector<double> recorded;    ///< by step: the recorded prompt; 0 if none
    std::vector<double> answers;     ///< by step: tokens of the response, recorded or weighed
    AssumedSummary summary;

    [[nodiscard]] const Session &session() const { return *log.session; }
    [[nodiscard]] size_t callCount() const { return log.callCount(); }
    [[nodiscard]] const UnsentText &unsentAt(size_t step) const { return unsent[unsentOf[step]]; }
};
using ReplayGroundPtr = std::shared_ptr<const ReplayGround>;

/// Tokens beside the array that the policy's triggers count at a step.
[[nodiscard]] inline double countedBeside(const ReplayGround &ground, const Policy &policy, size_t step)
{
    return policy.counter.countsPrelude ? ground.besides[step] : 0;
}

/// What a policy's harness knows of the previous call when it decides (`Counter::Usage`): the simulated prompt plus the
/// response; some harnesses also add the tokens that entered the log since, others subtract the recorded cache writes.
class KnownUsage final {
public:
    KnownUsage(const ReplayGround &ground, const Policy &policy, const BlockPool &pool);

    /// `prompt` is the prompt of the previous call. 0 at the first step: nothing is known.
    [[nodiscard]] double at(size_t step, double prompt) const { return step == 0 ? 0 : of(prompt + m_beside[step]); }
    /// All but the prompt.
    [[nodiscard]] double beside(size_t step) const { return m_beside[step]; }
    /// At least 1: 0 means unknown.
    [[nodiscard]] static double of(double sum) { return std::max(1.0, sum); }

private:
    std::vector<double> m_beside; ///< by step
};

/// `sums` are the thread's `arraySums`; without them they are made here. O(blocks + ranges of the thread's calls);
/// reads no text.
[[nodiscard]] ReplayGroundPtr replayGround(
    const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens, ArraySumsPtr sums = nullptr);

/// Messages and their tokens, as the log has them.
struct SaidMeanwhile {
    size_t messages = 0;
    size_t typed = 0; ///< of these, messages that the user typed
    double tokens = 0;
};

/// One summary of a policy's worker (see SummaryWorker).
struct WorkerSummary {
    enum class End : uint8_t {
        Pending,  ///< still in work behind the last call
        Landed,   ///< it stands in the array from its end on
        Failed,   ///< its save failed
        Outdated, ///< the user took back a message that it covers
    };
    uint32_t startedAt = 0; ///< the call before which it started
    uint32_t endedAt = 0;   ///< the call before which it ended; the number of steps while pending
    End end = End::Pending;
    double covered = 0; ///< tokens of the messages that it covers
    double written = 0; ///< its own tokens
    SaidMeanwhile said; ///< messages that entered the log from its start to its landing
    SaidMeanwhile lost; ///< messages that left the array with its landing, although it does not cover them
};

/// What the worker of a policy did.
struct WorkerRun {
    std::vector<WorkerSummary> summaries; ///< in the order of their starts
    std::optional<double> seconds;        ///< its delay, unless that is a number of calls
    bool isDelayKnown = true; ///< false: a time is needed that the session does not record; then it never starts
};

/// The array that a policy sent with one call. Token figures have the basis of the block tokens.
struct ReplayStep {
    double tokens = 0;          ///< the prompt: the array and what is sent beside it, without what was not sent
    double arrayTokens = 0;     ///< the array alone
    double unchangedTokens = 0; ///< the prefix that is byte-identical to the previous array
    double writtenSummary = 0;  ///< summaries written for this call, or a log put in their place
    bool isLog = false;         ///< no request wrote `writtenSummary`: it is a log, written before
    bool isLanding = false;     ///< no request wrote `writtenSummary` here: a worker wrote it before
    double workerInput = 0;     ///< messages that a worker's request of its own sends, which starts before this call
    double workerOutput = 0;    ///< the summary that this request writes; 0: none starts
    double logEntry = 0;        ///< an entry of the log, written by a model beside this call; its size is assumed
    double logRequest = 0;      ///< what its request sends beyond the prompt of the call before
    /// The array up to the end of the newest assistant message whose calls all have results; 0 blocks if there is none,
    /// or if the policy sets no cache mark there.
    double stableTokens = 0;
    uint32_t stableBlocks = 0;
    uint32_t messageCount = 0; ///< as the policy's message shape counts
    uint32_t blockCount = 0;
    double freshTokens = 0; ///< blocks that no earlier call sent
    bool hasFired = false;  ///< a triggered stage acted, and changed what is sent: see `hasActed`
    bool isCounterfactual = false;
    bool isTorn = false; ///< the array holds a tool result whose call was summarised; providers refuse it
    /// Bytes that a persistent policy removed for good with this call, without an artifact of the harness.
    uint64_t lostBytes = 0;
    TriggerVerdict decision; ///< the verdict of the policy's trigger, from the last stage that waits for it
    /// Blocks first changed or removed at this call by trigger-less stages.
    uint32_t changedBlocks = 0;
};

/// What a policy changed with one call, for `hasActed`.
struct CallChange {
    double before = 0;    ///< tokens of the previous array
    double unchanged = 0; ///< prefix of the array equal to the previous array
    double summary = 0;   ///< summaries written for the call
};

/// Whether a policy whose trigger fired before a call also changed what the call before had sent. A trigger that fires
/// again although nothing is left to remove is no act.
[[nodiscard]] bool hasActed(const AppendLog &log, size_t call, const CallChange &change);

/// Sums over calls.
struct ReplaySums {
    size_t calls = 0;
    double tokens = 0; ///< sum of all prompts
    double peak = 0;
    size_t compactions = 0; ///< calls before which the policy acted (see `Replay::compactsAt`)
    size_t torn = 0;        ///< calls that a provider would have refused
    uint64_t lostBytes = 0;

    /// Adds one call; `lost` are the bytes it lost for good.
    void add(double prompt, bool isCompaction, bool isTorn, uint64_t lost);
};

/// The effects of trigger-less stages.
struct QuietActs {
    size_t blocks = 0; ///< blocks changed or removed, each counted once
    size_t calls = 0;  ///< calls at which a block was changed
    size_t firstCall = 0;
};

/// A policy applied at every call of a thread.
struct Replay {
    PolicyPtr policy; ///< with the assumed summary filled in
    ReplayGroundPtr ground;
    std::vector<ReplayStep> steps;   ///< one per call, and one more for what a next call would send
    bool isSummaryAssumed = false;   ///< a summary it wrote has an assumed size
    std::optional<WorkerRun> worker; ///< of a policy with a worker
    std::vector<std::string> notes;  ///< of its stages: see `StageKind::note`
    /// The spans of the sent arrays; empty if `ReplayOptions::keepsSpans` is off. Without the blocks that the policy
    /// made, if the policy is a view and was planned from scratch.
    ContextSpans spans;
    BlockTokensPtr tokens;     ///< for the blocks of `spans.session`
    ReplaySums recordedWorld;  ///< calls before the first recorded compaction
    ReplaySums counterfactual; ///< calls after it

    [[nodiscard]] size_t callCount() const { return steps.size() - 1; }
    /// Whether the policy acted before a call: its trigger fired and it changed the array or, in a policy without a
    /// triggered stage, a stage changed blocks for the first time. In a policy with triggered stages, the trigger-less
    /// stages act as blocks come in; that does not count as a compaction.
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
    std::shared_ptr<ChangeMemo> memo; ///< of the session; may be null
    Progress *progress = nullptr;
    std::string sessionId;  ///< see CompactOptions
    bool keepsSpans = true; ///< costs a copy of the session's block list
};

/// Replays the policy over the append log. Overrides hold from the first call that holds their block on. Persistent
/// policies continue from their own last array, views from the log, as in the harness. A harness whose trigger uses the
/// recorded prompt gets the simulated prompt of the previous call.
///
/// Stages that look at single blocks, clearing, eliding and summarising process only what changed since the call
/// before: a call costs O(changes × stages × log). A policy with other stages is planned from scratch at every call.
/// nullptr if cancelled.
[[nodiscard]] ReplayPtr replay(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options = {});

/// Plans from scratch at every call: O(calls × blocks). The reference that `replay` must equal.
[[nodiscard]] ReplayPtr replayFromScratch(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const ReplayOptions &options = {});

/// What the policy's own run sends at a position (of the ground's thread), beside the recorded array there: the
/// differences between the two. O(calls × blocks); nullptr if cancelled.
[[nodiscard]] CompactionPtr ownArrayAt(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, Position position, const ReplayOptions &options = {});

/// Tokens of the blocks that are new in a step; for the first step also what is sent beside the array.
[[nodiscard]] double freshTokens(const ReplayGround &ground, size_t step);

[[nodiscard]] CallChange changeAt(const Replay &replay, size_t call);

/// The rewrites of the calls at which a policy acted.
[[nodiscard]] std::vector<ContextRewrite> rewritesOf(const Replay &replay);

/// Computes the sums of a replay from its steps.
void addUp(Replay &replay);

} // namespace core
