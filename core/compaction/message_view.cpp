// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/message_view.h"

#include <algorithm>
#include <array>
#include <utility>

namespace core {

namespace {

constexpr std::array<std::pair<MessageShape, std::string_view>, 5> kNames { {
    { MessageShape::Anthropic, "anthropic" },
    { MessageShape::LangChain, "langchain" },
    { MessageShape::Genkit, "genkit" },
    { MessageShape::Gemini, "gemini" },
    { MessageShape::Responses, "responses" },
} };

/// A tool result, or an image or text that belongs to one.
bool belongsToResult(const Block &block)
{
    return block.kind == BlockKind::ToolResult || (block.callId.isValid() && block.kind != BlockKind::ToolCall);
}

bool isContent(const Block &block)
{
    return block.kind == BlockKind::Text || block.kind == BlockKind::Image || block.kind == BlockKind::Document;
}

} // namespace

std::string_view nameOf(MessageShape shape)
{
    return std::ranges::find(kNames, shape, &decltype(kNames)::value_type::first)->second;
}

std::optional<MessageShape> messageShapeOf(std::string_view name)
{
    const auto *const found = std::ranges::find(kNames, name, &decltype(kNames)::value_type::second);
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

MessageGrouping::MessageGrouping(const Session &session, MessageShape shape)
    : m_session(&session)
    , m_shape(shape)
    , m_isRecorded(session.traits->shape == shape)
    , m_isItems(session.traits->shape == MessageShape::Responses)
{
}

Role MessageGrouping::roleOf(const Block &block) const
{
    const Role role = m_session->message(block.message).role;
    if (m_isRecorded)
        return role;
    const bool isAnswer = belongsToResult(block) && role != Role::Assistant;
    const bool hasToolMessages = m_shape != MessageShape::Anthropic && m_shape != MessageShape::Gemini;
    if (isAnswer || role == Role::Tool)
        return hasToolMessages ? Role::Tool : Role::User;
    return role;
}

bool MessageGrouping::joins(Role last, const Block &previous, const Block &block) const
{
    const Role role = roleOf(block);
    const bool sameMessage = previous.message == block.message;
    if (m_isRecorded) {
        const bool mergesUsers = m_session->traits->mergesUsers() && role == Role::User;
        return sameMessage || (mergesUsers && last == Role::User);
    }
    if (last != role)
        return false;
    switch (m_shape) {
    case MessageShape::Anthropic:
    case MessageShape::Gemini:
        return sameMessage || role == Role::User || (role == Role::Assistant && m_isItems);
    case MessageShape::Genkit:
        return sameMessage || role == Role::Tool || (role == Role::Assistant && m_isItems);
    case MessageShape::LangChain:
        if (role == Role::Tool)
            return previous.callId == block.callId && block.kind != BlockKind::ToolResult;
        return sameMessage || (role == Role::Assistant && m_isItems);
    case MessageShape::Responses:
        // The texts and images of one message are one item; calls, results and reasoning are separate items.
        return sameMessage && isContent(block) && isContent(previous);
    }
    return sameMessage;
}

std::vector<ViewMessage> messagesOf(const Transcript &transcript, MessageShape shape)
{
    return messagesOf(*transcript.session(), transcript.blocks(), shape);
}

std::vector<ViewMessage> messagesOf(const Session &session, std::span<const BlockId> blocks, MessageShape shape)
{
    const MessageGrouping grouping(session, shape);
    std::vector<ViewMessage> messages;
    for (uint32_t i = 0; i < blocks.size(); ++i) {
        const Block &block = session.block(blocks[i]);
        if (i > 0 && grouping.joins(messages.back().role, session.block(blocks[i - 1]), block))
            ++messages.back().count;
        else
            messages.push_back({ grouping.roleOf(block), i, 1 });
    }
    return messages;
}

} // namespace core
