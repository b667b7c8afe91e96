// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/logs/message_log.h"
#include "core/formats/reading/formats.h"

#include <algorithm>

namespace core {

namespace {

/// Reads the chat history of Grok's command line. Reasoning, and tools that run at the provider, are records of their
/// own. Source: a fixture of 2026.
class GrokLog final : public MessageLog {
public:
    static constexpr std::string_view kHarness = "Grok CLI";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers members(record.bytes);
        const std::string_view type = members.string("type");
        const RecordBlocks make(builder, record);
        ++builder.session().recordCount;
        if (type == "user") {
            addUser(builder, members, record);
        } else if (type == "assistant") {
            addAnswer(builder, members, record);
        } else if (type == "reasoning" && jsonElements(members.raw("summary"), 1).items.empty()) {
            builder.session().sideBytes += record.bytes.size(); // only the provider can read it
        } else if (type == "system" || type == "reasoning" || type == "tool_result") {
            LoggedMessage message = messageOf(type == "system" ? Role::System
                    : type == "reasoning"                      ? Role::Assistant
                                                               : Role::Tool,
                record);
            message.isResponse = false; // the answer has a record of its own
            if (type == "reasoning") {
                for (const std::string_view part : jsonElements(members.raw("summary")).items)
                    message.draft.blocks.push_back(make.block(BlockKind::Thinking, JsonMembers(part).raw("text")));
            } else {
                message.draft.blocks.push_back(type == "system"
                        ? make.block(BlockKind::Text, members.raw("content"))
                        : make.result(members.string("tool_call_id"), members.raw("content")));
            }
            add(std::move(message));
        } else if (type == "backend_tool_call") {
            LoggedMessage message = messageOf(Role::Assistant, record);
            message.isResponse = false;
            message.draft.blocks.push_back(make.block(
                BlockKind::Opaque, members.raw("kind"), decodeJsonString(members.object("kind").string("tool_type"))));
            add(std::move(message));
        } else {
            addUnknown(builder, record, type);
        }
    }

private:
    /// The first prompt has the environment in front of it as a message of its own.
    void addUser(SessionBuilder &builder, const JsonMembers &members, const Record &record)
    {
        const RecordBlocks make(builder, record);
        LoggedMessage message = messageOf(Role::User, record);
        const std::string_view content = members.raw("content");
        const auto addText = [&](std::string_view raw) {
            message.draft.blocks.push_back(make.block(BlockKind::Text, raw));
            if (members.has("synthetic_reason"))
                message.draft.blocks.back().set(BlockFlag::Injected);
            else
                markUserText(builder, message.draft.blocks.back());
        };
        if (isJsonString(content))
            addText(content);
        for (const std::string_view raw :
            isJsonArray(content) ? jsonElements(content).items : std::vector<std::string_view>()) {
            const JsonMembers part(raw);
            if (part.string("type") == "text")
                addText(part.raw("text"));
            else if (part.string("type") == "image")
                message.draft.blocks.push_back(make.media(part.raw("url"), {}));
            else
                message.draft.blocks.push_back(
                    make.block(BlockKind::Opaque, raw, decodeJsonString(part.string("type"))));
        }
        add(std::move(message));
    }

    void addAnswer(SessionBuilder &builder, const JsonMembers &members, const Record &record)
    {
        const RecordBlocks make(builder, record);
        LoggedMessage message = messageOf(Role::Assistant, record);
        message.draft.model = internString(builder, members.string("model_id"));
        if (!members.string("content").empty())
            message.draft.blocks.push_back(make.block(BlockKind::Text, members.raw("content")));
        for (const std::string_view raw : jsonElements(members.raw("tool_calls")).items) {
            const JsonMembers call(raw);
            message.draft.blocks.push_back(make.call(call.string("name"), call.string("id"), call.raw("arguments")));
        }
        add(std::move(message));
    }
};

Likeness sniffGrok(const Sample &sample)
{
    const bool isOurs = std::ranges::any_of(sample.records, [](std::string_view record) {
        const JsonMembers members(record);
        const std::string_view type = members.string("type");
        return members.has("content")
            && ((type == "assistant" && members.has("model_id"))
                || (type == "user" && (members.has("prompt_index") || members.has("synthetic_reason"))));
    });
    return isOurs ? Likeness::Certain : Likeness::No;
}

} // namespace

const Format kGrokCli { "grok-cli", "Grok CLI chat history",
    "chat_history.jsonl; usage, times and the working folder are not recorded; Palimpsest cannot export to this format",
    sniffGrok, openLog<GrokLog, kGrokCli>, {} };

} // namespace core
