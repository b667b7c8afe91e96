// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/message_array.h"

namespace core {

/// The array while stages work on it, in the shape of the policy's messages: every element is a block, what it was made
/// of, and whether it is still there. New texts go into a pool behind the session's. Costs O(blocks) to make; a change
/// costs what it writes.
class Draft final {
public:
    struct Element {
        BlockId block;  ///< as it is now
        BlockId origin; ///< in the array before; invalid for what a stage put in
        bool isGone = false;
        bool isPinned = false; ///< an override: no stage touches it
    };
    struct Message {
        Role role = Role::User;
        uint32_t first = 0; ///< into elements
        uint32_t count = 0;
        bool isSummary = false;
    };

    /// The memo is of the transcript's session, or none.
    Draft(const Transcript &before, MessageShape shape, const BlockTokens &tokens, ChangeMemo *memo = nullptr);
    /// An empty array of a thread, to be appended to.
    Draft(const SessionPtr &session, ThreadIndex thread, const BlockTokens &tokens, ChangeMemo *memo = nullptr);

    /// Puts a block at the end: into a new message, or into the last one.
    void append(BlockId block, Role role, bool startsMessage);
    /// Of the blocks that were appended only the first `count` stay, as if the others had never been; a summary stays.
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
    /// Of all that is still there, added up as it changes.
    struct Size {
        double tokens = 0;
        int64_t characters = 0;
    };
    [[nodiscard]] const Size &size() const { return m_size; }

    void pin(size_t element) { m_elements[element].isPinned = true; }

    /// Makes a change, which was made for the block that the element is.
    void change(size_t element, const BlockChange &change, size_t stage, std::optional<size_t> artifact = {});
    void drop(size_t element, Rewrite rewrite);
    /// Messages `[0, end)` leave; a summary takes their place, and behind it the pinned and the `carried` elements of
    /// theirs. An empty summary leaves none.
    void evict(size_t end, const std::string &summary, std::span<const size_t> carried, const Rewrite &common,
        double summaryTokens = 0);

    [[nodiscard]] std::vector<Rewrite> &rewrites() { return m_rewrites; }
    [[nodiscard]] std::vector<Artifact> &artifacts() { return m_artifacts; }

    /// The session of the pool, with `end` as the thread's array; see `BlockPool::finish`.
    [[nodiscard]] SessionPtr finishPool(const BlockRanges &end, BlockTokensPtr &tokens)
    {
        return m_pool.finish(m_thread, end, tokens);
    }
    /// The after-transcript with its session, and what each of its blocks was made of.
    void finish(Compaction &compaction);

private:
    void count(BlockId block, int sign);

    BlockPool m_pool;
    ThreadIndex m_thread;
    std::vector<Element> m_elements;
    std::vector<Message> m_messages;
    std::vector<Rewrite> m_rewrites;
    std::vector<Artifact> m_artifacts;
    Size m_size;
    size_t m_front = 0;   ///< elements that an eviction left before those that were appended
    size_t m_evicted = 0; ///< of those that were appended
};

/// A draft as its policy's harness counts it. To be made anew when the draft has changed.
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
    mutable std::vector<std::optional<MessageFacts>> m_facts; ///< those that were asked for
    mutable std::vector<double> m_sums; ///< of the last message, the last two, and so on, as far as they were asked for
    mutable std::vector<BlockId> m_blocks;
};

} // namespace core
