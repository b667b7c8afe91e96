// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_writer.h"

#include "core/json/json.h"

#include <algorithm>

namespace core {

namespace {

class GenkitWriter final : public ShapeWriter {
public:
    explicit GenkitWriter(const Transcript &transcript)
        : ShapeWriter(transcript, MessagesShape::Genkit)
    {
    }

    std::string write(std::vector<std::string> system) override
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(messageOf("system", { "{\"text\":" + text + "}" }));
        for (const MessageTurn &turn : turns()) {
            if (turn.role == Role::Tool) {
                addResults(turn, messages);
                continue;
            }
            std::vector<std::string> parts;
            for (const BlockId id : turn.blocks)
                parts.push_back(partOf(block(id)));
            messages.push_back(messageOf(turn.role == Role::Assistant ? "model"
                    : turn.role == Role::System                       ? "system"
                                                                      : "user",
                parts));
        }
        return "{\"messages\":" + listOf(messages) + "}\n";
    }

private:
    std::string partOf(const Block &block)
    {
        switch (block.kind) {
        case BlockKind::Text:
            return "{\"text\":" + textOf(block) + "}";
        case BlockKind::Thinking:
            return "{\"reasoning\":" + textOf(block) + "}";
        case BlockKind::ToolCall:
            return R"({"toolRequest":{"name":)" + nameOf(block) + ",\"ref\":" + idOf(block)
                + ",\"input\":" + inputOf(block) + "}}";
        case BlockKind::Image:
        case BlockKind::Document:
            if (isBytes(block))
                return R"({"media":{"url":)" + dataUrl(block) + ",\"contentType\":" + quoted(typeOf(block)) + "}}";
            if (!isWords(block)) {
                const std::string type = typeOf(block);
                const bool isUntold = block.kind == BlockKind::Image && !type.starts_with("image/");
                return R"({"media":{"url":)" + textOf(block) + ",\"contentType\":" + quoted(isUntold ? "image/*" : type)
                    + "}}";
            }
            break;
        case BlockKind::ToolResult:
        case BlockKind::Opaque:
            break;
        }
        return "{\"text\":" + wordsOf(block) + "}";
    }

    /// Any value will do; a text that is an object is one.
    std::string inputOf(const Block &block)
    {
        const std::string text = rawValue(block).value_or(session().text(block.body));
        if (text.empty())
            return "{}";
        return isJson(text) ? text : quoted(text);
    }

    std::string messageOf(std::string_view role, const std::vector<std::string> &parts)
    {
        return "{\"role\":\"" + std::string(role) + "\",\"content\":" + listOf(parts) + "}";
    }

    void addResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<std::string> parts;
        std::vector<std::string> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            if (result.is(BlockFlag::Error))
                note(Kind::Failures);
            std::vector<std::string> content;
            for (const BlockId id : each.parts) {
                const bool isMedia = block(id).kind == BlockKind::Image || block(id).kind == BlockKind::Document;
                if (!isMedia)
                    note(Kind::LooseParts);
                (isMedia ? content : behind).push_back(partOf(block(id)));
            }
            parts.push_back(R"({"toolResponse":{"name":)" + nameOf(result) + ",\"ref\":" + idOf(result)
                + ",\"output\":" + rawValue(result).value_or(textOf(result))
                + (content.empty() ? "}}" : ",\"content\":" + listOf(content) + "}}"));
        }
        messages.push_back(messageOf("tool", parts));
        if (!behind.empty())
            messages.push_back(messageOf("user", behind));
    }
};

} // namespace

std::unique_ptr<ShapeWriter> genkitWriter(const Transcript &transcript)
{
    return std::make_unique<GenkitWriter>(transcript);
}

} // namespace core
