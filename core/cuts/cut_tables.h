// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/message_array.h"
#include "core/compaction/stage.h"
#include "core/cuts/cut_growth.h"
#include "core/evidence/uses.h"
#include "core/replay/log_places.h"

#include <array>
#include <memory>

namespace core {

/// Limit on stages with a cut in one replay.
inline constexpr size_t kMostCuts = 3;

/// A stage that changes only blocks before one message: the stage's cut.
struct CutStage {
    size_t index = 0; ///< index into the policy's stages
    bool waits = false;
    bool isEverywhere = false; ///< when it acts, its cut is behind the last message
    bool looksAtCalls = false; ///< see ResultRule
};

/// Figures of an array's messages under one set of stages: sums over the messages before each one.
struct MessageSums {
    std::vector<double> tokens;
    std::vector<double> inTotal;
    std::vector<uint32_t> results;
    std::vector<uint32_t> turns;
    std::vector<MessageFacts> facts; ///< by message
};

/// A stretch of calls during which the log only grows. A place is an index into the log's array.
struct CutEpoch {
    explicit CutEpoch(const ReplayGround &ground)
        : places(ground)
    {
    }

    std::vector<BlockId> blocks;        ///< by place: the recorded blocks
    std::vector<uint32_t> messageFirst; ///< by message: place of its first block; one more for the end
    std::vector<Role> roles;            ///< by message
    std::vector<BlockId> base;          ///< by place: the block that is there whatever the cuts; invalid if none
    std::vector<BlockId> changed;       ///< by place: the block that is there before the cut of the stage that changes
                                        ///< it
    std::vector<int8_t> changedBy;      ///< by place: index of that stage; -1 if none
    // Sums over the places before each one:
    std::vector<double> tokens;
    std::vector<uint32_t> counts;
    std::vector<uint64_t> bytes;
    std::vector<uint64_t> baseLost; ///< bytes lost for good by changes that do not depend on cuts
    struct OfStage {
        std::vector<double> tokens; ///< tokens with the stage minus tokens without it
        std::vector<int32_t> counts;
        std::vector<int64_t> bytes;
        std::vector<uint64_t> lost;
        std::vector<uint32_t> next; ///< the next place from here on that the stage changes
    };
    std::array<OfStage, kMostCuts> stages;
    std::vector<MessageSums> sums; ///< by set of stages, as bits; complete messages only
    LogPlaces places;
    std::vector<uint32_t> firstTorn; ///< by place: the next place from here on with a result whose call is before this
                                     ///< place
};

/// What silent clearings may have removed from the arrays of some steps of an epoch: between two changes of the
/// clearings. Sums of tokens over the first of these places.
struct CutUnsent {
    const UnsentText *text = nullptr;
    std::vector<uint32_t> places; ///< ascending
    std::vector<double> ofLog;
    std::vector<double> untouched;                        ///< places that no stage changes
    std::array<std::vector<double>, kMostCuts> changedBy; ///< by stage: places that it changes
};

/// One step of the log.
struct CutStep {
    static constexpr uint32_t kNone = UINT32_MAX;
    uint32_t epoch = 0;
    uint32_t kept = 0; ///< places kept from the previous array
    uint32_t places = 0;
    uint32_t messages = 0;   ///< the last message may grow in later steps
    uint32_t firstTail = 0;  ///< index into CutTables::tails: the last message's facts, by set of stages
    uint32_t unsent = kNone; ///< index into CutTables::unsent; kNone: all was sent
};

/// A use; its carriers are places in the array of its call.
struct CutUse {
    UseKind kind = UseKind::Quote;
    bool isTogether = false;
    bool isInjected = false; ///< its carrier is injected text
    bool isUnsure = false;   ///< see Uses::isUnsure
    uint32_t call = 0;
    bool hasCall = false;
    uint32_t entered = 0; ///< step at which the carrier entered the log; kNever if it did not
    uint32_t enteredPlace = 0;
    uint32_t fetch = 0; ///< number of the carrier block
    uint32_t firstCarrier = 0;
    uint32_t carrierCount = 0;
    /// The use is kept if all cuts are before this place, and not kept if the array begins at or behind it.
    uint32_t keptBelow = 0;
    uint32_t firstShown = 0; ///< index of the first changed block that still shows a quoted text
    uint32_t shownCount = 0;

    static constexpr uint32_t kNever = UINT32_MAX;
};

/// A changed block that shows the text of a use: always, or once its stage has changed it.
struct CutShown {
    uint32_t place = 0;
    bool isBase = false; ///< the block is there whatever the cuts
};

/// The log under a policy's stages, as prefix sums. All replays that differ only in triggers and keep windows share
/// these tables: a few cuts describe an array, and any sum over it is a few differences. Immutable.
///
/// Tables exist only if every stage changes single blocks, either all of them or those before its keep window, if no
/// two stages change the same block in an order that matters, and if the user rewound little.
struct CutTables {
    ReplayGroundPtr ground;
    PolicyPtr policy;      ///< its triggers and keep windows are ignored
    SessionPtr session;    ///< with the blocks that the stages made
    BlockTokensPtr tokens; ///< of its blocks
    double windowTokens = 0;
    std::optional<KnownUsage> known; ///< to the policy's harness
    std::vector<CutStage> stages;
    std::optional<size_t> summary; ///< index of the stage
    BlockId summaryBlock;
    double summaryTokens = 0;
    MessageFacts summaryFacts;
    bool isSummaryWaiting = false; ///< the summary stage waits for a trigger
    bool appliesSummary = false;
    bool keepsArchive = false;
    bool isView = false;
    bool hasSharedMessages = false; ///< some message holds several tool results
    std::vector<CutEpoch> epochs;
    std::vector<CutStep> steps;
    std::vector<CutUnsent> unsent;
    std::vector<MessageFacts> tails;
    CutGrowth growth;
    bool knowsUses = false;
    std::vector<CutUse> uses;       ///< of headline kinds, in the order of their calls
    std::vector<uint32_t> firstUse; ///< by step: index of its first use, or of the next step with uses; one more for
                                    ///< the end
    RangeMaxima keptBelow;          ///< of the uses, negated
    std::vector<uint32_t> carriers; ///< places; CutUse::kNever: not in the array
    std::vector<CutShown> shown;
    std::vector<double> fetchTokens; ///< by CutUse::fetch
    /// For each user message: its place in the last array and the places of other blocks that hold it word for word;
    /// kNever: not there.
    std::vector<std::vector<uint32_t>> typed;

    [[nodiscard]] const CutEpoch &epochOf(const CutStep &step) const { return epochs[step.epoch]; }
};
using CutTablesPtr = std::shared_ptr<const CutTables>;

/// Sums what silent clearings may have removed, once all epochs and steps are made.
void sumUnsent(CutTables &tables);

/// nullptr if the policy's arrays cannot be described by cuts. Costs O(blocks × stages): makes each change once, and
/// reads what is left of changed carriers. `uses` may be nullptr.
[[nodiscard]] CutTablesPtr cutTables(
    const ReplayGroundPtr &ground, const PolicyPtr &policy, const Uses *uses, const std::shared_ptr<ChangeMemo> &memo);

} // namespace core
