// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/formats/databases/conversations.h"
#include "core/formats/databases/goose_session.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"

#include <algorithm>

namespace core {

namespace {

constexpr std::string_view kGooseName = "Goose";

/// What a file says of a session beside its messages.
void addFacts(SessionBuilder &builder, const JsonMembers &session, Conversations<GooseSession>::Conversation &into)
{
    into.title = decodeJsonString(session.string(session.string("name").empty() ? "description" : "name"));
    into.folder = decodeJsonString(session.string("working_dir"));
    into.updated = static_cast<uint64_t>(parseTime(session.string("updated_at")).value_or(0));
    const JsonMembers how = session.object(session.has("model_config_json") ? "model_config_json" : "model_config");
    into.log.setModel(internString(builder, how.string("model_name")));
}

/// Reads the rows of a database of Goose (`databaseText`), the last session first; or the lines of an older session.
class GooseLog final {
public:
    static constexpr std::string_view kHarness = kGooseName;

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers row(record.bytes);
        if (row.has("sqlite"))
            return; // the list of tables
        ++builder.session().recordCount;
        const std::string_view table = row.string("table");
        if (table == "messages" || (table.empty() && row.has("role"))) {
            GooseSession &log = m_all.at(decodeJsonString(row.string("session_id"))).log;
            log.add(builder, row, row.raw(table.empty() ? "content" : "content_json"),
                row.object(table.empty() ? "metadata" : "metadata_json"), record);
            m_hasMessage = m_hasMessage || !log.isEmpty();
            return;
        }
        builder.session().sideBytes += record.bytes.size();
        if (table == "sessions" || row.has("working_dir"))
            addFacts(builder, row, m_all.at(decodeJsonString(table.empty() ? std::string_view() : row.string("id"))));
    }

    [[nodiscard]] bool isEmpty() const { return !m_hasMessage; }
    void finish(SessionBuilder &builder) const
    {
        m_all.write(builder, [](const auto &, const auto &) { return StringId(); });
    }

private:
    Conversations<GooseSession> m_all;
    bool m_hasMessage = false;
};

/// Reads what `goose session export --format json` writes.
Result<SessionPtr> readGooseExport(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    builder.addThread(ThreadKind::Main);
    setFormat(builder.session(), kGooseExport);
    builder.session().harness = kGooseName;
    const auto document = documentText(builder, source);
    if (!document)
        return std::unexpected(document.error());
    const JsonMembers root(document->text);
    Conversations<GooseSession> all;
    auto &own = all.at(decodeJsonString(root.string("id")));
    addFacts(builder, root, own);
    GooseSession &log = own.log;
    LineCursor lines(builder.sourceBytes(document->source));
    for (const std::string_view raw : jsonElements(root.raw("conversation")).items) {
        const JsonMembers message(raw);
        const auto offset = static_cast<uint64_t>(raw.data() - builder.sourceBytes(document->source).data());
        ++builder.session().recordCount;
        log.add(builder, message, message.raw("content"), message.object("metadata"),
            { document->source, offset, lines.lineOf(raw), raw });
    }
    if (log.isEmpty())
        return context.noRecords();
    all.write(builder, [](const auto &, const auto &) { return StringId(); });
    return builder.finish();
}

Likeness sniffGoose(const Sample &sample)
{
    if (sample.records.empty() || !sample.records.front().starts_with("{\"sqlite\":"))
        return Likeness::No;
    const JsonMembers tables = JsonMembers(sample.records.front()).object("sqlite");
    const bool isOurs = tables.has("sessions")
        && std::ranges::contains(jsonElements(tables.raw("messages")).items, "\"content_json\"");
    return isOurs ? Likeness::Certain : Likeness::No;
}

bool isGooseMessage(std::string_view raw)
{
    const JsonMembers message(raw);
    return message.has("role") && message.has("created") && isJsonArray(message.raw("content"));
}

Likeness sniffGooseLog(const Sample &sample)
{
    if (sample.records.empty() || !std::ranges::any_of(sample.records, isGooseMessage))
        return Likeness::No;
    const JsonMembers head(sample.records.front());
    return head.has("working_dir") && !head.has("role") ? Likeness::Certain : Likeness::Likely;
}

Likeness sniffGooseExport(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    const JsonMembers root(sample.records.front());
    return root.has("working_dir") && isJsonArray(root.raw("conversation")) ? Likeness::Certain : Likeness::No;
}

std::string gooseMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const JsonMembers members(example);
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "user"))
        + (members.has("created") ? copiedMembers(members, { "created" }) : R"(,"created":0)")
        + R"(,"content":[{"type":"text","text":)" + newJsonString(message.text) + "}]}";
}

} // namespace

const Format kGoose { "goose", "Goose database",
    "~/.local/share/goose/sessions/sessions.db, SQLite: read from a copy in memory; Palimpsest cannot export to this "
    "format",
    sniffGoose, openLog<GooseLog, kGoose>, { .preset = "goose" } };

const Format kGooseLog { "goose-log", "Goose session", "~/.local/share/goose/sessions/*.jsonl, until version 1.9",
    sniffGooseLog, openLog<GooseLog, kGooseLog>,
    { .preset = "goose", .splice = { .message = gooseMessage, .isEventLog = true } } };

const Format kGooseExport { "goose-export", "Goose export", "`goose session export --format json`", sniffGooseExport,
    openWhole<readGooseExport>, { .preset = "goose", .splice = { .message = gooseMessage } } };

} // namespace core
