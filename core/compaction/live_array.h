// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/prefix_sums.h"
#include "core/compaction/message_array.h"

#include <optional>
#include <vector>

namespace core {

/// An array that grows and changes from call to call, and knows its sums at any time. Places of elements stay what they
/// are, whatever is put behind or taken from before them: what an eviction takes leaves dead places, of which the last
/// ones hold what stands for it. All operations cost what they touch; sums of a beginning O(log n).
class LiveArray final : public MessageArray {
public:
    struct Element {
        BlockId block;
        BlockId origin; ///< invalid for a summary
        uint32_t message = 0;
        bool isGone = false;
        bool isPinned = false;
    };

    /// With room for `places`; more may come.
    LiveArray(const BlockPool &pool, MessageCounter counter, size_t places);

    void push(const Element &element, Role role, bool startsMessage);
    /// Places from `size` on go.
    void truncate(size_t size);
    /// True if that changed anything.
    bool set(size_t place, BlockId block, bool isGone);
    /// What stands before the message `cut` goes (counted from the first that is there); the summary and the elements
    /// at `carried` stand there then.
    void evict(size_t cut, BlockId summary, const std::vector<size_t> &carried);

    [[nodiscard]] size_t first() const { return m_first; } ///< place
    [[nodiscard]] size_t size() const { return m_elements.size(); }
    [[nodiscard]] bool isEmpty() const { return m_first == m_elements.size(); }
    [[nodiscard]] const Element &at(size_t place) const { return m_elements[place]; }
    [[nodiscard]] const Block &blockAt(size_t place) const { return m_pool.block(m_elements[place].block); }
    [[nodiscard]] Role lastRole() const { return m_messages.back().role; }
    /// The first place of a message; behind the last message, the size.
    [[nodiscard]] size_t placeOf(size_t message) const;
    /// Tokens of all, and of what stands before a place.
    [[nodiscard]] double tokens() const { return m_tokens; }
    [[nodiscard]] double tokensBefore(size_t place) const { return m_weights.before(place); }
    /// Blocks that are there, of all and from a place on.
    [[nodiscard]] size_t blockCount() const { return m_blockCount; }
    [[nodiscard]] size_t blocksFrom(size_t place) const;
    /// Messages of which something is there.
    [[nodiscard]] size_t filledMessageCount() const;

    /// Places that were pushed or set since they were last asked for; some may be more than once, or gone.
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
        bool isStale = false; ///< the facts are to be counted anew
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
    size_t m_first = 1;        ///< the first place is always dead: room for a summary
    size_t m_firstMessage = 1; ///< and so is the first message
    double m_tokens = 0;
    size_t m_blockCount = 0;
    PrefixSums m_weights; ///< by place
    mutable PrefixSums m_messageTokens;
    mutable std::optional<double> m_allMessageTokens; ///< their sum, once asked for
    std::vector<uint32_t> m_touched;
    mutable std::vector<uint32_t> m_stale; ///< messages
    mutable double m_inTotal = 0;
    mutable size_t m_results = 0;
    mutable size_t m_turns = 0;
    mutable size_t m_filled = 0;
    mutable std::vector<BlockId> m_blocks;
};

} // namespace core
