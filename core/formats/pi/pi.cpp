// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/pi/pi_tree.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/record_feed.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// Reads the session files of pi, versions 1 to 3, and of programs based on it (OpenClaw, kimchi).
class PiReader final : public Reader {
public:
    explicit PiReader(ReadContext context)
        : Reader(std::move(context))
        , m_source(m_builder.addSource(Source::own({}, {})))
        , m_feed(m_builder, m_source, [this](ondemand::object &object, const Record &record) {
            Record own = record;
            own.bytes = object.raw_json().value(); // parse to the end before using any of it
            accept(readPiRecord(m_builder, own));
        })
    {
        m_builder.addThread(ThreadKind::Main);
        setFormat(m_builder.session(), kPi);
        m_builder.session().harness = "pi";
    }

    Result<void> append(const SourcePtr &source) override
    {
        m_context.source = source;
        m_builder.replaceSource(m_source, source);
        return read(Upto::LineFeed);
    }

    Result<SessionPtr> snapshot() override
    {
        if (m_builder.session().recordCount == 0)
            return m_context.noRecords();
        SessionBuilder copy = m_builder;
        copy.session().isComplete = false;
        return finish(copy);
    }

    Result<SessionPtr> end() override
    {
        if (const auto rest = read(Upto::End); !rest)
            return std::unexpected(rest.error());
        if (m_builder.session().recordCount == 0)
            return m_context.noRecords();
        return finish(m_builder);
    }

private:
    Result<void> read(Upto upto)
    {
        if (!m_feed.read(m_context, upto, [this](double) { m_publisher.publishIfDue(m_context.publish, *this); }))
            return m_context.cancelled();
        return {};
    }

    void accept(PiRecord record)
    {
        Session &session = m_builder.session();
        ++session.recordCount;
        session.sideBytes += record.sideBytes;
        if (record.isHeader)
            acceptHeader(record);
        if (!record.name.empty())
            m_name = record.name;
        if (!record.unknownRole.empty())
            m_builder.note(record.entry.line, "The message has " + record.unknownRole + "; it was left out.");
        for (const Block &block : record.blocks) {
            if (session.title.empty() && block.is(BlockFlag::Typed))
                session.title = snippet(session.textHead(block.body, 400), 80);
        }
        m_tree.add(record.entry, record.blocks);
    }

    /// The first header describes the file.
    void acceptHeader(const PiRecord &record)
    {
        if (std::exchange(m_hasHeader, true))
            return;
        m_builder.session().workingFolder = record.workingFolder;
        m_builder.thread(ThreadIndex(0U)).id = record.sessionId;
        if (!record.forkedFrom.empty()) {
            m_builder.session().origin = { Origin::Kind::Fork, record.forkedFrom };
            m_builder.note(
                record.entry.line, "This session is a fork of " + record.forkedFrom + " and begins with a copy of it.");
        }
    }

    [[nodiscard]] SessionPtr finish(SessionBuilder &builder) const
    {
        if (!m_hasHeader)
            builder.note(0, "The file has no header; it begins somewhere in the session.");
        if (!m_name.empty()) // the user's name for the session is its title
            builder.session().title = snippet(m_name, 80);
        builder.thread(ThreadIndex(0U)).title = builder.session().title;
        return m_tree.finish(builder);
    }

    SessionBuilder m_builder;
    PiTree m_tree;
    SourceId m_source;
    RecordFeed m_feed;
    Publisher m_publisher;
    std::string m_name;
    bool m_hasHeader = false;
};

/// Recognises a header, or an entry that only pi writes.
Likeness likenessOf(std::string_view record)
{
    constexpr std::array<std::string_view, 3> kOwnRoles { "toolResult", "bashExecution", "hookMessage" };
    const JsonMembers members(record);
    const std::string_view type = members.string("type");
    if (type == "session" && members.has("cwd") && members.has("id"))
        return Likeness::Certain;
    const bool isEntry = members.has("parentId") && members.has("id");
    if (isEntry && (type == "model_change" || type == "thinking_level_change"))
        return Likeness::Likely;
    if (type == "compaction" && (members.has("firstKeptEntryId") || members.has("firstKeptEntryIndex")))
        return Likeness::Likely;
    if (type != "message")
        return Likeness::No;
    const JsonMembers message = members.object("message");
    const std::string_view role = message.string("role");
    if (std::ranges::contains(kOwnRoles, role) || (role == "assistant" && message.has("stopReason")))
        return Likeness::Likely;
    return isEntry && role == "user" ? Likeness::Maybe : Likeness::No;
}

