// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/context/context_spans.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// Tokens of the calls `[from, to)` after a recorded compaction: recorded usage proves that they were sent, but they
/// are neither in the log nor in the overhead of the first call (see `arraySums`).
struct UnloggedStretch {
    uint32_t from = 0;
    uint32_t to = 0;
    double tokens = 0;    ///< estimated
    double recorded = 0;  ///< prompt tokens of call `from`, exact; 0 if it has no usage
    uint32_t rewrite = 0; ///< index into `ContextSpans::rewrites`: the compaction that added them
};

/// Fewer tokens are not reported: estimates are off by that much.
inline constexpr double kSmallestUnlogged = 1000;

/// One stretch for each recorded summary or replacement that added unlogged text, ascending. `sums` are of this thread.
[[nodiscard]] std::vector<UnloggedStretch> unloggedStretches(const Thread &thread, const ArraySums &sums);

/// What a call's array holds of a traced text.
enum class TraceState : uint8_t {
    Verbatim, ///< a block of the array contains all its words in order, blanks aside
    Partial,  ///< a block contains a part of its words (see kept_words.h)
    Gone,     ///< no block of the array contains it
    Unknown,  ///< no block contains it, but the harness may have put it back without logging it; or a block does, but a
              ///< silent clearing may have removed the block
};

/// A stretch of calls with the same state and carrier.
struct TraceLane {
    uint32_t from = 0; ///< calls `[from, to)`; index `callCount` is the final array
    uint32_t to = 0;
    TraceState state = TraceState::Gone;
    BlockId carrier;             ///< the block that holds most of the text, the newest of equals; invalid if the state
                                 ///< is Gone
    std::vector<uint32_t> words; ///< if Partial: the indices into `Trace::words` that the carrier keeps, ascending
    bool mayBeCleared
        = false; ///< if Unknown: true if a silent clearing may have removed it; else the harness may have put it back
};

/// The life of one text over the calls of a thread.
struct Trace {
    std::string text;               ///< trimmed
    BlockId block;                  ///< the traced block; invalid if a text was traced
    std::vector<std::string> words; ///< the words of the text as kept_words.h splits it
    /// From the first call that sent any of it to the end, without gaps; empty if no call did.
    std::vector<TraceLane> lanes;
    /// The text was in a file that the agent read or wrote, or in injected text. Harnesses put such text back after a
    /// compaction without logging it. (Of 834 edits in 23 sessions 8 quote text that was last in the context before a
    /// compaction, and none of them failed.)
    bool mayBePutBack = false;

    /// The lane of a call; nullptr before the first lane.
    [[nodiscard]] const TraceLane *at(uint32_t call) const;
};

/// Traces a text. Its carriers are the blocks whose shown text contains it (shown_text.h); tool calls also carry it in
/// their raw JSON. Where no block of the array contains it, the state is *unknown* if that call sent unlogged text and
/// the text may be put back (`Trace::mayBePutBack`), else *gone*. Reads every block that was ever in an array once.
/// nullopt if cancelled.
[[nodiscard]] std::optional<Trace> traceText(const ContextSpans &spans, std::string_view text,
    std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// Traces the whole shown text of a block, without line numbers. The block always carries its own text. A user message
/// is traced as in `tracedUserMessages`.
[[nodiscard]] std::optional<Trace> traceBlock(const ContextSpans &spans, BlockId block,
    std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// Traces all user messages in the order they entered, in one pass over the blocks. Only user and system text and
/// summaries carry a message, on word boundaries: "token" does not contain "ok". A short message (fewer than twelve
/// characters or three words) must stand alone: as the whole text, on its own lines, or in quotation marks. The lanes
/// of a message start at the call it entered with. While it is in the array, the message is its own carrier.
[[nodiscard]] std::optional<std::vector<Trace>> tracedUserMessages(
    const ContextSpans &spans, std::span<const UnloggedStretch> unlogged = {}, Progress *progress = nullptr);

/// Of the texts that entered up to call `call`: how many the array of this call still contains word for word.
struct InContext {
    size_t standing = 0;
    size_t all = 0;
};
[[nodiscard]] InContext inContextAt(std::span<const Trace> traces, uint32_t call);
/// The same for the user messages of a recorded thread. Reads texts only if a message itself has left the array.
[[nodiscard]] InContext userMessagesAt(const SessionPtr &session, Position position);

} // namespace core
