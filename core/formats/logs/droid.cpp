// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/logs/message_log.h"
#include "core/formats/reading/formats.h"

#include <algorithm>

namespace core {

namespace {

/// Reads a session of Factory's Droid: messages as Anthropic's API has them. Source: a fixture of 2025.
class DroidLog final : public MessageLog {
public:
    static constexpr std::string_view kHarness = "Droid";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers members(record.bytes);
        const std::string_view type = members.string("type");
        Session &session = builder.session();
        ++session.recordCount;
        if (type == "session_start") {
            builder.thread(ThreadIndex(0U)).id = decodeJsonString(members.string("id"));
            session.workingFolder = decodeJsonString(members.string("cwd"));
            session.title = snippet(decodeJsonString(members.string("title")), kTitleCodePoints);
            session.sideBytes += record.bytes.size();
            return;
        }
        const JsonMembers content = members.object("message");
        if (type != "message" || content.raw("content").empty()) {
            addUnknown(builder, record, type);
            return;
        }
        const bool isModel = content.string("role") == "assistant";
        LoggedMessage message = messageOf(isModel ? Role::Assistant : Role::User, record);
        message.draft.externalId = internString(builder, members.string("id"));
        message.draft.time = parseTime(members.string("timestamp"));
        message.draft.model = internString(builder, content.string("model"));
        const std::string_view raw = content.raw("content");
        if (isJsonString(raw))
            addText(builder, raw, record, message);
        for (const std::string_view part : isJsonArray(raw) ? jsonElements(raw).items : std::vector<std::string_view>())
            addPart(builder, part, record, message);
        add(std::move(message));
    }

private:
    static void addText(SessionBuilder &builder, std::string_view raw, const Record &record, LoggedMessage &message)
    {
        message.draft.blocks.push_back(RecordBlocks(builder, record).block(BlockKind::Text, raw));
        if (message.draft.role == Role::User)
            markUserText(builder, message.draft.blocks.back());
    }

    static void addPart(SessionBuilder &builder, std::string_view raw, const Record &record, LoggedMessage &message)
    {
        const RecordBlocks make(builder, record);
        const JsonMembers part(raw);
        const std::string_view type = part.string("type");
        std::vector<Block> &blocks = message.draft.blocks;
        if (type == "text") {
            addText(builder, part.raw("text"), record, message);
        } else if (type == "thinking") {
            blocks.push_back(make.block(BlockKind::Thinking, part.raw("thinking")));
        } else if (type == "tool_use") {
            blocks.push_back(make.call(part.string("name"), part.string("id"), part.raw("input")));
        } else if (type == "tool_result") {
            blocks.push_back(make.result(part.string("tool_use_id"), part.raw("content")));
            if (part.isTrue("is_error"))
                blocks.back().set(BlockFlag::Error);
        } else if (type == "image") {
            const JsonMembers source = part.object("source");
            blocks.push_back(make.media(source.raw("data"), source.string("media_type")));
        } else {
            blocks.push_back(make.block(BlockKind::Opaque, raw, decodeJsonString(type)));
        }
    }
};

Likeness sniffDroid(const Sample &sample)
{
    const bool isOurs = std::ranges::any_of(sample.records, [](std::string_view record) {
        const JsonMembers members(record);
        return members.string("type") == "session_start" && members.has("id") && members.has("cwd");
    });
    return isOurs ? Likeness::Certain : Likeness::No;
}

} // namespace

const Format kDroid { "droid", "Droid session",
    "~/.factory/sessions/**/*.jsonl; usage and the system prompt are not recorded; Palimpsest cannot export to this "
    "format",
    sniffDroid, openLog<DroidLog, kDroid>, { .shape = MessageShape::Anthropic } };

} // namespace core
