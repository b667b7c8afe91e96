// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/evidence/trace.h"
#include "core/evidence/uses.h"
#include "core/findings/facts.h"
#include "core/findings/finding_ground.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace core {

/// A fact of a text, and whether the array after the compaction holds it, too.
struct CheckedFact {
    Fact fact;
    BlockId source; ///< the first block that has it
    bool isHeld = false;
    BlockId namedAgain; ///< if not held: the first later block in which the model names it; invalid without one
};
/// By FactKind: how many facts there are, and how many of them are held.
struct FactCounts {
    std::array<size_t, kFactKindCount> all {};
    std::array<size_t, kFactKindCount> held {};

    [[nodiscard]] size_t allOf() const;
    [[nodiscard]] size_t heldOf() const;
};
[[nodiscard]] FactCounts countsOf(std::span<const CheckedFact> facts);

/// The facts of blocks, each once, in order. Error lines are those of failed calls and of commands. Constraints and
/// tasks are those of typed messages and summaries.
[[nodiscard]] std::vector<CheckedFact> checkedFacts(
    const Session &session, std::span<const BlockId> blocks, const FactFinder &after);

/// What a compaction left of a message that the person typed.
struct TypedFate {
    BlockId block;
    std::string text;
    TraceState state = TraceState::Gone; ///< in the array after it; Unknown, too, if an assumed summary replaces it
    bool isAssumed = false;              ///< Unknown, because the text of the summary is assumed
    BlockId carrier;                     ///< the block after it that has the text; invalid without one
    size_t keptWords = 0;                ///< if Partial: of the words that are compared (kept_words.h)
    size_t words = 0;
};

/// A later call that needed a text that the compaction removed.
struct NeededAgain {
    enum class How : uint8_t {
        Read,   ///< read or searched again, or in part; the agent did not write the file after the compaction
        Run,    ///< a command or another tool again, with no edit between
        Quoted, ///< an edit quotes it: the harness had put it back without logging that, or the model knew it
    };
    How how = How::Read;
    BlockId lost;       ///< the removed block
    BlockId by;         ///< the result that shows it again, or the edit
    CallIndex call;     ///< whose response asked for it
    double share = 1;   ///< share of the result's lines that the removed blocks showed: 0.5 to 1
    uint32_t later = 0; ///< calls after the compaction, from 1
    double tokens = 0;  ///< of the result; 0 if quoted
    bool isSure = true; ///< false if a silent clearing may have removed the text before the compaction did
};

/// What a compaction kept, replaced and lost: recorded, or simulated by a policy.
struct CompactionLoss {
    size_t number = 0; ///< from 1 in its thread; 0 if simulated
    CompactionKind kind = CompactionKind::Summary;
    CallIndex call;                       ///< the last call before it; invalid before the first
    bool isAssumed = false;               ///< simulated, with a summary of an assumed size: its text is unknown
    std::optional<uint64_t> promptBefore; ///< recorded tokens of the last prompt before it
    std::optional<uint64_t> beforeTokens; ///< what its record says of the array before it
    std::optional<uint64_t> promptAfter;  ///< tokens of the first prompt after it, if that sent the array after it
    std::string trigger;                  ///< as recorded
    size_t laterCalls = 0;                ///< recorded calls after it
    std::array<size_t, static_cast<size_t>(Fate::Added) + 1> slots {}; ///< of the array before, by Fate
    size_t slotsAfter = 0;
    double unlogged = 0; ///< tokens that the harness put in without logging them (trace.h), estimated

    std::vector<BlockId> oldSummaries; ///< in the array before and no longer in the one after
    std::vector<BlockId> newSummaries;
    std::vector<CheckedFact> replaced; ///< facts of the removed blocks, without summaries and thinking
    std::vector<CheckedFact> carried;  ///< of `oldSummaries`
    std::vector<CheckedFact> added;    ///< of `newSummaries`; `isHeld`: a logged text before the compaction has it
    std::vector<TypedFate> typed;      ///< those that the array before held, whole or in part, or may have held
    std::vector<NeededAgain> needed;   ///< by call

    // Of what was read and run again, as far as it is sure:
    double fetchedTokens = 0;           ///< of the results, estimated
    std::optional<double> fetchedMoney; ///< paid to send these results for the first time, in dollars
    size_t fetchingCalls = 0;           ///< calls that asked for any of them

    [[nodiscard]] bool isSimulated() const { return number == 0; }
    [[nodiscard]] size_t typedCount(TraceState state) const;
};

/// What `lossOf` reads of a thread.
struct LossGround {
    SessionPtr session;
    ThreadIndex thread;
    const Uses &uses;
    const ContextSpans &spans;       ///< recorded
    std::span<const Trace> messages; ///< `tracedUserMessages` of `spans`
    const BlockTokens &tokens;
    const ArraySums &sums;
    std::span<const CallPrice> prices {}; ///< by call; empty without prices
};

/// What the recorded compaction `number` (from 0) lost. `compaction` is `observeRecorded` of it. Reads the texts of
/// both arrays and those of the model after the compaction; if there is a new summary, also the log before.
[[nodiscard]] CompactionLoss recordedLoss(
    const LossGround &ground, const Compaction &compaction, size_t number, Progress *progress = nullptr);

/// What a policy loses if it compacts the array of `call`. `needed` is what the recorded calls needed: a model with
/// less in context might ask for other things.
[[nodiscard]] CompactionLoss simulatedLoss(
    const LossGround &ground, const Compaction &compaction, CallIndex call, Progress *progress = nullptr);

/// The losses of all recorded compactions of a thread; nullopt if cancelled.
[[nodiscard]] std::optional<std::vector<CompactionLoss>> recordedLosses(const SessionPtr &session, ThreadIndex thread,
    const BlockTokensPtr &tokens, const Prices &prices, Progress *progress = nullptr);

} // namespace core
