// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/message_array.h"

namespace core {

/// The array that stages work on, in messages of the policy's shape. Each element is a block, its origin, and whether
/// it is still there. New texts go into a pool behind the session's blocks. Costs O(blocks) to make; a change costs its
/// text.
class Draft final {
public:
    struct Element {
        BlockId block;  ///< the current block
        BlockId origin; ///< the block in the `before` array; invalid for one that a stage added
        bool isGone = false;
        bool isPinned = false; ///< an override: stages must not change it
    };
    struct Message {
        Role role = Role::User;
        uint32_t first = 0; ///< index into elements
        uint32_t count = 0;
        bool isSummary = false;
    };

    /// `memo` must be of the transcript's session, or nullptr.
    Draft(const Transcript &before, MessageShape shape, const BlockTokens &tokens, ChangeMemo *memo = nullptr);
    /// An empty array of a thread, to append to.
    Draft(const SessionPtr &session, ThreadIndex thread, const BlockTokens &tokens, ChangeMemo *memo = nullptr);

    /// Appends a block to a new message or to the last one.
    void append(BlockId block, Role role, bool startsMessage);
    /// Removes all appended blocks but the first `count`, as if they had never been appended; a summary stays.
    void truncate(size_t count);

    [[nodiscard]] const BlockPool &pool() const { return m_pool; }
    [[nodiscard]] const std::vector<Message> &messages() const { return m_messages; }
    [[nodiscard]] const std::vector<Element> &elements() const { return m_elements; }
    [[nodiscard]] std::span<const Element> elementsOf(const Message &message) const
    {
        return std::span(m_elements).subspan(message.first, message.count);
    }
    [[nodiscard]] const Block &block(BlockId id) const { return m_pool.block(id); }
    [[nodiscard]] const Block &blockOf(size_t element) const { return block(m_elements[element].block); }
    [[nodiscard]] std::string text(BlockId id) const { return m_pool.text(id); }
    [[nodiscard]] double tokens(BlockId id) const { return m_pool.tokens(id); }
    [[nodiscard]] std::string_view string(StringId id) const { return m_pool.string(id); }
    [[nodiscard]] bool isEmpty(const Message &message) const;
    /// Size of everything still there, updated with each change.
    struct Size {
        double tokens = 0;
        int64_t characters = 0;
    };
    [[nodiscard]] const Size &size() const { return m_size; }

    void pin(size_t element) { m_elements[element].isPinned = true; }

    /// Applies a change, which must have been made for the element's current block.
    void change(size_t element, const BlockChange &change, size_t stage, std::optional<size_t> artifact = {});
    void drop(size_t element, Rewrite rewrite);
    /// Gives the element its recorded block back, which an earlier call had changed.
    void restore(size_t element);
    /// Adds a text that the user wrote, as a message of its own, before the element at `place` or at the end; pinned.
    /// Costs the elements behind.
    void insertAt(size_t place, Role role, const std::string &text);
    /// What comes in place of evicted messages: a message with the summary, unless it is empty, and with files; before
    /// or behind the `carried` elements, which stay.
    struct Replacement {
        std::string summary;
        double summaryTokens = 0; ///< see `BlockPool::addSummary`
        std::vector<std::string> files;
        std::vector<size_t> carried; ///< ascending
        SummaryPlace place = SummaryPlace::First;
    };
    /// Evicts messages `[0, end)`; pinned elements stay.
    void evict(size_t end, const Replacement &replacement, const Rewrite &common);

    [[nodiscard]] std::vector<Rewrite> &rewrites() { return m_rewrites; }
    [[nodiscard]] std::vector<Artifact> &artifacts() { return m_artifacts; }

    /// The session of the pool, with `end` as the thread's array; see `BlockPool::finish`.
    [[nodiscard]] SessionPtr finishPool(const BlockRanges &end, BlockTokensPtr &tokens)
    {
        return m_pool.finish(m_thread, end, tokens);
    }
    /// Sets the `after` transcript of `compaction`, its session, and the origins of its blocks.
    void finish(Compaction &compaction);

private:
    void count(BlockId block, int sign);
    void noteAdded(BlockId made, const Rewrite &common);

    BlockPool m_pool;
    ThreadIndex m_thread;
    std::vector<Element> m_elements;
    std::vector<Message> m_messages;
    std::vector<Rewrite> m_rewrites;
    std::vector<Artifact> m_artifacts;
    Size m_size;
    size_t m_front = 0;   ///< elements in front of the appended ones, left by an eviction
    size_t m_evicted = 0; ///< appended elements that were evicted
};

/// A draft as messages of its policy's harness. Make a new one after changing the draft.
class DraftArray final : public MessageArray {
public:
    DraftArray(const Draft &draft, const Policy &policy);

    [[nodiscard]] size_t messageCount() const override { return m_draft.messages().size(); }
    [[nodiscard]] MessageFacts factsOf(size_t message) const override;
    [[nodiscard]] double tokensFrom(size_t message) const override;
    [[nodiscard]] double totalTokens() const override;
    [[nodiscard]] size_t resultCount() const override;
    [[nodiscard]] size_t turnCount() const override;
    void forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const override;

private:
    const Draft &m_draft;
    MessageCounter m_counter;
    mutable std::vector<std::optional<MessageFacts>> m_facts; ///< computed on demand
    mutable std::vector<double> m_sums; ///< of the last message, the last two, and so on; computed on demand
    mutable std::vector<BlockId> m_blocks;
};

} // namespace core
