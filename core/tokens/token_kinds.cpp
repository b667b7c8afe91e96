// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/token_kinds.h"

#include "core/base/text.h"
#include "core/tokens/estimate.h"
#include "core/tokens/hidden_thinking.h"
#include "core/tokens/model_family.h"

#include <algorithm>
#include <numeric>

namespace core {

namespace {

/// Whether the first line of a tool result starts with a line number: blanks, digits, an arrow or a tab.
bool isNumbered(const Session &session, const Block &block)
{
    constexpr size_t kEnough = 24;
    return lineNumberSize(session.textHead(block.body, kEnough)) > 0;
}

TokenKind textKind(const Session &session, const Block &block)
{
    if (block.is(BlockFlag::Summary))
        return TokenKind::Summary;
    if (block.is(BlockFlag::Injected) || block.is(BlockFlag::Tools))
        return TokenKind::Injected;
    return session.message(block.message).role == Role::Assistant ? TokenKind::Text : TokenKind::UserText;
}

TokenKind kindOf(const Session &session, const Block &block, bool isWhole)
{
    switch (block.kind) {
    case BlockKind::Thinking:
        return TokenKind::Thinking;
    case BlockKind::Text:
        return isWhole ? textKind(session, block) : TokenKind::Media;
    case BlockKind::ToolCall:
        return TokenKind::ToolCall;
    case BlockKind::ToolResult:
        return !isWhole                  ? TokenKind::Media
            : isNumbered(session, block) ? TokenKind::NumberedResult
                                         : TokenKind::ToolResult;
    case BlockKind::Image:
    case BlockKind::Document:
    case BlockKind::Opaque:
        break;
    }
    return isWhole ? TokenKind::Injected : TokenKind::Media;
}

} // namespace

bool isUserText(const Session &session, const Block &block)
{
    return block.kind == BlockKind::Text && textKind(session, block) == TokenKind::UserText;
}

std::string_view nameOf(TokenKind kind)
{
    static constexpr std::array<std::string_view, kTokenKinds> kNames { "text", "thinking", "past_thinking",
        "tool_call", "tool_result", "numbered_result", "user_text", "injected", "summary", "media", "call_framing",
        "turn_framing" };
    return kNames[static_cast<size_t>(kind)];
}

double tokensOf(const KindValues &amounts, const KindValues &rates)
{
    return std::inner_product(amounts.begin(), amounts.end(), rates.begin(), 0.0);
}

KindValues growthOf(const KindValues &before, const KindValues &after)
{
    KindValues growth {};
    std::ranges::transform(after, before, growth.begin(), std::minus());
    return growth;
}

BlockId LastUserTexts::in(const BlockRanges &array) const
{
    BlockId last;
    array.forEachRange([&](BlockRange range) {
        const BlockId found = range.size() > 0 ? m_last[range.end - 1] : BlockId();
        if (found.isValid() && found.value() >= range.begin)
            last = found;
    });
    return last;
}

TokenAmounts::TokenAmounts(const Session &session, const ExactTokens &counts)
    : m_userTexts(session.blocks.size())
{
    BlockEstimator estimator(session);
    const auto thinking = hiddenThinking(session, counts);
    const double factor = tokenFactor(tokenizerFamily(session.model));
    m_sums.reserve(session.blocks.size() + 1);
    m_sums.emplace_back();
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        const ExactCount count = counts.of(BlockId(i));
        const TokenKind kind = kindOf(session, block, count.isWhole);
        KindValues sum = m_sums.back();
        if (const auto hidden = thinking.find(BlockId(i)); hidden != thinking.end())
            valueOf(sum, kind) += hidden->second;
        else if (count.isWhole)
            valueOf(sum, kind) += static_cast<double>(count.tokens);
        else // estimates are in the model's tokens; amounts with a text-like rate must be in o200k tokens
            valueOf(sum, kind) += estimator.tokensOf(block) / (kind == TokenKind::Media ? 1.0 : factor);
        if (kind == TokenKind::ToolCall)
            ++valueOf(sum, TokenKind::CallFraming);
        if (kind == TokenKind::UserText)
            ++valueOf(sum, TokenKind::TurnFraming);
        m_sums.push_back(sum);
        m_userTexts.add(kind == TokenKind::UserText);
    }
}

KindValues TokenAmounts::of(const BlockRanges &array) const
{
    const BlockId last = m_userTexts.in(array);
    KindValues amounts {};
    double open = 0;
    array.forEachRange([&](BlockRange range) {
        const KindValues part = sumOf(range);
        std::ranges::transform(amounts, part, amounts.begin(), std::plus());
        if (last.isValid() && range.begin <= last.value() && last.value() < range.end) {
            open = valueOf(sumOf({ last.value(), range.end }), TokenKind::Thinking);
            return;
        }
        open += valueOf(part, TokenKind::Thinking);
    });
    double &thinking = valueOf(amounts, TokenKind::Thinking);
    valueOf(amounts, TokenKind::PastThinking) = thinking - open;
    thinking = open;
    return amounts;
}

KindValues TokenAmounts::of(BlockId id, Turn turn) const
{
    KindValues amounts = sumOf({ id.value(), id.value() + 1 });
    if (turn == Turn::Past)
        std::swap(valueOf(amounts, TokenKind::Thinking), valueOf(amounts, TokenKind::PastThinking));
    return amounts;
}

} // namespace core
