// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <vector>

namespace core {

/// A stretch of a thread's life: a turn, what came before the first one, or a recorded compaction between two
/// stretches.
struct OutlineEntry {
    enum class Kind : uint8_t { Opening, Turn, Compaction };
    Kind kind = Kind::Turn;
    size_t number = 0;        ///< 1-based, of the turn or of the compaction among all of the thread; 0 for an opening
    bool isContinued = false; ///< the rest of a turn that a compaction interrupted
    size_t firstMessage = 0;  ///< into Outline::messages; of a compaction, the summary that it wrote
    size_t lastMessage = 0;   ///< exclusive
    size_t callCount = 0;     ///< calls whose response lies in it
    CallIndex firstCall;      ///< the first of them; of a compaction, the last call before it

    [[nodiscard]] size_t messageCount() const { return lastMessage - firstMessage; }
    /// Its first message is the one that the person typed.
    [[nodiscard]] bool beginsTyped() const { return kind == Kind::Turn && !isContinued; }
};

/// The life of a thread in order: every message stands in exactly one entry, abandoned branches where they were
/// written.
struct Outline {
    std::vector<MessageId> messages; ///< of the thread, ascending
    std::vector<OutlineEntry> entries;
    size_t turnCount = 0;

    /// The entry that holds a message; nothing if the message is of another thread.
    [[nodiscard]] std::optional<size_t> entryOf(MessageId message) const;
};

/// A turn begins at each message that holds a typed text; in a thread where nothing is marked as typed (a subagent), at
/// each user message with a text that neither harness nor compaction wrote. A compaction stands behind the last message
/// of the array that it changed; a turn that goes on after it is continued in an entry of its own. O(messages + calls).
[[nodiscard]] Outline outlineOf(const Session &session, ThreadIndex thread);

/// The array at a position as views show it: with the response where a recorded compaction follows the call.
[[nodiscard]] const BlockRanges &shownRangesAt(const Session &session, Position position);

/// Where a block can be looked at: the position nearest to `from`, in calls, whose array holds it, in the block's own
/// thread. Nothing if no array holds it. O(calls × ranges).
[[nodiscard]] std::optional<Position> nearestPositionWith(const Session &session, BlockId block, Position from);

} // namespace core
