// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/exact_tokens.h"

#include <array>
#include <unordered_map>
#include <vector>

namespace core {

/// The kinds of content that have their own token rate.
enum class TokenKind : uint8_t {
    Text,           ///< model output
    Thinking,       ///< of the current turn
    PastThinking,   ///< before the last user text; some models drop it, which makes its rate nearly zero
    ToolCall,       ///< name and arguments
    ToolResult,     ///< other than NumberedResult
    NumberedResult, ///< numbered lines of file readers: ` 1→`
    UserText,
    Injected, ///< reminders and other injected text
    Summary,
    Media,       ///< images by the provider's rule, documents and encrypted bodies by assumption: estimated tokens
    CallFraming, ///< number of tool calls with their results
    TurnFraming, ///< number of user texts
};
inline constexpr size_t kTokenKinds = 12;

/// Whether the block is text of the user. Thinking before it belongs to a past turn.
[[nodiscard]] bool isUserText(const Session &session, const Block &block);

/// Finds the last user text of an array in O(ranges).
class LastUserTexts final {
public:
    explicit LastUserTexts(size_t blockCount) { m_last.reserve(blockCount); }

    /// Call this for each block of the pool, in order.
    void add(bool isUserText)
    {
        const BlockId before = m_last.empty() ? BlockId() : m_last.back();
        m_last.push_back(isUserText ? BlockId(m_last.size()) : before);
    }
    /// Invalid if the array has no user text.
    [[nodiscard]] BlockId in(const BlockRanges &array) const;

private:
    std::vector<BlockId> m_last; ///< by BlockId: the last user text up to that block
};

/// As in reports: `tool_result`.
[[nodiscard]] std::string_view nameOf(TokenKind kind);

/// By TokenKind: amounts in o200k_base tokens (for framing a number), or rates for one of these.
using KindValues = std::array<double, kTokenKinds>;

[[nodiscard]] inline double &valueOf(KindValues &values, TokenKind kind) { return values[static_cast<size_t>(kind)]; }
[[nodiscard]] inline double valueOf(const KindValues &values, TokenKind kind)
{
    return values[static_cast<size_t>(kind)];
}
[[nodiscard]] double tokensOf(const KindValues &amounts, const KindValues &rates);
/// `after` minus `before`, kind by kind.
[[nodiscard]] KindValues growthOf(const KindValues &before, const KindValues &after);

/// The amount of each kind in the blocks and arrays of a session. Built in one pass over the blocks, as prefix sums of
/// 100 bytes a block. A query for an array costs O(ranges).
class TokenAmounts final {
public:
    /// `counts` must be in o200k_base.
    TokenAmounts(const Session &session, const ExactTokens &counts);

    [[nodiscard]] KindValues of(const BlockRanges &array) const;
    /// For queries of a single block: whether its thinking is of the current or a past turn.
    enum class Turn : uint8_t { Open, Past };
    [[nodiscard]] KindValues of(BlockId id, Turn turn) const;

private:
    [[nodiscard]] KindValues sumOf(BlockRange range) const { return growthOf(m_sums[range.begin], m_sums[range.end]); }

    std::vector<KindValues> m_sums; ///< over the blocks before each one, with all thinking as open
    LastUserTexts m_userTexts;      ///< thinking before the last one is past
};

} // namespace core
