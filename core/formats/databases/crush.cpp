// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/databases/conversations.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/record_blocks.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <set>

namespace core {

namespace {

constexpr size_t kHeadBytes = 400;

/// Reads the rows of a database of Crush or of opencode in Go (`databaseText`). A conversation is a thread, the last
/// one first; one that a call started follows the conversation of the call.
/// Source: internal/message/content.go and internal/agent/agent.go of Crush (2026): `ToAIMessage`,
/// `getSessionMessages`, `preparePrompt`.
template <const Format &format>
class CrushLog final {
public:
    static constexpr std::string_view kHarness = &format == &kCrush ? "Crush" : "opencode (Go)";

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers row(record.bytes);
        if (!row.has("table"))
            return; // the list of tables
        ++builder.session().recordCount;
        if (row.string("table") == "sessions") {
            auto &each = m_all.at(decodeJsonString(row.string("id")));
            each.parent = decodeJsonString(row.string("parent_session_id"));
            each.title = decodeJsonString(row.string("title"));
            each.updated = row.number("updated_at").value_or(0);
            m_summaries.insert(decodeJsonString(row.string("summary_message_id")));
        } else if (row.string("table") == "messages") {
            addMessage(builder, row, record);
            return;
        }
        builder.session().sideBytes += record.bytes.size();
    }

    [[nodiscard]] bool isEmpty() const { return m_messageCount == 0; }

    void finish(SessionBuilder &builder) const
    {
        m_all.write(builder, [&](const auto &, const auto &child) {
            const size_t mark = child.id.find("$$"); // MESSAGE$$CALL in Crush, CALL in opencode
            return builder.intern(mark == std::string::npos ? child.id : child.id.substr(mark + 2));
        });
    }

private:
    void addMessage(SessionBuilder &builder, const JsonMembers &row, const Record &record)
    {
        ThreadLog &log = m_all.at(decodeJsonString(row.string("session_id"))).log;
        const std::string id = decodeJsonString(row.string("id"));
        const std::string_view role = row.string("role");
        const bool isSummary
            = row.number("is_summary_message").value_or(0) == 1 || (!id.empty() && m_summaries.contains(id));
        LoggedMessage message;
        MessageDraft &draft = message.draft;
        draft.role = isSummary || role == "user" ? Role::User
            : role == "tool"                     ? Role::Tool
            : role == "system"                   ? Role::System
                                                 : Role::Assistant;
        draft.line = record.line;
        draft.externalId = builder.intern(id);
        draft.model = internString(builder, row.string("model"));
        if (const auto time = jsonNumber(row.raw("created_at")))
            draft.time = timeOfNumber(*time);
        for (const std::string_view raw : jsonElements(row.raw("parts")).items)
            addPart(builder, raw, record, message);
        if (draft.blocks.empty())
            return; // given up before any output; not sent
        ++m_messageCount;
        message.isResponse = draft.role == Role::Assistant;
        if (!isSummary) {
            log.add(std::move(message));
            return;
        }
        for (Block &block : draft.blocks)
            block.flags = static_cast<uint16_t>(BlockFlag::Summary); // the person did not type it
        std::vector<LoggedMessage> summary;
        summary.push_back(std::move(message));
        RecordedCompaction how;
        how.line = record.line;
        log.replace(log.adopt(builder, std::move(summary)), std::move(how));
    }

    static void addPart(SessionBuilder &builder, std::string_view raw, const Record &record, LoggedMessage &message)
    {
        const RecordBlocks make(builder, record);
        const JsonMembers part(raw);
        const std::string_view type = part.string("type");
        const JsonMembers data = part.object("data");
        std::vector<Block> &blocks = message.draft.blocks;
        if (type == "text") {
            if (data.string("text").empty())
                return;
            Block &block = blocks.emplace_back(make.block(BlockKind::Text, data.raw("text")));
            const bool isHidden
                = data.isTrue("hidden") || looksInjected(builder.session().textHead(block.body, kHeadBytes));
            if (message.draft.role == Role::User)
                block.set(isHidden ? BlockFlag::Injected : BlockFlag::Typed);
        } else if (type == "reasoning") {
            if (!data.string("thinking").empty())
                blocks.push_back(make.block(BlockKind::Thinking, data.raw("thinking")));
        } else if (type == "tool_call") {
            blocks.push_back(make.call(data.string("name"), data.string("id"), data.raw("input")));
        } else if (type == "tool_result") {
            Block &block = blocks.emplace_back(make.result(data.string("tool_call_id"), data.raw("content")));
            if (data.isTrue("is_error"))
                block.set(BlockFlag::Error);
            block.sideBytes = data.raw("metadata").size();
            builder.session().sideBytes += block.sideBytes;
            const StringId call = block.callId;
            if (!data.string("data").empty()) {
                blocks.push_back(make.media(data.raw("data"), data.string("mime_type")));
                blocks.back().callId = call;
            }
        } else if (type == "binary") {
            blocks.push_back(make.media(data.raw("Data"), data.string("MIMEType")));
        } else if (type == "image_url") {
            blocks.push_back(make.media(data.raw("url"), {}));
        } else if (type == "shell_command") { // the user's own; sent without marks of JSON
            for (const std::string_view key : { "command", "output" }) {
                blocks.push_back(make.block(BlockKind::Text, data.raw(key)));
                blocks.back().set(BlockFlag::Injected);
            }
        } else if (type != "finish") {
            blocks.push_back(make.block(BlockKind::Opaque, raw, decodeJsonString(type)));
        }
    }

    Conversations<ThreadLog> m_all;
    std::set<std::string> m_summaries; ///< ids of messages
    size_t m_messageCount = 0;
};

/// The columns of the table with the messages, as JSON; empty if these are no rows of such a database.
JsonElements messageColumns(const Sample &sample)
{
    if (sample.records.empty() || !sample.records.front().starts_with("{\"sqlite\":"))
        return {};
    const JsonMembers tables = JsonMembers(sample.records.front()).object("sqlite");
    return tables.has("sessions") ? jsonElements(tables.raw("messages")) : JsonElements {};
}

Likeness sniffCrush(const Sample &sample)
{
    const JsonElements columns = messageColumns(sample);
    const auto has = [&](std::string_view name) { return std::ranges::contains(columns.items, name); };
    return has("\"parts\"") && has("\"provider\"") ? Likeness::Certain : Likeness::No;
}

Likeness sniffOpencodeGo(const Sample &sample)
{
    const JsonElements columns = messageColumns(sample);
    const auto has = [&](std::string_view name) { return std::ranges::contains(columns.items, name); };
    return has("\"parts\"") && !has("\"provider\"") ? Likeness::Certain : Likeness::No;
}

} // namespace

const Format kCrush { "crush", "Crush database",
    ".crush/crush.db, SQLite: read from a copy in memory, with its write-ahead log; Palimpsest cannot export to this "
    "format",
    sniffCrush, openLog<CrushLog<kCrush>, kCrush>, { .preset = "crush" } };

const Format kOpencodeGo { "opencode-go", "opencode (Go) database",
    ".opencode/opencode.db of opencode in Go, SQLite: read from a copy in memory; Palimpsest cannot export to this "
    "format",
    sniffOpencodeGo, openLog<CrushLog<kOpencodeGo>, kOpencodeGo>, {} };

} // namespace core
