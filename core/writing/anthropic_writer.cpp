// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_writer.h"

#include "core/json/json_probe.h"

#include <algorithm>

namespace core {

namespace {

class AnthropicWriter final : public ShapeWriter {
public:
    explicit AnthropicWriter(const Transcript &transcript)
        : ShapeWriter(transcript, MessagesShape::Anthropic)
    {
    }

    std::string write(std::vector<std::string> system) override
    {
        std::vector<std::string> messages;
        std::vector<std::string> parts;
        bool isAnswer = false;
        bool hasOwnParts = false;
        const auto close = [&] {
            if (!parts.empty())
                messages.push_back(std::string("{\"role\":") + (isAnswer ? "\"assistant\"" : "\"user\"")
                    + ",\"content\":" + listOf(parts) + "}");
            parts.clear();
        };
        for (const MessageTurn &turn : turns()) {
            if (turn.role == Role::System && messages.empty() && parts.empty()) {
                for (const BlockId id : turn.blocks)
                    system.push_back(block(id).kind == BlockKind::Text ? textOf(block(id)) : opaqueText(block(id)));
                continue;
            }
            if (turn.role == Role::System)
                note(Kind::LateSystem);
            if ((turn.role == Role::Assistant) != isAnswer)
                close();
            isAnswer = turn.role == Role::Assistant;
            for (const TurnResult &each : turn.results)
                addResult(each, parts);
            for (const BlockId id : turn.blocks) {
                const BlockKind kind = block(id).kind;
                hasOwnParts = hasOwnParts || kind == BlockKind::ToolCall || kind == BlockKind::Thinking;
                parts.push_back(partOf(block(id)));
            }
            hasOwnParts = hasOwnParts || !turn.results.empty();
        }
        close();
        std::string json = "{";
        if (session().model.find("claude") != std::string::npos)
            json += "\"model\":" + quoted(session().model) + ",";
        json += "\"max_tokens\":4096";
        std::vector<std::string> blocks;
        for (const std::string &text : system)
            blocks.push_back(R"({"type":"text","text":)" + text + "}");
        if (!blocks.empty())
            json += ",\"system\":" + listOf(blocks);
        else if (!hasOwnParts)
            json += R"(,"thinking":{"type":"disabled"})"; // nothing else tells whose request this is
        return json + ",\"messages\":" + listOf(messages) + "}\n";
    }

private:
    /// Blocks that no other shape has stand as they were recorded.
    [[nodiscard]] bool isOfAnthropic() const { return session().traits->nearest == MessagesShape::Anthropic; }

    std::string mediaOf(const Block &block)
    {
        const std::string type = block.kind == BlockKind::Image ? "image" : "document";
        const std::string text = session().text(block.body);
        std::string source;
        if (isBytes(block))
            source = R"({"type":"base64","media_type":)" + quoted(typeOf(block)) + ",\"data\":" + quoted(text) + "}";
        else if (!isWords(block))
            source = R"({"type":"url","url":)" + quoted(text) + "}";
        else if (block.kind == BlockKind::Document)
            source = R"({"type":"text","media_type":"text/plain","data":)" + quoted(text) + "}";
        else
            return R"({"type":"text","text":)" + opaqueText(block) + "}";
        return "{\"type\":\"" + type + "\",\"source\":" + source + "}";
    }

    std::string thinkingOf(const Block &block)
    {
        if (block.is(BlockFlag::Encrypted))
            return sealedThinking(block);
        const std::string signature = signatureOf(block);
        if (signature.empty())
            note(Kind::NoSignature);
        return R"({"type":"thinking","thinking":)" + textOf(block) + ",\"signature\":" + quoted(signature) + "}";
    }

    std::string partOf(const Block &block)
    {
        switch (block.kind) {
        case BlockKind::Text:
            return R"({"type":"text","text":)" + textOf(block) + "}";
        case BlockKind::Thinking:
            return thinkingOf(block);
        case BlockKind::ToolCall:
            noteId(block);
            return R"({"type":"tool_use","id":)" + idOf(block) + ",\"name\":" + nameOf(block)
                + ",\"input\":" + argumentsOf(block) + "}";
        case BlockKind::Image:
        case BlockKind::Document:
            return mediaOf(block);
        case BlockKind::ToolResult:
        case BlockKind::Opaque:
            break;
        }
        const auto raw = rawValue(block);
        if (isOfAnthropic() && raw && isJsonObject(*raw) && !JsonMembers(*raw).string("type").empty())
            return *raw;
        return R"({"type":"text","text":)" + opaqueText(block) + "}";
    }

    void noteId(const Block &block)
    {
        const std::string_view id = session().string(block.callId);
        const bool isPlain = !id.empty() && std::ranges::all_of(id, [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
        });
        if (!isPlain)
            note(Kind::StrangeIds);
    }

    /// The result, and behind it what no result can hold.
    void addResult(const TurnResult &each, std::vector<std::string> &parts)
    {
        const Block &result = block(each.result);
        std::vector<std::string> inner;
        std::vector<std::string> behind;
        for (const BlockId id : each.parts) {
            const BlockKind kind = block(id).kind;
            const bool isOwn = (kind == BlockKind::Image && isBytes(block(id))) || kind == BlockKind::Opaque
                || kind == BlockKind::ToolResult;
            (isOwn ? inner : behind).push_back(resultPartOf(block(id)));
        }
        const auto raw = rawValue(result);
        std::string content
            = raw && isOfAnthropic() && isJsonArray(*raw) && inner.empty() ? *raw : resultContent(result);
        if (!inner.empty()) {
            if (session().text(result.body).empty())
                content = listOf(inner);
            else
                content = "[" + textPartsOf(result) + "," + joined(inner) + "]";
        }
        parts.push_back(R"({"type":"tool_result","tool_use_id":)" + idOf(result) + ",\"content\":" + content
            + (result.is(BlockFlag::Error) ? ",\"is_error\":true}" : "}"));
        parts.insert(parts.end(), behind.begin(), behind.end());
    }

    std::string resultPartOf(const Block &block)
    {
        if (isText(block) || (block.kind == BlockKind::Opaque && block.body.coding != Coding::JsonValue))
            return R"({"type":"text","text":)" + textOf(block) + "}";
        return partOf(block);
    }
};

} // namespace

std::unique_ptr<ShapeWriter> anthropicWriter(const Transcript &transcript)
{
    return std::make_unique<AnthropicWriter>(transcript);
}

} // namespace core
