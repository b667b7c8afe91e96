// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/change_memo.h"

namespace core {

/// A string member of a tool call's arguments that gets another text.
struct ArgumentChange {
    std::string text;
    BlockChange::Part part;
};

/// How many bytes shorter a change makes a block.
[[nodiscard]] uint64_t bytesLess(const Block &block, const BlockChange &change);

/// The blocks of a session and, behind them, those that stages make of them. A block costs what its text does; nothing
/// of the session is copied.
class BlockPool final {
public:
    /// The memo is of that session, or none.
    BlockPool(SessionPtr session, const BlockTokens &tokens, ChangeMemo *memo = nullptr);

    [[nodiscard]] const SessionPtr &session() const { return m_session; }
    [[nodiscard]] ChangeMemo *memo() const { return m_memo; }
    /// True of a block that was recorded.
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
    /// Of a call's arguments (see `pythonReprLength`).
    [[nodiscard]] uint64_t pythonLength(BlockId call) const;
    [[nodiscard]] std::string_view string(StringId id) const { return m_session->string(id); }

    /// A text in place of the block's body; kind, name and ids stay.
    [[nodiscard]] BlockChange textChange(BlockId id, std::string text, Fate fate, std::string why) const;
    /// Other texts for string members of the call's arguments; everything else in them stays as written.
    [[nodiscard]] BlockChange argumentsChange(BlockId id, std::vector<ArgumentChange> changes) const;

    /// Tokens of a block as a change makes it.
    [[nodiscard]] double weightOf(const Block &block, const BlockChange &change) const;
    /// The block as a change makes it.
    BlockId addChanged(BlockId id, const BlockChange &change);
    /// A message of the user that stands for others. `tokens`, where it is more than 0, is what it is taken to weigh,
    /// whatever its text.
    BlockId addSummary(const std::string &text, ThreadIndex thread, double tokens = 0);

    /// The session with the added blocks behind its own, and their tokens. The pool is empty then. `end` is the array
    /// of the thread.
    [[nodiscard]] SessionPtr finish(ThreadIndex thread, const BlockRanges &end, BlockTokensPtr &tokens);

private:
    BlockId add(const Block &block, const BlockChange &body);

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
