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

/// A tool's answer, or an image or text that belongs to one.
bool belongsToResult(const Block &block)
{
    return block.kind == BlockKind::ToolResult || (block.callId.isValid() && block.kind != BlockKind::ToolCall);
}

/// Regroups block by block.
class Regrouping final {
public:
    Regrouping(const Transcript &transcript, MessageShape shape)
        : m_transcript(transcript)
        , m_shape(shape)
        , m_isItems(shapeOf(*transcript.session()) == MessageShape::Responses)
    {
    }

    [[nodiscard]] std::vector<ViewMessage> run()
    {
        const auto blocks = m_transcript.blocks();
        for (uint32_t i = 0; i < blocks.size(); ++i)
            add(i, m_transcript.block(blocks[i]));
        return std::move(m_messages);
    }

private:
    void add(uint32_t index, const Block &block)
    {
        const Role role = roleOf(block);
        if (!m_messages.empty() && joins(block, role))
            ++m_messages.back().count;
        else
            m_messages.push_back({ role, index, 1 });
        m_previous = &block;
    }

    [[nodiscard]] Role roleOf(const Block &block) const
    {
        const Role role = m_transcript.session()->message(block.message).role;
        const bool isAnswer = belongsToResult(block) && role != Role::Assistant;
        const bool hasToolMessages = m_shape != MessageShape::Anthropic && m_shape != MessageShape::Gemini;
        if (isAnswer)
            return hasToolMessages ? Role::Tool : Role::User;
        return role == Role::Tool ? (hasToolMessages ? Role::Tool : Role::User) : role;
    }

    /// Whether the block stands in the same message as the one before it.
    [[nodiscard]] bool joins(const Block &block, Role role) const
    {
        if (m_messages.back().role != role)
            return false;
        const bool sameMessage = m_previous->message == block.message;
        switch (m_shape) {
        case MessageShape::Anthropic:
        case MessageShape::Gemini:
            return sameMessage || role == Role::User || (role == Role::Assistant && m_isItems);
        case MessageShape::Genkit:
            return sameMessage || role == Role::Tool || (role == Role::Assistant && m_isItems);
        case MessageShape::LangChain:
            if (role == Role::Tool)
                return m_previous->callId == block.callId && block.kind != BlockKind::ToolResult;
            return sameMessage || (role == Role::Assistant && m_isItems);
        case MessageShape::Responses:
            // Texts and images of one message are one item; calls, results and reasoning are items of their own.
            return sameMessage && isContent(block) && isContent(*m_previous);
        }
        return sameMessage;
    }

    static bool isContent(const Block &block)
    {
        return block.kind == BlockKind::Text || block.kind == BlockKind::Image || block.kind == BlockKind::Document;
    }

    const Transcript &m_transcript;
    MessageShape m_shape;
    bool m_isItems;
    const Block *m_previous = nullptr;
    std::vector<ViewMessage> m_messages;
};

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

MessageShape shapeOf(const Session &session)
{
    if (session.merging == SlotMerging::ConsecutiveUsers)
        return MessageShape::Anthropic;
    if (session.format == "genkit")
        return MessageShape::Genkit;
    if (session.format == "codex" || session.format == "openai-responses")
        return MessageShape::Responses;
    return MessageShape::LangChain; // Chat Completions has the same messages
}

std::vector<ViewMessage> messagesOf(const Transcript &transcript, MessageShape shape)
{
    if (transcript.isEmpty())
        return {};
    if (shapeOf(*transcript.session()) != shape)
        return Regrouping(transcript, shape).run();
    std::vector<ViewMessage> messages;
    messages.reserve(transcript.slotCount());
    for (const Slot &slot : transcript.slots())
        messages.push_back({ slot.role, slot.firstBlock, slot.blockCount });
    return messages;
}

} // namespace core
