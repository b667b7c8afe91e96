// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_writer.h"

#include <algorithm>

namespace core {

namespace {

class OpenAiWriter final : public ShapeWriter {
public:
    explicit OpenAiWriter(const Transcript &transcript)
        : ShapeWriter(transcript, MessagesShape::OpenAi)
    {
    }

    std::string write(std::vector<std::string> system) override
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(R"({"role":"system","content":)" + text + "}");
        for (const MessageTurn &turn : turns()) {
            if (turn.role == Role::Tool)
                addResults(turn, messages);
            else if (turn.role == Role::Assistant)
                messages.push_back(answerMessage(turn));
            else
                messages.push_back(std::string("{\"role\":") + (turn.role == Role::System ? "\"system\"" : "\"user\"")
                    + ",\"content\":" + contentOf(turn.blocks) + "}");
        }
        const bool isOwnModel = session().model.find("gpt") != std::string::npos;
        return (isOwnModel ? "{\"model\":" + quoted(session().model) + "," : std::string("{"))
            + "\"messages\":" + listOf(messages) + "}\n";
    }

private:
    std::string partOf(const Block &block)
    {
        if (block.kind == BlockKind::Image && (isBytes(block) || !isWords(block)))
            return R"({"type":"image_url","image_url":{"url":)" + (isBytes(block) ? dataUrl(block) : textOf(block))
                + "}}";
        if (block.kind == BlockKind::Document && isBytes(block)) {
            const std::string_view name = session().string(block.subject);
            return R"({"type":"file","file":{"filename":)" + quoted(name.empty() ? "file" : name)
                + ",\"file_data\":" + dataUrl(block) + "}}";
        }
        return R"({"type":"text","text":)" + wordsOf(block) + "}";
    }

    /// One text alone is a string.
    std::string contentOf(const std::vector<BlockId> &ids)
    {
        if (ids.size() == 1 && block(ids.front()).kind == BlockKind::Text)
            return textOf(block(ids.front()));
        std::vector<std::string> parts;
        for (const BlockId id : ids)
            parts.push_back(partOf(block(id)));
        return listOf(parts);
    }

    std::string answerMessage(const MessageTurn &turn)
    {
        const Answer answer = answerOf(turn);
        std::string message = R"({"role":"assistant","content":)"
            + (!answer.content.empty()     ? contentOf(answer.content)
                    : answer.calls.empty() ? "\"\"" // without calls a content is wanted
                                           : "null");
        std::vector<std::string> plain;
        std::vector<std::string> details;
        for (const BlockId id : answer.thinking) {
            if (block(id).is(BlockFlag::Encrypted))
                details.push_back(R"({"type":"reasoning.encrypted","data":)" + textOf(block(id)) + "}");
            else
                details.push_back(R"({"type":"reasoning.text","text":)" + textOf(block(id)) + "}");
            plain.push_back(textOf(block(id)));
        }
        if (answer.thinking.size() == 1 && !block(answer.thinking.front()).is(BlockFlag::Encrypted))
            message += ",\"reasoning_content\":" + plain.front();
        else if (!details.empty())
            message += ",\"reasoning_details\":" + listOf(details);
        std::vector<std::string> calls;
        for (const BlockId id : answer.calls)
            calls.push_back("{\"id\":" + idOf(block(id)) + R"(,"type":"function","function":{"name":)"
                + nameOf(block(id)) + ",\"arguments\":" + textOf(block(id)) + "}}");
        if (!calls.empty())
            message += ",\"tool_calls\":" + listOf(calls);
        return message + "}";
    }

    /// Each result is a message; what is no text in them follows in one of a user.
    void addResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<BlockId> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            if (result.is(BlockFlag::Error))
                note(Kind::Failures);
            messages.push_back(
                R"({"role":"tool","tool_call_id":)" + idOf(result) + ",\"content\":" + resultContent(result) + "}");
            for (const BlockId id : each.parts) {
                const bool isMedia = block(id).kind == BlockKind::Image || block(id).kind == BlockKind::Document;
                note(isMedia ? Kind::MediaMoved : Kind::LooseParts);
                behind.push_back(id);
            }
        }
        if (!behind.empty())
            messages.push_back(R"({"role":"user","content":)" + contentOf(behind) + "}");
    }
};

} // namespace

std::unique_ptr<ShapeWriter> openAiWriter(const Transcript &transcript)
{
    return std::make_unique<OpenAiWriter>(transcript);
}

} // namespace core
