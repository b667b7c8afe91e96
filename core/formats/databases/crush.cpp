// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/orphan_results.h"
#include "core/formats/reading/record_blocks.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <unordered_map>

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
            Conversation &each = conversation(decodeJsonString(row.string("id")));
            each.parent = decodeJsonString(row.string("parent_session_id"));
            each.title = decodeJsonString(row.string("title"));
            each.summary = decodeJsonString(row.string("summary_message_id"));
            each.updated = row.number("updated_at").value_or(0);
        } else if (row.string("table") == "messages") {
            addMessage(builder, row, record);
            return;
        }
        builder.session().sideBytes += record.bytes.size();
    }

    [[nodiscard]] bool isEmpty() const { return m_messageCount == 0; }

    void finish(SessionBuilder &builder) const
    {
        std::vector<size_t> roots;
        for (size_t i = 0; i < m_conversations.size(); ++i) {
            const Conversation &each = m_conversations[i];
            if (!m_byId.contains(each.parent) && hasMessages(i))
                roots.push_back(i);
        }
        std::ranges::stable_sort(roots, std::greater(), [&](size_t i) { return m_conversations[i].updated; });
        const ThreadKind kind = roots.size() > 1 ? ThreadKind::Run : ThreadKind::Main;
        for (const size_t root : roots) {
            const bool isFirst = root == roots.front();
            const ThreadIndex thread = isFirst ? ThreadIndex(0U) : builder.addThread(kind);
            builder.thread(thread).kind = kind;
            write(builder, root, thread);
        }
        if (!roots.empty())
            builder.session().title = m_conversations[roots.front()].title;
        linkToolResults(builder.session());
        noteOrphanResults(builder);
        setTypedTitle(builder);
    }

private:
    struct Conversation {
        std::string id;
        std::string parent;
        std::string title;
        std::string summary;
        uint64_t updated = 0;
        ThreadLog log;
    };

    Conversation &conversation(const std::string &id)
    {
        const auto [place, isNew] = m_byId.try_emplace(id, m_conversations.size());
        if (isNew)
            m_conversations.emplace_back().id = id;
        return m_conversations[place->second];
    }

    /// Whether it or one that it started has messages.
    [[nodiscard]] bool hasMessages(size_t index) const
    {
        return !m_conversations[index].log.isEmpty()
            || std::ranges::any_of(m_conversations, [&](const Conversation &each) {
                   return each.parent == m_conversations[index].id && !each.log.isEmpty();
               });
    }

    void write(SessionBuilder &builder, size_t index, ThreadIndex thread) const
    {
        const Conversation &own = m_conversations[index];
        builder.thread(thread).id = own.id;
        builder.thread(thread).title = snippet(own.title, kTitleCodePoints);
        own.log.write(builder, thread);
        for (size_t i = 0; i < m_conversations.size(); ++i) {
            const Conversation &child = m_conversations[i];
            if (i == index || child.parent != own.id || child.parent == child.id || child.log.isEmpty())
                continue;
            const ThreadIndex below = builder.addThread(ThreadKind::Subagent);
            write(builder, i, below);
            const size_t mark = child.id.find("$$"); // MESSAGE$$CALL in Crush, CALL in opencode
            const std::string call = mark == std::string::npos ? child.id : child.id.substr(mark + 2);
            builder.thread(below).parentCall = callOfId(builder, builder.intern(call));
        }
    }

    void addMessage(SessionBuilder &builder, const JsonMembers &row, const Record &record)
    {
        Conversation &target = conversation(decodeJsonString(row.string("session_id")));
        const std::string id = decodeJsonString(row.string("id"));
        const std::string_view role = row.string("role");
        const bool isSummary
            = row.number("is_summary_message").value_or(0) == 1 || (!id.empty() && id == target.summary);
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
            target.log.add(std::move(message));
            return;
        }
        for (Block &block : draft.blocks)
            block.flags = static_cast<uint16_t>(BlockFlag::Summary); // the person did not type it
        std::vector<LoggedMessage> summary;
        summary.push_back(std::move(message));
        RecordedCompaction how;
        how.line = record.line;
        target.log.replace(target.log.adopt(builder, std::move(summary)), std::move(how));
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

    std::vector<Conversation> m_conversations;
    std::unordered_map<std::string, size_t> m_byId;
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
    ".crush/crush.db, SQLite: read from a copy in memory, with its write-ahead log; it cannot be written", sniffCrush,
    openLog<CrushLog<kCrush>, kCrush>, {} };

const Format kOpencodeGo { "opencode-go", "opencode (Go) database",
    ".opencode/opencode.db of opencode in Go, SQLite: read from a copy in memory; it cannot be written",
    sniffOpencodeGo, openLog<CrushLog<kOpencodeGo>, kOpencodeGo>, {} };

} // namespace core
