// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/logs/message_log.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>

namespace core {

namespace {

/// Reads the log of Kiro CLI. Source: a session of 2026.
class KiroLog final : public MessageLog {
public:
    static constexpr std::string_view kHarness = "Kiro CLI";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers members(record.bytes);
        const std::string_view kind = members.string("kind");
        const JsonMembers data = members.object("data");
        ++builder.session().recordCount;
        const bool isKnown = kind == "Prompt" || kind == "AssistantMessage" || kind == "ToolResults";
        if (!isKnown || !isJsonArray(data.raw("content"))) {
            addUnknown(builder, record, kind);
            return;
        }
        LoggedMessage message = messageOf(kind == "AssistantMessage" ? Role::Assistant
                : kind == "ToolResults"                              ? Role::Tool
                                                                     : Role::User,
            record);
        message.draft.externalId = internString(builder, data.string("message_id"));
        if (const auto time = jsonNumber(data.object("meta").raw("timestamp")))
            message.draft.time = timeOfNumber(*time);
        for (const std::string_view part : jsonElements(data.raw("content")).items)
            addPart(builder, part, record, message);
        // Beside the results stand copies of the calls and the results in another form.
        builder.session().sideBytes += data.raw("results").size();
        if (!message.draft.blocks.empty())
            message.draft.blocks.back().sideBytes = data.raw("results").size();
        add(std::move(message));
    }

private:
    static void addPart(SessionBuilder &builder, std::string_view raw, const Record &record, LoggedMessage &message)
    {
        const RecordBlocks make(builder, record);
        const JsonMembers part(raw);
        const std::string_view kind = part.string("kind");
        const JsonMembers data = part.object("data");
        std::vector<Block> &blocks = message.draft.blocks;
        if (kind == "text") {
            blocks.push_back(make.block(BlockKind::Text, part.raw("data")));
            if (message.draft.role == Role::User)
                markUserText(builder, blocks.back());
        } else if (kind == "thinking") {
            blocks.push_back(make.block(BlockKind::Thinking, data.raw("text")));
            message.draft.model = internString(builder, data.string("modelId"));
        } else if (kind == "toolUse") {
            blocks.push_back(make.call(data.string("name"), data.string("toolUseId"), data.raw("input")));
        } else if (kind == "toolResult") {
            const auto parts = jsonElements(data.raw("content")).items;
            for (const std::string_view each : parts)
                blocks.push_back(make.result(data.string("toolUseId"), JsonMembers(each).raw("data")));
            if (parts.empty())
                blocks.push_back(make.result(data.string("toolUseId"), {}));
            if (!data.string("status").empty() && data.string("status") != "success")
                blocks.back().set(BlockFlag::Error);
        } else {
            blocks.push_back(make.block(BlockKind::Opaque, raw, decodeJsonString(kind)));
        }
    }
};

Likeness sniffKiro(const Sample &sample)
{
    const bool isOurs = std::ranges::any_of(sample.records, [](std::string_view record) {
        const JsonMembers members(record);
        return members.string("version") == "v1" && !members.string("kind").empty()
            && isJsonArray(members.object("data").raw("content"));
    });
    return isOurs ? Likeness::Certain : Likeness::No;
}

std::string kiroMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return R"({"version":"v1","kind":)" + newJsonString(message.role == Role::Assistant ? "AssistantMessage" : "Prompt")
        + R"(,"data":{"message_id":)" + newJsonString(message.uuid) + R"(,"content":[{"kind":"text","data":)"
        + newJsonString(message.text) + "}]}}";
}

} // namespace

const Format kKiroCli { "kiro-cli", "Kiro CLI log", "JSONL, version v1; usage and the system prompt are not recorded",
    sniffKiro, openLog<KiroLog, kKiroCli>, { .splice = { .message = kiroMessage, .isEventLog = true } } };

} // namespace core
