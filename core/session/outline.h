// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/slot_label.h"

#include <optional>
#include <vector>

namespace core {

/// A part of a thread: a turn, the messages before the first turn, or a recorded compaction between two parts.
struct OutlineEntry {
    enum class Kind : uint8_t { Opening, Turn, Compaction };
    Kind kind = Kind::Turn;
    size_t number = 0;        ///< 1-based number of the turn, or of the compaction in the thread; 0 for the messages
                              ///< before the first turn
    bool isContinued = false; ///< the rest of a turn that a compaction interrupted
    size_t firstMessage = 0;  ///< index into Outline::messages; for a compaction that of its summary
    size_t lastMessage = 0;   ///< exclusive
    size_t callCount = 0;     ///< calls whose response is in this part
    CallIndex firstCall;      ///< the first of these calls; for a compaction the last call before it

    [[nodiscard]] size_t messageCount() const { return lastMessage - firstMessage; }
    /// Whether its first message is a user message.
    [[nodiscard]] bool beginsTyped() const { return kind == Kind::Turn && !isContinued; }
};

/// The parts of a thread in order. Every message is in exactly one entry; abandoned branches are where they were
/// written.
struct Outline {
    std::vector<MessageId> messages; ///< of the thread, ascending
    std::vector<OutlineEntry> entries;
    size_t turnCount = 0;

    /// The entry of a message; nullopt if the message is in another thread.
    [[nodiscard]] std::optional<size_t> entryOf(MessageId message) const;
};

/// A turn begins at each message with a typed text. A thread may have no typed texts (a subagent): there a turn begins
/// at each user message with a text that neither the harness nor a compaction wrote. A compaction follows the last
/// message of the array it changed; a turn that continues after it gets another entry. O(messages + calls).
[[nodiscard]] Outline outlineOf(const Session &session, ThreadIndex thread);

/// The array at a position as shown by views: includes the response if a recorded compaction follows the call.
[[nodiscard]] const BlockRanges &shownRangesAt(const Session &session, Position position);

/// The label of the slot that a message makes. It names the message wherever no array is shown: no message is a task.
[[nodiscard]] SlotLabel labelOf(const Session &session, MessageId message);

/// Whether an array has the block. O(ranges).
[[nodiscard]] bool contains(const BlockRanges &ranges, BlockId block);

/// In the block's own thread: the position whose array contains the block and that is the fewest calls away from
/// `from`. nullopt if no array contains it. O(calls × ranges).
[[nodiscard]] std::optional<Position> nearestPositionWith(const Session &session, BlockId block, Position from);

} // namespace core