Likeness sniffPi(const Sample &sample)
{
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        if (record.starts_with("{"))
            best = std::max(best, likenessOf(record));
    }
    return best;
}

std::unique_ptr<Reader> openPi(const ReadContext &context) { return std::make_unique<PiReader>(context); }

/// The envelope of an entry, with the time of the one beside it; version 1 has no ids.
std::string piEnvelope(
    std::string_view type, const std::string &id, const std::string &parent, const JsonMembers &beside)
{
    std::string text = "{\"type\":" + newJsonString(type);
    if (beside.has("parentId"))
        text += ",\"id\":" + newJsonString(id) + ",\"parentId\":" + parent;
    return text + copiedMembers(beside, { "timestamp" });
}

std::string piMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const bool isSummary = message.isSummary && message.role == Role::User;
    std::string body = "{\"role\":";
    if (isSummary)
        body += "\"compactionSummary\",\"summary\":" + newJsonString(message.text);
    else
        body += newJsonString(roleWord(message.role, "assistant", "user")) + R"(,"content":[{"type":"text","text":)"
            + newJsonString(message.text) + "}]";
    if (message.role == Role::Assistant)
        body += R"(,"stopReason":"stop")";
    return piEnvelope("message", message.uuid, message.parent, JsonMembers(example)) + ",\"message\":" + body + "}}";
}

std::string piCompaction(const NewCompaction &compaction, std::string_view last)
{
    const JsonMembers beside(last);
    const std::string kept = beside.has("parentId")
        ? ",\"firstKeptEntryId\":" + newJsonString(compaction.firstKept)
        : ",\"firstKeptEntryIndex\":" + std::to_string(compaction.firstKeptPlace);
    return piEnvelope("compaction", compaction.id, compaction.parent, beside)
        + ",\"summary\":" + newJsonString(compaction.summary) + kept
        + ",\"tokensBefore\":" + std::to_string(compaction.tokensBefore) + "}";
}

std::string piFolder(const NewSession &session)
{
    std::string path = session.workingFolder;
    if (path.starts_with('/'))
        path.erase(0, 1);
    std::ranges::replace_if(path, [](char c) { return c == '/' || c == '\\' || c == ':'; }, '-');
    return "--" + path + "--";
}

std::string piFile(const NewSession &session)
{
    std::string time = isoTime(session.time);
    std::ranges::replace_if(time, [](char c) { return c == ':' || c == '.'; }, '-');
    return time + "_" + session.id + ".jsonl";
}

} // namespace

const Format kPi { "pi", "pi session",
    "~/.pi/agent/sessions/*/*.jsonl, versions 1 to 3, and those of OpenClaw and kimchi; branches are read", sniffPi,
    openPi,
    { .preset = "pi",
        .options = RequestOptions::ThinkingLevel,
        .asideTypes = { "custom_message", "branch_summary" },
        .splice = { .message = piMessage,
            .compaction = piCompaction,
            .links = { .id = "id",
                .parent = "parentId",
                .firstKept = "firstKeptEntryId",
                .firstKeptPlace = "firstKeptEntryIndex",
                .compactionType = "compaction" },
            .isEventLog = true },
        .resume = { .harness = "pi",
            .variable = "PI_CODING_AGENT_DIR",
            .home = ".pi/agent",
            .sessions = "sessions",
            .folder = piFolder,
            .file = piFile,
            .idType = "session",
            .id = "id",
            .usage = { .type = "message",
                .object = { "message", "usage" },
                .prompt = "input",
                .cached = { "cacheRead", "cacheWrite" },
                .total = "totalTokens" },
            .command = "pi --session",
            .takesPath = true } } };

} // namespace core
