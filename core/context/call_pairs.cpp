// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/call_pairs.h"

namespace core {

void CallPairs::push(const Block &block)
{
    const size_t place = m_spanning.size();
    m_spanning.push_back(0);
    m_ids.emplace_back();
    if (!block.callId.isValid())
        return;
    if (block.kind == BlockKind::ToolCall) {
        m_ids.back() = block.callId;
        m_calls[block.callId].push_back(place);
    }
    if (const auto call = callOf(block)) {
        m_pairs.push_back({ *call, place });
        count(m_pairs.back(), 1);
    }
}

std::optional<size_t> CallPairs::callOf(const Block &result) const
{
    if (result.kind != BlockKind::ToolResult || !result.callId.isValid())
        return std::nullopt;
    const auto calls = m_calls.find(result.callId);
    return calls != m_calls.end() && !calls->second.empty() ? std::optional(calls->second.back()) : std::nullopt;
}

void CallPairs::truncate(size_t size)
{
    while (!m_pairs.empty() && m_pairs.back().result >= size) {
        count(m_pairs.back(), -1);
        m_pairs.pop_back();
    }
    for (size_t place = m_ids.size(); place > size; --place) {
        if (m_ids[place - 1].isValid())
            m_calls[m_ids[place - 1]].pop_back();
    }
    m_spanning.resize(std::min(size, m_spanning.size()));
    m_ids.resize(m_spanning.size());
}

void CallPairs::count(const Pair &pair, int sign)
{
    for (size_t place = pair.call + 1; place <= pair.result; ++place)
        m_spanning[place] += sign;
}

} // namespace core
