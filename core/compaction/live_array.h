// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/prefix_sums.h"
#include "core/compaction/message_array.h"

#include <optional>
#include <span>
#include <vector>

namespace core {

/// An array that changes from call to call and maintains its sums. The place of an element never changes. An eviction
/// marks the places at the front as dead. The summary and the carried elements go into the last of these places.
/// Operations cost what they touch; prefix sums O(log n).
class LiveArray final : public MessageArray {
public:
    struct Element {
        BlockId block;
        BlockId origin; ///< invalid for a summary
        uint32_t message = 0;
        bool isGone = false;
        bool isPinned = false;
    };

    /// Reserves `places`; may grow beyond them.
    LiveArray(const BlockPool &pool, MessageCounter counter, size_t places);

    void push(const Element &element, Role role, bool startsMessage);
    /// Removes the places from `size` on.
    void truncate(size_t size);
    /// Returns whether the element changed.
    bool set(size_t place, BlockId block, bool isGone);
    /// Evicts the messages before message `cut`, counted from the first live message. A message with the blocks
    /// `added`, if there are any, and the elements at `carried` replace them. There must be as many evicted elements.
    void evict(size_t cut, std::span<const BlockId> added, const std::vector<size_t> &carried, SummaryPlace where);

    [[nodiscard]] size_t first() const { return m_first; } ///< the first live place
    [[nodiscard]] size_t size() const { return m_elements.size(); }
    [[nodiscard]] bool isEmpty() const { return m_first == m_elements.size(); }
    [[nodiscard]] const Element &at(size_t place) const { return m_elements[place]; }
    [[nodiscard]] const Block &blockAt(size_t place) const { return m_pool.block(m_elements[place].block); }
    [[nodiscard]] Role lastRole() const { return m_messages.back().role; }
    /// The first place of a message; the size for the message behind the last.
    [[nodiscard]] size_t placeOf(size_t message) const;
    /// The message that holds a place; the number of messages for the size.
    [[nodiscard]] size_t messageAt(size_t place) const;
    /// Tokens of all elements; of the elements before a place.
    [[nodiscard]] double tokens() const { return m_tokens; }
    [[nodiscard]] double tokensBefore(size_t place) const { return m_weights.before(place); }
    /// Live blocks of the array; from a place on.
    [[nodiscard]] size_t blockCount() const { return m_blockCount; }
    [[nodiscard]] size_t blocksFrom(size_t place) const;
    /// Messages with live elements.
    [[nodiscard]] size_t filledMessageCount() const;

    /// Places pushed or set since the last call; may contain duplicates and removed places.
    [[nodiscard]] std::vector<uint32_t> takeTouched() { return std::exchange(m_touched, {}); }

    [[nodiscard]] size_t messageCount() const override { return m_messages.size() - m_firstMessage; }
    [[nodiscard]] MessageFacts factsOf(size_t message) const override;
    [[nodiscard]] double tokensFrom(size_t message) const override;
    [[nodiscard]] double totalTokens() const override;
    [[nodiscard]] size_t resultCount() const override;
    [[nodiscard]] size_t turnCount() const override;
    void forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const override;

private:
    struct Message {
        Role role = Role::User;
        uint32_t first = 0;
        uint32_t count = 0;
        bool isStale = false; ///< the facts must be recounted
        MessageFacts facts;
    };

    [[nodiscard]] double weightOf(const Element &element) const
    {
        return element.isGone ? 0 : m_pool.tokens(element.block);
    }
    void touch(uint32_t message);
    void count(size_t message, int sign) const;
    void refresh() const;

    const BlockPool &m_pool;
    MessageCounter m_counter;
    std::vector<Element> m_elements;
    mutable std::vector<Message> m_messages;
    size_t m_first = 1;        ///< the first place is always dead, to leave room for a summary
    size_t m_firstMessage = 1; ///< and so is the first message
    double m_tokens = 0;
    size_t m_blockCount = 0;
    PrefixSums m_weights; ///< by place
    mutable PrefixSums m_messageTokens;
    mutable std::optional<double> m_allMessageTokens; ///< sum over all messages, computed on demand
    std::vector<uint32_t> m_touched;
    mutable std::vector<uint32_t> m_stale; ///< message numbers
    mutable double m_inTotal = 0;
    mutable size_t m_results = 0;
    mutable size_t m_turns = 0;
    mutable size_t m_filled = 0;
    mutable std::vector<BlockId> m_blocks;
};

} // namespace core
