// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

#include <memory>
#include <vector>

namespace core {

/// What one array adds up to: the parts and the total, in tokens. Every view takes its total from here.
struct ArraySum {
    double prelude = 0;  ///< system prompt and tools: as recorded, or what the first prompt had beyond its array
    double slots = 0;    ///< the array itself
    double unlogged = 0; ///< sent and not in the log: put back by a compaction, or put in without a record
    double notSent = 0;  ///< in the log and not sent: cleared without a record
    double recorded = 0; ///< the call's prompt by usage; 0 if there is none
    /// The rest, with its sign: errors of the estimates. The total is the recorded prompt, and the other parts miss it
    /// by this much. Without a recorded prompt, the remainder of the last call that has one.
    double remainder = 0;
    bool isPreludeRecorded = false;
    bool isDoubtful = false; ///< `recorded` is in doubt and not the total
    Basis basis = Basis::Estimated;
    double error = 0; ///< see BlockTokens::error

    /// Everything but the slots.
    [[nodiscard]] double besides() const { return prelude + unlogged - notSent + remainder; }
    [[nodiscard]] double value() const { return slots + besides(); }
    [[nodiscard]] TokenFigure total() const { return { value(), basis, error }; }
    /// The sum of an array whose slots have another weight, with the same other parts. Its total is estimated unless
    /// the weight is the same.
    [[nodiscard]] ArraySum withSlots(double weight, const BlockTokens &tokens) const;
    /// Whether the total is the recorded prompt.
    [[nodiscard]] bool isRecorded() const { return basis == Basis::Exact && recorded > 0 && !isDoubtful; }
};

/// A call whose recorded prompt departs from what the log adds up to, by more than estimates are off.
struct SumEvent {
    enum class Kind : uint8_t {
        PutIn,      ///< more was sent, without a record
        Cleared,    ///< less was sent, without a record: a silent clearing
        Returned,   ///< what had been cleared is sent again
        TakenOut,   ///< text that was put in without a record is no longer sent
        OtherModel, ///< another model counts the same texts differently; this is in the remainder
    };
    CallIndex call; ///< the first call with the change
    Kind kind = Kind::PutIn;
    double tokens = 0; ///< estimated, not negative
};

/// The sums of all arrays of one thread.
struct ArraySums {
    std::vector<ArraySum> calls;
    ArraySum end;                 ///< the array after the last record, which a next call would send
    std::vector<SumEvent> events; ///< by call
    size_t recordedCount = 0;     ///< calls whose total is recorded
    double peak = 0;              ///< largest total, end included

    [[nodiscard]] const ArraySum &at(Position position) const
    {
        return position.isEnd() || position.call.index() >= calls.size() ? end : calls[position.call.index()];
    }
};
using ArraySumsPtr = std::shared_ptr<const ArraySums>;

/// Adds up every array of a thread.
///
/// Prelude: recorded, or the prompt of the thread's first call with usage minus its array. After a recorded summary or
/// replacement, the first call with usage shows what the harness put back: what its prompt has beyond prelude and array
/// is unlogged; if it has less, the prelude shrinks. Framing and reminders that come with each further block are
/// unlogged, too; their size is fitted to the calls of the stretch. Between two calls, a growth that departs from the
/// log (`isDeparture`) is an event: a larger one is unlogged from then on; after a smaller one, as much was not sent.
/// All else stays in the remainder. Sums of a stretch without usage have a prelude only. One pass: O(blocks + ranges of
/// the calls).
[[nodiscard]] ArraySumsPtr arraySums(const Session &session, ThreadIndex thread, const BlockTokens &tokens);

} // namespace core
