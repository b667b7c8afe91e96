// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/live_array.h"

#include <algorithm>

namespace core {

LiveArray::LiveArray(const BlockPool &pool, MessageCounter counter, size_t places)
    : m_pool(pool)
    , m_counter(counter)
{
    m_elements.reserve(places + 1);
    m_weights.reserve(places + 1);
    Element dead;
    dead.isGone = true;
    m_elements.push_back(dead);
    m_messages.push_back({ Role::User, 0, 1, false, {} });
    m_weights.push(0);
    m_messageTokens.push(0);
}

void LiveArray::push(const Element &element, Role role, bool startsMessage)
{
    const auto place = static_cast<uint32_t>(m_elements.size());
    if (startsMessage) {
        m_messages.push_back({ role, place, 0, false, {} });
        m_messageTokens.push(0);
    }
    const auto message = static_cast<uint32_t>(m_messages.size() - 1);
    ++m_messages.back().count;
    m_elements.push_back(element);
    m_elements.back().message = message;
    const double weight = weightOf(element);
    m_tokens += weight;
    m_blockCount += element.isGone ? 0 : 1;
    m_weights.push(weight);
    touch(message);
    m_touched.push_back(place);
}

void LiveArray::truncate(size_t size)
{
    if (size >= m_elements.size())
        return;
    refresh();
    for (size_t place = size; place < m_elements.size(); ++place) {
        m_tokens -= weightOf(m_elements[place]);
        m_blockCount -= m_elements[place].isGone ? 0 : 1;
    }
    m_elements.resize(size);
    m_weights.truncate(size);
    while (m_messages.size() > m_firstMessage && m_messages.back().first >= size) {
        count(m_messages.size() - 1, -1);
        m_messages.pop_back();
        m_messageTokens.truncate(m_messages.size());
    }
    Message &last = m_messages.back();
    if (last.first + last.count > size) {
        last.count = static_cast<uint32_t>(size) - last.first;
        touch(static_cast<uint32_t>(m_messages.size() - 1));
    }
}

bool LiveArray::set(size_t place, BlockId block, bool isGone)
{
    Element &element = m_elements[place];
    if (element.block == block && element.isGone == isGone)
        return false;
    const double before = weightOf(element);
    m_blockCount -= element.isGone ? 0 : 1;
    m_blockCount += isGone ? 0 : 1;
    element.block = block;
    element.isGone = isGone;
    const double difference = weightOf(element) - before;
    m_tokens += difference;
    m_weights.add(place, difference);
    touch(element.message);
    m_touched.push_back(static_cast<uint32_t>(place));
    return true;
}

void LiveArray::evict(
    size_t cut, std::span<const BlockId> added, const std::vector<size_t> &carried, SummaryPlace where)
{
    refresh();
    const size_t end = placeOf(cut);
    std::vector<Element> front;
    std::vector<Message> messages;
    const auto addMessage = [&](SummaryPlace here) {
        if (here != where || added.empty())
            return;
        messages.push_back(
            { Role::User, static_cast<uint32_t>(front.size()), static_cast<uint32_t>(added.size()), false, {} });
        for (const BlockId id : added)
            front.push_back({ id, {} });
    };
    addMessage(SummaryPlace::First);
    std::optional<uint32_t> lastMessage;
    for (const size_t place : carried) {
        const Element &element = m_elements[place];
        if (lastMessage != element.message)
            messages.push_back({ m_messages[element.message].role, static_cast<uint32_t>(front.size()), 0, false, {} });
        lastMessage = element.message;
        ++messages.back().count;
        front.push_back(element);
    }
    addMessage(SummaryPlace::Last);
    for (size_t message = m_firstMessage; message < m_firstMessage + cut; ++message)
        count(message, -1);
    for (size_t place = m_first; place < end; ++place) {
        const double weight = weightOf(m_elements[place]);
        m_blockCount -= m_elements[place].isGone ? 0 : 1;
        m_elements[place].isGone = true;
        m_tokens -= weight;
        m_weights.add(place, -weight);
    }
    const size_t cutMessage = m_firstMessage + cut;
    m_first = end - front.size();
    m_firstMessage = cutMessage - messages.size();
    for (size_t i = 0; i < messages.size(); ++i) {
        messages[i].first += static_cast<uint32_t>(m_first);
        m_messages[m_firstMessage + i] = messages[i];
        for (uint32_t place = messages[i].first; place < messages[i].first + messages[i].count; ++place) {
            m_elements[place] = front[place - m_first];
            m_elements[place].message = static_cast<uint32_t>(m_firstMessage + i);
            m_blockCount += m_elements[place].isGone ? 0 : 1;
            const double weight = weightOf(m_elements[place]);
            m_tokens += weight;
            m_weights.add(place, weight);
            m_touched.push_back(place);
        }
        touch(static_cast<uint32_t>(m_firstMessage + i));
    }
}

size_t LiveArray::placeOf(size_t message) const
{
    const size_t index = m_firstMessage + message;
    return index < m_messages.size() ? m_messages[index].first : m_elements.size();
}

size_t LiveArray::messageAt(size_t place) const
{
    return place < m_elements.size() ? m_elements[place].message - m_firstMessage : messageCount();
}

double LiveArray::tokensFrom(size_t message) const
{
    refresh();
    if (!m_allMessageTokens)
        m_allMessageTokens = m_messageTokens.before(m_messages.size());
    return *m_allMessageTokens - m_messageTokens.before(m_firstMessage + message);
}

size_t LiveArray::blocksFrom(size_t place) const
{
    if (place <= m_first)
        return m_blockCount;
    if (m_blockCount == m_elements.size() - m_first)
        return m_elements.size() - place; // nothing was removed
    return static_cast<size_t>(std::count_if(m_elements.begin() + static_cast<ptrdiff_t>(place), m_elements.end(),
        [](const Element &element) { return !element.isGone; }));
}

size_t LiveArray::filledMessageCount() const
{
    refresh();
    return m_filled;
}

MessageFacts LiveArray::factsOf(size_t message) const
{
    refresh();
    return m_messages[m_firstMessage + message].facts;
}

double LiveArray::totalTokens() const
{
    refresh();
    return m_counter.total(m_inTotal);
}

size_t LiveArray::resultCount() const
{
    refresh();
    return m_results;
}

size_t LiveArray::turnCount() const
{
    refresh();
    return m_turns;
}

void LiveArray::forEachBlock(size_t message, const std::function<void(const Block &)> &visit) const
{
    const Message &entry = m_messages[m_firstMessage + message];
    for (uint32_t place = entry.first; place < entry.first + entry.count; ++place) {
        if (!m_elements[place].isGone)
            visit(m_pool.block(m_elements[place].block));
    }
}

void LiveArray::touch(uint32_t message)
{
    if (m_messages[message].isStale)
        return;
    m_messages[message].isStale = true;
    m_stale.push_back(message);
}

void LiveArray::count(size_t message, int sign) const
{
    const MessageFacts &facts = m_messages[message].facts;
    if (facts.tokens != 0) {
        m_messageTokens.add(message, sign * facts.tokens);
        m_allMessageTokens.reset();
    }
    m_inTotal += sign * facts.inTotal;
    m_results += static_cast<size_t>(sign) * facts.results;
    m_turns += static_cast<size_t>(sign) * (facts.isTyped ? 1 : 0);
    m_filled += static_cast<size_t>(sign) * (facts.isEmpty ? 0 : 1);
}

void LiveArray::refresh() const
{
    for (const uint32_t index : m_stale) {
        if (index >= m_messages.size())
            continue;
        Message &message = m_messages[index];
        m_blocks.clear();
        for (uint32_t place = message.first; place < message.first + message.count; ++place) {
            if (!m_elements[place].isGone)
                m_blocks.push_back(m_elements[place].block);
        }
        count(index, -1);
        message.facts = m_counter.factsOf(m_pool, message.role, m_blocks);
        message.isStale = false;
        count(index, 1);
    }
    m_stale.clear();
}

} // namespace core
