// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/array_weights.h"

#include <algorithm>

namespace core {

namespace {

/// The last user text of an array, found from its end.
BlockId findLastUserText(const Session &session, const BlockRanges &array)
{
    std::vector<BlockRange> ranges;
    array.forEachRange([&](BlockRange range) { ranges.push_back(range); });
    for (auto range = ranges.rbegin(); range != ranges.rend(); ++range) {
        for (uint32_t i = range->end; i > range->begin; --i) {
            if (isUserText(session, session.block(BlockId(i - 1))))
                return BlockId(i - 1);
        }
    }
    return {};
}

const BlockRanges &endOf(const Thread &thread)
{
    return thread.end.isEmpty() && !thread.calls.empty() ? thread.calls.back().input : thread.end;
}

} // namespace

ArrayWeights::ArrayWeights(const Session &session, const BlockTokens &tokens)
    : m_userTexts(session.blocks.size())
{
    const size_t count = session.blocks.size();
    m_sums.reserve(count + 1);
    m_open.reserve(count + 1);
    m_sums.push_back(0);
    m_open.push_back(0);
    auto thinking = tokens.thinking.begin();
    for (size_t i = 0; i < count; ++i) {
        const BlockId id(i);
        const bool isThinking = thinking != tokens.thinking.end() && thinking->block == id;
        m_sums.push_back(m_sums.back() + (isThinking ? static_cast<double>(thinking->past) : tokens.of(id)));
        m_open.push_back(m_open.back() + (isThinking ? static_cast<double>(thinking->open - thinking->past) : 0));
        if (isThinking)
            ++thinking;
        m_userTexts.add(isUserText(session, session.blocks[i]));
    }
}

double ArrayWeights::of(const BlockRanges &array) const
{
    const BlockId last = m_userTexts.in(array);
    double sum = 0;
    double open = 0;
    array.forEachRange([&](BlockRange range) {
        sum += of(range);
        const bool holdsLast = last.isValid() && range.begin <= last.value() && last.value() < range.end;
        open = (holdsLast ? 0 : open) + m_open[range.end] - m_open[holdsLast ? last.value() : range.begin];
    });
    return sum + open;
}

BlockTokensPtr tokensAt(const Session &session, const BlockRanges &array, const BlockTokensPtr &tokens)
{
    if (!tokens || tokens->thinking.empty())
        return tokens;
    const BlockId last = findLastUserText(session, array);
    bool isOpen = !last.isValid();
    auto table = std::make_shared<BlockTokens>(*tokens);
    // Ranges can have any order. Thinking is open after the last user text in the order of the array.
    array.forEachRange([&](BlockRange range) {
        const bool holdsLast = last.isValid() && range.begin <= last.value() && last.value() < range.end;
        auto each = std::ranges::lower_bound(tokens->thinking, BlockId(range.begin), {}, &BlockTokens::Thinking::block);
        for (; each != tokens->thinking.end() && each->block.value() < range.end; ++each)
            table->tokens[each->block.index()] = isOpen || (holdsLast && each->block > last) ? each->open : each->past;
        isOpen = isOpen || holdsLast;
    });
    return table->tokens == tokens->tokens ? tokens : BlockTokensPtr(std::move(table));
}

void weighAtEnd(const Session &session, BlockTokens &tokens)
{
    std::vector<BlockId> open; // by thread: the last user text at its end
    for (const Thread &thread : session.threads)
        open.push_back(findLastUserText(session, endOf(thread)));
    for (const BlockTokens::Thinking &each : tokens.thinking) {
        const BlockId last = open[session.message(session.block(each.block).message).thread.index()];
        tokens.tokens[each.block.index()] = last.isValid() && each.block < last ? each.past : each.open;
    }
}

} // namespace core
