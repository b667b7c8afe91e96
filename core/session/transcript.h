// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <span>

namespace core {

/// One element of the array, as the provider's API receives it.
struct Slot {
    MessageId id; ///< `#n`: the message of its first block
    Role role = Role::User;
    uint32_t firstBlock = 0; ///< index into Transcript::blocks
    uint32_t blockCount = 0;
};

/// A point in a thread: the input of call `call` or, if that is invalid, the array after the last record (the "end").
struct Position {
    ThreadIndex thread { 0U };
    CallIndex call;
    [[nodiscard]] bool isEnd() const { return !call.isValid(); }
    friend bool operator==(const Position &, const Position &) = default;
};

/// The array of one call as slots. Immutable. Making it costs O(blocks in the array) and reads no text.
class Transcript final {
public:
    Transcript() = default;
    Transcript(SessionPtr session, const BlockRanges &ranges);

    [[nodiscard]] const SessionPtr &session() const { return m_session; }
    [[nodiscard]] std::span<const Slot> slots() const { return m_slots; }
    [[nodiscard]] std::span<const BlockId> blocks() const { return m_blocks; }
    [[nodiscard]] const Slot &slot(SlotIndex index) const { return m_slots[index.index()]; }
    [[nodiscard]] std::span<const BlockId> blocksOf(const Slot &slot) const
    {
        return std::span(m_blocks).subspan(slot.firstBlock, slot.blockCount);
    }
    [[nodiscard]] const Block &block(BlockId id) const { return m_session->block(id); }
    [[nodiscard]] size_t slotCount() const { return m_slots.size(); }
    [[nodiscard]] bool isEmpty() const { return m_slots.empty(); }

    /// The slot with `block`; invalid if there is none. O(log slots) if blocks are in pool order, else O(blocks).
    [[nodiscard]] SlotIndex slotOf(BlockId block) const;
    /// The slot with the message `#n`.
    [[nodiscard]] SlotIndex slotOf(MessageId message) const;
    [[nodiscard]] TextLengths lengthsOf(const Slot &slot) const;

private:
    SessionPtr m_session;
    std::vector<BlockId> m_blocks;
    std::vector<Slot> m_slots;
};

/// The tool call that `block` makes or answers, and all its results, in array order. Call ids may repeat; a result
/// belongs to the nearest earlier call. Empty if `block` is not in the array or has no call id. O(blocks in the array).
[[nodiscard]] std::vector<BlockId> callAndAnswers(const Transcript &transcript, BlockId block);

/// The ranges at a position; those of the end if the call does not exist.
[[nodiscard]] const BlockRanges &rangesAt(const Session &session, Position position);

/// The recorded system prompt and tools at a position.
[[nodiscard]] std::optional<BlockRange> preludeAt(const Session &session, Position position);

/// The recorded compaction directly after the call at `position`, or nullptr; of several the last, whose array the next
/// call sent.
[[nodiscard]] const RecordedCompaction *compactionAfter(const Session &session, Position position);

} // namespace core
