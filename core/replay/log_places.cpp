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
    if (std::ranges::binary_search(m_ground->everUnsent, id)) {
        m_unsure.push_back({ place, id, tokens.of(id) });
        if (m_text != nullptr && m_text->holds(id))
            hold(m_unsure.back());
    }
    if (isUserText(m_ground->session(), m_ground->session().block(id)))
        m_userTexts.push_back(place);
    const auto thinking = std::ranges::lower_bound(tokens.thinking, id, {}, &BlockTokens::Thinking::block);
    if (thinking == tokens.thinking.end() || thinking->block != id)
        return;
    Thinking added { place, id, thinking->open - tokens.of(id), thinking->past - tokens.of(id) };
    if (!m_thinking.empty()) {
        const Thinking &before = m_thinking.back();
        added.openBefore = before.openBefore + before.open;
        added.pastBefore = before.pastBefore + before.past;
    }
    if (added.past != 0)
        m_heavyPast.push_back(static_cast<uint32_t>(m_thinking.size()));
    m_thinking.push_back(added);
}

void LogPlaces::truncate(size_t size)
{
    m_size = std::min(m_size, size);
    const auto isCut = [&](const auto &each) { return each.place >= size; };
    while (!m_unsure.empty() && isCut(m_unsure.back()))
        m_unsure.pop_back();
    while (!m_held.empty() && isCut(m_held.back())) {
        m_held.pop_back();
        m_heldSums.pop_back();
    }
    while (!m_thinking.empty() && isCut(m_thinking.back()))
        m_thinking.pop_back();
    while (!m_heavyPast.empty() && m_heavyPast.back() >= m_thinking.size())
        m_heavyPast.pop_back();
    while (!m_userTexts.empty() && m_userTexts.back() >= size)
        m_userTexts.pop_back();
}

void LogPlaces::hold(const Unsure &unsure)
{
    m_held.push_back(unsure);
    m_heldSums.push_back((m_heldSums.empty() ? 0 : m_heldSums.back()) + unsure.tokens);
}

std::span<const LogPlaces::Unsure> LogPlaces::heldAt(size_t step)
{
    const UnsentText &text = m_ground->unsentAt(step);
    if (m_text == &text)
        return m_held;
    m_text = &text;
    m_held.clear();
    m_heldSums.clear();
    for (const Unsure &each : m_unsure) {
        if (text.holds(each.block))
            hold(each);
    }
    return m_held;
}

double LogPlaces::unsentOfLog(size_t step)
{
    return heldAt(step).empty() ? 0 : m_ground->unsentAt(step).of(m_heldSums.back());
}

double LogPlaces::allThinking() const
{
    if (m_thinking.empty())
        return 0;
    const Thinking &last = m_thinking.back();
    const size_t first = firstThinkingAt(lastUserText(m_size));
    if (first == m_thinking.size())
        return last.pastBefore + last.past;
    return m_thinking[first].pastBefore + last.openBefore + last.open - m_thinking[first].openBefore;
}

size_t LogPlaces::firstThinkingAt(uint32_t place) const
{
    const auto found = std::ranges::lower_bound(m_thinking, place, {}, &Thinking::place);
    return static_cast<size_t>(found - m_thinking.begin());
}

uint32_t LogPlaces::lastUserText(size_t end) const
{
    const auto behind = std::ranges::lower_bound(m_userTexts, end);
    return behind == m_userTexts.begin() ? 0 : *std::prev(behind);
}

} // namespace core
