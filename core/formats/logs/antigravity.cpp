// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/logs/message_log.h"
#include "core/formats/reading/formats.h"

#include <algorithm>

namespace core {

namespace {

/// Reads a transcript of Antigravity's agent. A step of a tool does not name its call: it answers the oldest call of
/// the response before it that none has answered. Source: a fixture of 2026.
class AntigravityLog final : public MessageLog {
public:
    static constexpr std::string_view kHarness = "Antigravity";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers members(record.bytes);
        const std::string_view type = members.string("type");
        ++builder.session().recordCount;
        if (type == "PLANNER_RESPONSE") {
            addResponse(builder, members, record);
            return;
        }
        if (members.string("content").empty()) {
            builder.session().sideBytes += record.bytes.size();
            return;
        }
        const bool isOfHarness = members.string("source") == "SYSTEM" || type == "CHECKPOINT";
        if (type == "CHECKPOINT")
            builder.note(record.line,
                "Antigravity shortened the array here. The file does not say what it removed: the array that "
                "Palimpsest "
                "shows still has all messages.");
        const bool isResult = type != "USER_INPUT" && !isOfHarness && !m_open.empty();
        const RecordBlocks make(builder, record);
        LoggedMessage message = messageOf(isResult ? Role::Tool : Role::User, record);
        message.draft.time = parseTime(members.string("created_at"));
        Block &block = message.draft.blocks.emplace_back(
            isResult ? make.result({}, members.raw("content")) : make.block(BlockKind::Text, members.raw("content")));
        if (isResult) {
            block.callId = m_open.front();
            m_open.erase(m_open.begin());
        } else if (type == "USER_INPUT") {
            markUserText(builder, block);
        } else {
            block.set(BlockFlag::Injected);
        }
        add(std::move(message));
    }

private:
    void addResponse(SessionBuilder &builder, const JsonMembers &members, const Record &record)
    {
        const RecordBlocks make(builder, record);
        LoggedMessage message = messageOf(Role::Assistant, record);
        message.draft.time = parseTime(members.string("created_at"));
        std::vector<Block> &blocks = message.draft.blocks;
        if (!members.string("thinking").empty())
            blocks.push_back(make.block(BlockKind::Thinking, members.raw("thinking")));
        if (!members.string("content").empty())
            blocks.push_back(make.block(BlockKind::Text, members.raw("content")));
        m_open.clear();
        for (const std::string_view raw : jsonElements(members.raw("tool_calls")).items) {
            const JsonMembers call(raw);
            blocks.push_back(make.call(call.string("name"), {}, call.raw("args")));
            m_open.push_back(builder.intern(std::to_string(record.line) + "." + std::to_string(m_open.size() + 1)));
            blocks.back().callId = m_open.back();
        }
        add(std::move(message));
    }

    std::vector<StringId> m_open; ///< calls without a result
};

Likeness sniffAntigravity(const Sample &sample)
{
    const bool isOurs = std::ranges::any_of(sample.records, [](std::string_view record) {
        const JsonMembers members(record);
        return members.has("step_index") && members.has("source") && members.has("status")
            && !members.string("type").empty();
    });
    return isOurs ? Likeness::Certain : Likeness::No;
}

} // namespace

const Format kAntigravity { "antigravity", "Antigravity transcript",
    "…/brain/*/.system_generated/logs/transcript.jsonl; long texts are shortened in the file, and usage is not "
    "recorded; "
    "Palimpsest cannot export to this format",
    sniffAntigravity, openLog<AntigravityLog, kAntigravity>, { .shape = MessageShape::Gemini } };

} // namespace core
