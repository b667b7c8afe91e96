// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/context/context_spans.h"
#include "core/tokens/weights.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Tokens that recorded usage proves were sent with the calls `[from, to)` after a recorded compaction, and that stand
/// neither in the log nor in what the first call had beyond it (see `unloggedAt`).
struct UnloggedStretch {
    uint32_t from = 0;
    uint32_t to = 0;
    double tokens = 0;    ///< estimated
    double recorded = 0;  ///< prompt tokens of call `from`, exact; 0 if it has no usage
    uint32_t rewrite = 0; ///< of `ContextSpans::rewrites`: the compaction that put them there
};

/// Of fewer tokens nothing is told: that is what estimates are off by.
inline constexpr double kSmallestUnlogged = 1000;

/// One for each recorded summary or replacement that unlogged text came with, ascending. Costs O(compactions × blocks
/// of two arrays).
[[nodiscard]] std::vector<UnloggedStretch> unloggedStretches(
    const Session &session, ThreadIndex thread, const BlockTokens &tokens);

/// What became of a text at a call.
enum class TraceState : uint8_t {
    Verbatim, ///< a block of the array shows it whole, byte for byte
    Partial,  ///< a block shows a part of its words (see kept_words.h)
    Gone,     ///< no block of the array shows it
    Unknown,  ///< no block does, but the harness may have put it back where the log does not tell
};

/// A stretch of calls in which nothing changed for a text.
struct TraceLane {
    uint32_t from = 0; ///< calls `[from, to)`; index `callCount` is the array at the end
    uint32_t to = 0;
    TraceState state = TraceState::Gone;
    BlockId carrier;             ///< of blocks that show equally much of it the newest; invalid where it is gone
    std::vector<uint32_t> words; ///< of a partial one: which of `Trace::words` the carrier keeps, ascending
};

/// The life of one text over the calls of a thread.
struct Trace {
    std::string text;               ///< without blanks around it
    BlockId block;                  ///< the block that was traced; invalid for a text
    std::vector<std::string> words; ///< of the text, as kept_words.h counts them
    /// From the first call that was sent any of it to the end, without holes; empty if none was.
    std::vector<TraceLane> lanes;
    /// It stood in a file that the agent read or wrote, or in what the harness had put in: such texts harnesses put
    /// back after a compaction without a word in the log. (Of 834 edits in 23 sessions 8 quote what last stood before
    /// a compaction, and none of them failed.)
    bool mayBePutBack = false;

    /// The lane that holds a call; nullptr before the text first stood in an array.
    [[nodiscard]] const TraceLane *at(uint32_t call) const;
};

/// Traces a text: carriers are the blocks that show it (see shown_text.h; of tool calls also the JSON as it is
/// written). Where no block of the array does, it is *unknown* if that call was sent unlogged text and the text may be
/// put back
/// (`Trace::mayBePutBack`), else *gone*. Costs one reading of all blocks that ever stood in an array. Nothing if
/// cancelled.
[[nodiscard]] std::optional<Trace> traceText(const ContextSpans &spans, std::string_view text,
    std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// The same of all that a block shows, line numbers left out; the block itself always carries it. A typed message is
/// traced as `tracedUserMessages` does.
[[nodiscard]] std::optional<Trace> traceBlock(const ContextSpans &spans, BlockId block,
    std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// All texts that the person typed, in the order in which they entered, traced in one reading. What the model wrote or
/// a tool showed is no carrier of them, only text of user or system and summaries; and a carrier holds them as words of
/// their own: "ok" does not stand in "token". A short one (fewer than twelve characters or than three words) must stand
/// by itself there: as the whole text, on lines of its own, or in quotation marks. A message has no lane before the
/// call that it entered with, and while it stands itself in the array it is its own carrier.
[[nodiscard]] std::optional<std::vector<Trace>> tracedUserMessages(
    const ContextSpans &spans, std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// How many of the texts that had been in an array by then stand in that of call `call` word for word.
struct InContext {
    size_t standing = 0;
    size_t all = 0;
};
[[nodiscard]] InContext inContextAt(std::span<const Trace> traces, uint32_t call);
/// The same of the user messages of a recorded thread. Texts are only read where a message itself has left the array.
[[nodiscard]] InContext userMessagesAt(const SessionPtr &session, Position position);

} // namespace core
