// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/logs/message_log.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>

namespace core {

namespace {

/// Reads a transcript that Cursor's agent writes. It holds texts and calls, but no results. Source: format notes and a
/// fixture of 2026.
class CursorLog final : public MessageLog {
public:
    static constexpr std::string_view kHarness = "Cursor";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers members(record.bytes);
        const std::string_view role = members.string("role");
        const std::string_view content = members.object("message").raw("content");
        ++builder.session().recordCount;
        if (members.string("type") == "turn_ended") {
            builder.session().sideBytes += record.bytes.size();
            return;
        }
        if ((role != "user" && role != "assistant") || content.empty()) {
            addUnknown(builder, record, members.string("type"));
            return;
        }
        LoggedMessage message = messageOf(role == "user" ? Role::User : Role::Assistant, record);
        const RecordBlocks make(builder, record);
        std::vector<Block> &blocks = message.draft.blocks;
        const bool isText = isJsonString(content);
        for (const std::string_view raw : isText ? std::vector { content } : jsonElements(content).items) {
            const JsonMembers part(raw);
            const std::string_view type = isText ? "text" : part.string("type");
            if (type == "text") {
                blocks.push_back(make.block(BlockKind::Text, isText ? content : part.raw("text")));
                if (role == "user")
                    markUserText(builder, blocks.back());
            } else if (type == "tool_use") {
                blocks.push_back(make.call(part.string("name"), part.string("id"), part.raw("input")));
            } else {
                blocks.push_back(make.block(BlockKind::Opaque, raw, decodeJsonString(type)));
            }
        }
        add(std::move(message));
    }
};

Likeness sniffCursor(const Sample &sample)
{
    if (sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    const bool isOurs = std::ranges::all_of(sample.records, [](std::string_view record) {
        const JsonMembers members(record);
        const bool isMessage = members.has("role") && members.object("message").has("content");
        return (isMessage && members.all().size() == 2) || members.string("type") == "turn_ended" || !members.isWhole();
    });
    const bool hasMessage = std::ranges::any_of(
        sample.records, [](std::string_view record) { return JsonMembers(record).object("message").has("content"); });
    return isOurs && hasMessage ? Likeness::Likely : Likeness::No;
}

std::string cursorMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "user"))
        + R"(,"message":{"content":[{"type":"text","text":)" + newJsonString(message.text) + "}]}}";
}

} // namespace

const Format kCursor { "cursor", "Cursor transcript",
    "~/.cursor/projects/*/agent-transcripts/*/*.jsonl; results of tools are not recorded", sniffCursor,
    openLog<CursorLog, kCursor>, { .splice = { .message = cursorMessage, .isEventLog = true } } };

} // namespace core
