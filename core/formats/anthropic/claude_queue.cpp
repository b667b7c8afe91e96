// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_queue.h"

#include <algorithm>

namespace core {

void ClaudeQueue::take(QueueStep step, Message message)
{
    switch (step) {
    case QueueStep::None:
        return;
    case QueueStep::Enqueue:
        m_waiting.push_back(std::move(message));
        return;
    case QueueStep::Dequeue:
        ++m_dequeued;
        if (!m_waiting.empty())
            m_waiting.pop_front();
        return;
    case QueueStep::Remove:
        return remove();
    case QueueStep::Clear:
        m_waiting.clear();
        return;
    case QueueStep::Logged:
        // The attachment stands before or behind the step that takes the message.
        if (std::erase_if(m_taken, [&](const Message &each) { return each.text == message.text; }) > 0)
            return;
        for (Message &each : m_waiting)
            each.isLogged = each.isLogged || each.text == message.text;
        return;
    }
}

/// The record of the step does not name the message. Some versions send only prompts in the turn.
void ClaudeQueue::remove()
{
    auto first = std::ranges::find(m_waiting, true, &Message::isLogged);
    if (first == m_waiting.end())
        first = std::ranges::find(m_waiting, true, &Message::isPrompt);
    if (first == m_waiting.end())
        first = m_waiting.begin();
    if (first == m_waiting.end())
        return;
    // What is no prompt (a notification of the harness) stands in a record of its own where it was sent.
    if (!first->isLogged && first->isPrompt && !first->blocks.empty())
        m_taken.push_back(std::move(*first));
    m_waiting.erase(first);
}

void ClaudeQueue::takeTyped()
{
    // Whoever can type into an idle session left no queue behind: what waits is of a process that ended.
    if (m_dequeued > 0)
        --m_dequeued;
    else
        m_waiting.clear();
}

std::vector<ClaudeQueue::Message> ClaudeQueue::sentBefore(ClaudeRecord &response)
{
    const bool isResponse
        = response.type == ClaudeRecord::Type::Assistant && !response.isSidechain && !response.isApiError;
    if (!isResponse)
        return {};
    const bool isNew = !response.messageId.isValid() || response.messageId != m_lastResponse;
    m_lastResponse = response.messageId;
    if (!isNew)
        return {}; // it was under way already
    std::vector<Message> sent = std::exchange(m_taken, {});
    for (Message &each : sent) {
        each.record.isLinear = response.isLinear;
        each.record.parent = std::exchange(response.parent, each.record.uuid);
    }
    return sent;
}

} // namespace core
