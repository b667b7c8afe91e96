// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/log_places.h"

#include "core/tokens/token_kinds.h"

#include <algorithm>

namespace core {

void LogPlaces::push(BlockId id)
{
    const auto place = static_cast<uint32_t>(m_size++);
    const BlockTokens &tokens = *m_ground->tokens;
    if (std::ranges::binary_search(m_ground->everUnsent, id))
        m_unsure.push_back({ place, id, tokens.of(id) });
    if (isUserText(m_ground->session(), m_ground->session().block(id)))
        m_userTexts.push_back(place);
    const auto thinking = std::ranges::lower_bound(tokens.thinking, id, {}, &BlockTokens::Thinking::block);
    if (thinking != tokens.thinking.end() && thinking->block == id)
        m_thinking.push_back({ place, id, thinking->open - tokens.of(id), thinking->past - tokens.of(id) });
}

void LogPlaces::truncate(size_t size)
{
    m_size = std::min(m_size, size);
    const auto isCut = [&](const auto &each) { return each.place >= size; };
    while (!m_unsure.empty() && isCut(m_unsure.back()))
        m_unsure.pop_back();
    while (!m_thinking.empty() && isCut(m_thinking.back()))
        m_thinking.pop_back();
    while (!m_userTexts.empty() && m_userTexts.back() >= size)
        m_userTexts.pop_back();
}

uint32_t LogPlaces::lastUserText(size_t end) const
{
    const auto behind = std::ranges::lower_bound(m_userTexts, end);
    return behind == m_userTexts.begin() ? 0 : *std::prev(behind);
}

} // namespace core
