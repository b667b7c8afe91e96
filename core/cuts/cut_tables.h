// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/message_array.h"
#include "core/compaction/stage.h"
#include "core/cuts/cut_growth.h"
#include "core/evidence/uses.h"
#include "core/replay/replay.h"

#include <array>
#include <memory>

namespace core {

/// Most stages whose reach is a cut that one replay may have.
inline constexpr size_t kMostCuts = 3;

/// A stage that changes the blocks before a message, its cut, and no other.
struct CutStage {
    size_t index = 0; ///< into the policy's stages
    bool waits = false;
    bool isEverywhere = false; ///< where it acts, the cut is behind the last message
    bool looksAtCalls = false; ///< see ResultRule
};

/// Numbers of the messages of an array, as one set of stages leaves them: sums over all messages before each.
struct MessageSums {
    std::vector<double> tokens;
    std::vector<double> inTotal;
    std::vector<uint32_t> results;
    std::vector<uint32_t> turns;
    std::vector<MessageFacts> facts; ///< of each message
};

/// A stretch of calls over which the log only grows. Places are those of its array: block 0 is the log's first.
struct CutEpoch {
    std::vector<BlockId> blocks;        ///< the recorded ones
    std::vector<uint32_t> messageFirst; ///< place of the first block of each message, and one more
    std::vector<Role> roles;            ///< of messages
    std::vector<BlockId> base;          ///< of each place what stands there whatever the cuts are; invalid if nothing
    std::vector<BlockId> changed;       ///< what stands there before the cut of the stage that changes it
    std::vector<int8_t> changedBy;      ///< index of that stage; -1 if none does
    // Sums over all places before each.
    std::vector<double> tokens;
    std::vector<uint32_t> counts;
    std::vector<uint64_t> bytes;
    std::vector<uint64_t> baseLost; ///< bytes that changes whatever the cuts lose for good
    struct OfStage {
        std::vector<double> tokens; ///< what it adds
        std::vector<int32_t> counts;
        std::vector<int64_t> bytes;
        std::vector<uint64_t> lost;
        std::vector<uint32_t> next; ///< the first place from here on that it changes
    };
    std::array<OfStage, kMostCuts> stages;
    std::vector<MessageSums> sums;   ///< by the set of stages, as bits; complete messages
    std::vector<uint32_t> firstTorn; ///< of each place: the first one from it on of a result whose call is before it
};

/// The log at one step.
struct CutStep {
    uint32_t epoch = 0;
    uint32_t kept = 0; ///< places of the array before that stay
    uint32_t places = 0;
    uint32_t messages = 0;  ///< the last one may grow in later steps
    uint32_t firstTail = 0; ///< into CutTables::tails: the last message's facts, by the set of stages
};

/// A use, with its carriers as places of the array that its call was sent.
struct CutUse {
    UseKind kind = UseKind::Quote;
    bool isTogether = false;
    bool isInjected = false; ///< its carrier is text that the harness put back
    uint32_t call = 0;
    bool hasCall = false;
    uint32_t entered = 0; ///< the step with which the carrier entered the log; kNever if it did not
    uint32_t enteredPlace = 0;
    uint32_t fetch = 0; ///< one number for each carrier block
    uint32_t firstCarrier = 0;
    uint32_t carrierCount = 0;
    /// Where all cuts are before this place, it is kept; where the array begins there or behind it, it is not.
    uint32_t keptBelow = 0;
    uint32_t firstShown = 0; ///< changed blocks that still show a quoted text
    uint32_t shownCount = 0;

    static constexpr uint32_t kNever = UINT32_MAX;
};

/// A changed block that shows what a use needs: at its place, once or as long as the stage has changed it.
struct CutShown {
    uint32_t place = 0;
    bool isBase = false; ///< as it stands there whatever the cuts are
};

/// The log under a policy's stages, in sums: all that replays have in common which differ in triggers and keep windows
/// alone. An array is told by a few cuts then, and any sum over it by a few differences. Immutable.
///
/// That is so where every stage changes single blocks, all of them or those before its keep window, no block is changed
/// by two of them in an order that matters, and the person took little back; else there are no tables.
struct CutTables {
    ReplayGroundPtr ground;
    PolicyPtr policy;      ///< triggers and keep windows are not looked at
    SessionPtr session;    ///< with what the stages made of its blocks
    BlockTokensPtr tokens; ///< of its blocks
    double windowTokens = 0;
    std::vector<CutStage> stages;
    std::optional<size_t> summary; ///< index of the stage
    BlockId summaryBlock;
    double summaryTokens = 0;
    MessageFacts summaryFacts;
    bool isSummaryWaiting = false; ///< for a trigger
    bool appliesSummary = false;
    bool keepsArchive = false;
    bool isView = false;
    bool hasSharedMessages = false; ///< a message holds several tool results
    std::vector<CutEpoch> epochs;
    std::vector<CutStep> steps;
    std::vector<MessageFacts> tails;
    CutGrowth growth;
    bool knowsUses = false;
    std::vector<CutUse> uses;       ///< of the kinds that headlines count, by their calls
    std::vector<uint32_t> firstUse; ///< by step, and one more: the first use of it or of a later one
    RangeMaxima keptBelow;          ///< of the uses, negative
    std::vector<uint32_t> carriers; ///< places; CutUse::kNever: not in the array
    std::vector<CutShown> shown;
    std::vector<double> fetchTokens; ///< by CutUse::fetch
    /// Of each text that the person typed the places in the last array of itself and of what else holds it word for
    /// word; kNever: not there.
    std::vector<std::vector<uint32_t>> typed;

    [[nodiscard]] const CutEpoch &epochOf(const CutStep &step) const { return epochs[step.epoch]; }
};
using CutTablesPtr = std::shared_ptr<const CutTables>;

/// nullptr where a policy's arrays cannot be told so. Costs O(blocks × stages), makes each change once, and reads what
/// is left of carriers that were changed. `uses` may be none.
[[nodiscard]] CutTablesPtr cutTables(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const Uses *uses, const std::shared_ptr<ChangeMemo> &memo);

} // namespace core
