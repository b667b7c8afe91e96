// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/shape_writer.h"

#include <algorithm>

namespace core {

namespace {

class LangChainWriter final : public ShapeWriter {
public:
    explicit LangChainWriter(const Transcript &transcript)
        : ShapeWriter(transcript, MessagesShape::LangChain)
    {
    }

    std::string write(std::vector<std::string> system) override
    {
        std::vector<std::string> messages;
        for (const std::string &text : system)
            messages.push_back(messageOf("system", text) + "}");
        for (const MessageTurn &turn : turns()) {
            if (turn.role == Role::Tool) {
                addResults(turn, messages);
            } else if (turn.role == Role::Assistant) {
                messages.push_back(answerMessage(turn));
            } else {
                const bool isSummary = turn.role == Role::User
                    && std::ranges::any_of(turn.blocks, [&](BlockId id) { return block(id).is(BlockFlag::Summary); });
                messages.push_back(
                    messageOf(turn.role == Role::System ? "system" : "human", contentOf(turn.blocks), isSummary) + "}");
            }
        }
        return listOf(messages) + "\n";
    }

private:
    std::string partOf(const Block &block)
    {
        const bool isImage = block.kind == BlockKind::Image;
        if (isImage || block.kind == BlockKind::Document) {
            const std::string type = isImage ? "{\"type\":\"image\"" : "{\"type\":\"file\"";
            if (isBytes(block))
                return type + ",\"base64\":" + textOf(block) + ",\"mime_type\":" + quoted(typeOf(block)) + "}";
            if (!isWords(block))
                return type + ",\"url\":" + textOf(block) + "}";
            if (!isImage)
                return type + R"(,"source_type":"text","text":)" + textOf(block) + R"(,"mime_type":"text/plain"})";
        }
        if (block.kind == BlockKind::Thinking && block.is(BlockFlag::Encrypted))
            return sealedThinking(block);
        if (block.kind == BlockKind::Thinking) {
            const std::string signature = signatureOf(block);
            return R"({"type":"thinking","thinking":)" + textOf(block)
                + (signature.empty() ? "}" : ",\"signature\":" + quoted(signature) + "}");
        }
        return R"({"type":"text","text":)" + wordsOf(block) + "}";
    }

    std::string contentOf(const std::vector<BlockId> &ids)
    {
        if (ids.empty())
            return "\"\"";
        if (ids.size() == 1 && block(ids.front()).kind == BlockKind::Text)
            return textOf(block(ids.front()));
        std::vector<std::string> parts;
        for (const BlockId id : ids)
            parts.push_back(partOf(block(id)));
        return listOf(parts);
    }

    static std::string messageOf(std::string_view type, const std::string &content, bool isSummary = false)
    {
        return "{\"type\":\"" + std::string(type) + "\",\"content\":" + content
            + (isSummary ? R"(,"additional_kwargs":{"lc_source":"summarization"},"response_metadata":{})"
                         : R"(,"additional_kwargs":{},"response_metadata":{})");
    }

    std::string answerMessage(const MessageTurn &turn)
    {
        const Answer answer = answerOf(turn);
        std::vector<BlockId> content = answer.thinking;
        content.insert(content.end(), answer.content.begin(), answer.content.end());
        std::vector<std::string> calls;
        for (const BlockId id : answer.calls)
            calls.push_back("{\"name\":" + nameOf(block(id)) + ",\"args\":" + argumentsOf(block(id))
                + ",\"id\":" + idOf(block(id)) + R"(,"type":"tool_call"})");
        return messageOf("ai", contentOf(content)) + ",\"tool_calls\":" + listOf(calls) + "}";
    }

    void addResults(const MessageTurn &turn, std::vector<std::string> &messages)
    {
        std::vector<BlockId> behind;
        for (const TurnResult &each : turn.results) {
            const Block &result = block(each.result);
            std::vector<std::string> parts;
            for (const BlockId id : each.parts) {
                const Block &part = block(id);
                // An image that stands as words would make a list of texts, which reads as one.
                if (part.kind == BlockKind::Document || (part.kind == BlockKind::Image && !isWords(part))) {
                    parts.push_back(partOf(part));
                } else {
                    note(Kind::LooseParts);
                    behind.push_back(id);
                }
            }
            std::string content = resultContent(result);
            if (!parts.empty()) {
                if (!session().text(result.body).empty())
                    parts.insert(parts.begin(), textPartsOf(result));
                content = listOf(parts);
            }
            messages.push_back(messageOf("tool", content) + ",\"name\":" + nameOf(result) + ",\"tool_call_id\":"
                + idOf(result) + R"(,"status":)" + (result.is(BlockFlag::Error) ? "\"error\"}" : "\"success\"}"));
        }
        if (!behind.empty())
            messages.push_back(messageOf("human", contentOf(behind)) + "}");
    }
};

} // namespace

std::unique_ptr<ShapeWriter> langChainWriter(const Transcript &transcript)
{
    return std::make_unique<LangChainWriter>(transcript);
}

} // namespace core
