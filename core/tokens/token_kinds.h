// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/exact_tokens.h"

#include <array>
#include <vector>

namespace core {

/// What of an array costs a model's tokens at a rate of its own.
enum class TokenKind : uint8_t {
    Text,           ///< written by the model
    Thinking,       ///< of the turn that is open
    PastThinking,   ///< of turns before the last user text; some models drop it (their rate comes out near nothing)
    ToolCall,       ///< name and arguments
    ToolResult,     ///< any but the next
    NumberedResult, ///< lines behind numbers, as file readers give them: `     1→`
    UserText,
    Injected, ///< reminders and whatever else the harness put in
    Summary,
    Media,       ///< images by the provider's rule, documents and encrypted bodies as assumed: estimated tokens
    CallFraming, ///< a tool call with its result: how many, not how long
    TurnFraming, ///< user texts: how many
};
inline constexpr size_t kTokenKinds = 12;

/// `tool_result`, as reports name it.
[[nodiscard]] std::string_view nameOf(TokenKind kind);

/// By TokenKind: tokens of o200k_base (of the framings a number), or what one of them costs.
using KindValues = std::array<double, kTokenKinds>;

[[nodiscard]] inline double &valueOf(KindValues &values, TokenKind kind) { return values[static_cast<size_t>(kind)]; }
[[nodiscard]] inline double valueOf(const KindValues &values, TokenKind kind)
{
    return values[static_cast<size_t>(kind)];
}
[[nodiscard]] double tokensOf(const KindValues &amounts, const KindValues &rates);
/// What `after` has more than `before`, kind by kind.
[[nodiscard]] KindValues growthOf(const KindValues &before, const KindValues &after);

/// How much of each kind the blocks and arrays of a session hold. Made by one pass over the blocks; of any array it
/// costs O(ranges), by prefix sums of 100 bytes a block.
class TokenAmounts final {
public:
    /// `counts` in o200k_base.
    TokenAmounts(const Session &session, const ExactTokens &counts);

    [[nodiscard]] KindValues of(const BlockRanges &array) const;
    /// One block alone; thinking as `isPast` says.
    enum class Turn : uint8_t { Open, Past };
    [[nodiscard]] KindValues of(BlockId id, Turn turn) const;
    /// The last user text of an array: thinking before it is past. Invalid if there is none.
    [[nodiscard]] BlockId lastUserText(const BlockRanges &array) const;

private:
    [[nodiscard]] KindValues sumOf(BlockRange range) const { return growthOf(m_sums[range.begin], m_sums[range.end]); }

    std::vector<KindValues> m_sums;      ///< of the blocks before each; thinking is all open
    std::vector<BlockId> m_lastUserText; ///< by BlockId: the last one up to there
};

} // namespace core
