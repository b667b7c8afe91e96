// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"

namespace core {

/// A new text for a string member of a tool call's arguments.
struct ArgumentChange {
    std::string text;
    BlockChange::Part part;
};

/// By how many bytes a change shortens a block.
[[nodiscard]] uint64_t bytesLess(const Block &block, const BlockChange &change);

/// The blocks of a session, followed by the blocks that stages make. A new block costs its text; session data is not
/// copied.
class BlockPool final {
public:
    /// `memo` must be of that session, or nullptr.
    BlockPool(SessionPtr session, const BlockTokens &tokens, ChangeMemo *memo = nullptr);

    [[nodiscard]] const SessionPtr &session() const { return m_session; }
    [[nodiscard]] ChangeMemo *memo() const { return m_memo; }
    /// False for blocks that a stage made.
    [[nodiscard]] bool isRecorded(BlockId id) const { return id.index() < m_baseCount; }
    [[nodiscard]] const Block &block(BlockId id) const
    {
        return id.index() < m_baseCount ? m_session->blocks[id.index()] : m_added[id.index() - m_baseCount];
    }
    [[nodiscard]] double tokens(BlockId id) const
    {
        return id.index() < m_baseCount ? m_tokens.of(id) : m_addedTokens[id.index() - m_baseCount];
    }
    [[nodiscard]] std::string text(BlockId id) const;
    [[nodiscard]] std::string textHead(BlockId id, size_t wanted) const;
    [[nodiscard]] std::string_view rawBody(BlockId id) const;
    /// Length of a call's arguments as Python writes them (see `pythonReprLength`).
    [[nodiscard]] uint64_t pythonLength(BlockId call) const;
    [[nodiscard]] std::string_view string(StringId id) const { return m_session->string(id); }

    /// Replaces the block's body by a text; kind, name and ids stay.
    [[nodiscard]] BlockChange textChange(BlockId id, std::string text, Fate fate, std::string why) const;
    /// Replaces string members of the call's arguments; the rest stays as written.
    [[nodiscard]] BlockChange argumentsChange(BlockId id, std::vector<ArgumentChange> changes) const;

    /// Tokens of the changed block.
    [[nodiscard]] double weightOf(const Block &block, const BlockChange &change) const;
    /// Adds the changed block to the pool.
    BlockId addChanged(BlockId id, const BlockChange &change);
    /// Adds a user message that replaces other messages. `tokens`, if positive, is its assumed weight, whatever its
    /// text.
    BlockId addSummary(const std::string &text, ThreadIndex thread, double tokens = 0);

    /// Adds a user message that the harness puts in.
    BlockId addInjected(const std::string &text, ThreadIndex thread);
    /// Adds a message with one text.
    BlockId addMessage(const std::string &text, Role role, ThreadIndex thread);

    /// The session with the added blocks behind its own, and their tokens. Empties the pool. `end` becomes the thread's
    /// array.
    [[nodiscard]] SessionPtr finish(ThreadIndex thread, const BlockRanges &end, BlockTokensPtr &tokens);

private:
    BlockId add(const Block &block, const BlockChange &body);
    BlockId addMessage(Block block, const std::string &text, Role role, ThreadIndex thread);

    SessionPtr m_session;
    const BlockTokens &m_tokens;
    ChangeMemo *m_memo;
    size_t m_baseCount;
    SourceId m_arenaId;
    double m_factor;
    std::vector<Block> m_added;
    std::vector<float> m_addedTokens;
    std::vector<Message> m_addedMessages;
    std::string m_arena;
};

} // namespace core
