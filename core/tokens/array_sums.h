// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

#include <memory>
#include <span>
#include <vector>

namespace core {

/// What one array adds up to: the parts and the total, in tokens. Every view takes its total from here.
struct ArraySum {
    double prelude = 0;  ///< system prompt and tools: as recorded, or what the first prompt had beyond its array
    double slots = 0;    ///< the array itself
    double unlogged = 0; ///< sent and not in the log: put back by a compaction, or put in without a record
    double framing = 0;  ///< sent and not in the log: added to each further block; fitted
    double notSent = 0;  ///< in the log and not sent: cleared without a record that names it
    double recorded = 0; ///< the call's prompt by usage; 0 if there is none
    /// The recorded prompt minus the other parts, so that the total is the recorded prompt. It can be negative: the
    /// other parts are estimates. Without a recorded prompt, the remainder of the last call that has one.
    double remainder = 0;
    bool isPreludeRecorded = false;
    bool isDoubtful = false; ///< `recorded` is in doubt and not the total
    Basis basis = Basis::Estimated;
    double error = 0; ///< see BlockTokens::error

    /// Everything but the slots.
    [[nodiscard]] double besides() const { return prelude + unlogged + framing - notSent + remainder; }
    [[nodiscard]] double value() const { return slots + besides(); }
    /// All tokens that were sent but are not in the log, without the prelude.
    [[nodiscard]] double unloggedWithFraming() const { return unlogged + framing; }
    [[nodiscard]] TokenFigure total() const { return { value(), basis, error }; }
    /// The sum of another array, whose slots have this weight, with the same other parts. Its total is not recorded.
    [[nodiscard]] ArraySum withSlots(double weight, const BlockTokens &tokens) const;
    /// Whether the total is the recorded prompt.
    [[nodiscard]] bool isRecorded() const { return basis == Basis::Exact && recorded > 0 && !isDoubtful; }
};

/// A call whose recorded prompt differs from the sum of the log by more than the error of estimates.
struct SumEvent {
    enum class Kind : uint8_t {
        PutIn,      ///< more was sent, without a record
        Cleared,    ///< less was sent, without a record: a silent clearing
        Recorded,   ///< less was sent right after a recorded clearing, which does not name what it cleared
        Returned,   ///< what had been cleared is sent again
        TakenOut,   ///< text that was put in without a record is no longer sent
        OtherModel, ///< another model counts the same texts differently; this is in the remainder
    };
    CallIndex call; ///< the first call with the change
    Kind kind = Kind::PutIn;
    double tokens = 0; ///< estimated, not negative
};

/// A clearing without a record, or whose record does not name what it cleared: from one call on, less was sent than the
/// log holds. Nobody knows which texts were left out; they are some of `blocks`.
struct SilentClearing {
    uint32_t from = 0; ///< calls `[from, to)` did not send it; index `calls.size()` is the array at the end
    uint32_t to = 0;
    double tokens = 0; ///< estimated
    bool isRecorded = false;
    std::vector<BlockId> blocks; ///< blocks that it may have removed, ascending
};

/// A silent clearing may have removed the block from the arrays of the calls `[from, to)`.
struct UnsureSpan {
    BlockId block;
    uint32_t from = 0;
    uint32_t to = 0;
};
/// Whether one of these spans, sorted by block, has the block and the call. O(log).
[[nodiscard]] bool mayBeMissing(std::span<const UnsureSpan> unsure, BlockId block, uint32_t call);

/// The sums of all arrays of one thread.
struct ArraySums {
    std::vector<ArraySum> calls;
    ArraySum end;                          ///< the array after the last record, which a next call would send
    std::vector<SumEvent> events;          ///< by call
    std::vector<SilentClearing> clearings; ///< ascending; see silent_clearings.h
    std::vector<UnsureSpan> unsure;        ///< of these clearings; by block, those of one block do not touch
    size_t recordedCount = 0;              ///< calls whose total is recorded
    double peak = 0;                       ///< largest total, end included

    [[nodiscard]] const ArraySum &at(Position position) const
    {
        return position.isEnd() || position.call.index() >= calls.size() ? end : calls[position.call.index()];
    }
    /// Whether a silent clearing may have removed a block from the array of this call; index `calls.size()` is the end.
    /// Then it is unknown whether the call contained the block. O(log).
    [[nodiscard]] bool mayBeMissing(BlockId block, uint32_t call) const
    {
        return core::mayBeMissing(unsure, block, call);
    }
};
using ArraySumsPtr = std::shared_ptr<const ArraySums>;
/// By ThreadIndex.
using SessionSums = std::vector<ArraySumsPtr>;
using SessionSumsPtr = std::shared_ptr<const SessionSums>;

/// Adds up every array of a thread.
///
/// Prelude: recorded, or the prompt of the thread's first call with usage minus its array. After a recorded summary or
/// replacement, the first call with usage shows what the harness put back: what its prompt has beyond prelude and array
/// is unlogged; if it has less, the prelude shrinks. Framing and reminders that come with each further block are fitted
/// to the calls of the stretch: those between two such compactions. Between two calls, a growth that departs from the
/// log (`isDeparture`) is an event: a larger one is unlogged from then on; after a smaller one, as much was not sent.
/// All else stays in the remainder. Sums of a stretch without usage have a prelude only. One pass: O(blocks + ranges of
/// the calls).
[[nodiscard]] ArraySumsPtr arraySums(const Session &session, ThreadIndex thread, const BlockTokens &tokens);
/// How often `arraySums` has run in this process: each run visits every array of a thread, so tests count the runs.
[[nodiscard]] uint64_t arraySumsRuns();
/// The sums of all threads.
[[nodiscard]] SessionSumsPtr sessionSums(const Session &session, const BlockTokens &tokens);

} // namespace core
