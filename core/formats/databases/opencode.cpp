// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/databases/conversations.h"
#include "core/formats/databases/opencode_session.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/json/line_cursor.h"

#include <algorithm>
#include <iterator>

namespace core {

namespace {

constexpr std::string_view kOpencodeName = "opencode";

/// Reads the rows of a database of opencode (`databaseText`). Sessions are threads, the last one first; one that a
/// call started follows the session of the call.
class OpencodeLog final {
public:
    static constexpr std::string_view kHarness = kOpencodeName;

    void accept(SessionBuilder &builder, const Record &record)
    {
        const JsonMembers row(record.bytes);
        const std::string_view table = row.string("table");
        if (table.empty())
            return; // the list of tables
        ++builder.session().recordCount;
        if (table == "session") {
            auto &each = m_all.at(decodeJsonString(row.string("id")));
            each.parent = decodeJsonString(row.string("parent_id"));
            each.title = decodeJsonString(row.string("title"));
            each.folder = decodeJsonString(row.string("directory"));
            each.updated = row.number("time_updated").value_or(0);
            builder.session().sideBytes += record.bytes.size();
        } else if (table == "message") {
            m_hasMessage = true;
            m_all.at(decodeJsonString(row.string("session_id")))
                .log.addMessage(builder, decodeJsonString(row.string("id")), row.object("data"), record);
        } else if (table == "part") {
            m_all.at(decodeJsonString(row.string("session_id")))
                .log.addPart(builder, decodeJsonString(row.string("message_id")), row.raw("data"), record);
        }
    }

    [[nodiscard]] bool isEmpty() const { return !m_hasMessage; }

    void finish(SessionBuilder &builder) const
    {
        m_all.write(
            builder, [&](const auto &own, const auto &child) { return own.log.callOfChild(builder, child.id); });
    }

private:
    Conversations<OpencodeSession> m_all;
    bool m_hasMessage = false;
};

/// Reads what `opencode export` writes.
Result<SessionPtr> readOpencodeExport(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    const ThreadIndex thread = builder.addThread(ThreadKind::Main);
    setFormat(builder.session(), kOpencodeExport);
    builder.session().harness = kOpencodeName;
    std::string_view root;
    SourceId holder;
    const auto found = readDocument(builder, source, [&](simdjson::ondemand::document &document, SourceId at) {
        root = document.raw_json().value();
        holder = at;
    });
    if (!found)
        return std::unexpected(found.error());
    const JsonMembers members(root);
    const JsonMembers info = members.object("info");
    builder.thread(thread).id = decodeJsonString(info.string("id"));
    builder.session().title = snippet(decodeJsonString(info.string("title")), kTitleCodePoints);
    builder.session().workingFolder = decodeJsonString(info.string("directory"));
    LineCursor lines(builder.sourceBytes(holder));
    OpencodeSession session;
    for (const std::string_view raw : jsonElements(members.raw("messages")).items) {
        const JsonMembers message(raw);
        const auto offset = static_cast<uint64_t>(raw.data() - builder.sourceBytes(holder).data());
        const Record record { holder, offset, lines.lineOf(raw), raw };
        const std::string id = decodeJsonString(message.object("info").string("id"));
        ++builder.session().recordCount;
        session.addMessage(builder, id, message.object("info"), record);
        for (const std::string_view part : jsonElements(message.raw("parts")).items)
            session.addPart(builder, id, part, record);
    }
    if (session.isEmpty())
        return context.noRecords();
    session.write(builder, thread);
    linkToolResults(builder.session());
    noteOrphanResults(builder);
    setTypedTitle(builder);
    return builder.finish();
}

Likeness sniffOpencode(const Sample &sample)
{
    if (sample.records.empty() || !sample.records.front().starts_with("{\"sqlite\":"))
        return Likeness::No;
    const JsonMembers tables = JsonMembers(sample.records.front()).object("sqlite");
    return tables.has("session") && tables.has("message") && tables.has("part") ? Likeness::Certain : Likeness::No;
}

Likeness sniffOpencodeExport(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    const JsonMembers members(sample.records.front());
    for (const std::string_view raw : jsonElements(members.raw("messages"), 1).items) {
        const JsonMembers message(raw);
        if (members.has("info") && message.has("info") && isJsonArray(message.raw("parts")))
            return Likeness::Certain;
    }
    return Likeness::No;
}

/// opencode's ids have 26 letters and digits.
std::string opencodeId(std::string_view uuid)
{
    std::string id = "ses_";
    std::ranges::copy_if(uuid, std::back_inserter(id), [](char c) { return c != '-'; });
    return id.substr(0, 30);
}

/// Of a database the folder of the session that is this thread.
std::string folderOfThread(const Session &session, ThreadIndex thread)
{
    const std::string_view file = session.sources.front()->bytes();
    for (size_t begin = 0; begin < file.size();) {
        const JsonMembers row(file.substr(begin));
        if (row.string("table") == "session" && decodeJsonString(row.string("id")) == session.thread(thread).id)
            return decodeJsonString(row.string("directory"));
        begin = std::min(file.find('\n', begin), file.size() - 1) + 1;
        if (row.string("table") == "message")
            break; // sessions come first
    }
    return session.workingFolder;
}

std::string opencodeFolder(const NewSession & /*session*/) { return "opencode"; }
std::string opencodeFile(const NewSession &session) { return session.id + ".json"; }

constexpr ResumeShape kResume { .harness = "opencode",
    .home = ".local/share/palimpsest",
    .sessions = "continued",
    .folder = opencodeFolder,
    .file = opencodeFile,
    .isTakenIn = true,
    .folderOf = folderOfThread,
    .asId = opencodeId,
    .command = "opencode import",
    .takesPath = true,
    .next = "opencode --session" };

} // namespace

const Format kOpencode { "opencode", "opencode database",
    "~/.local/share/opencode/opencode.db, SQLite: read from a copy in memory; Palimpsest cannot export to this format",
    sniffOpencode, openLog<OpencodeLog, kOpencode>, { .preset = "opencode", .resume = kResume } };

const Format kOpencodeExport { "opencode-export", "opencode export",
    "`opencode export`; Palimpsest cannot export to this format", sniffOpencodeExport, openWhole<readOpencodeExport>,
    { .preset = "opencode", .resume = kResume } };

} // namespace core
