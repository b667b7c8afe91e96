// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/pi/pi_tree.h"
#include "core/formats/reading/record_feed.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// Reads the session files of pi, versions 1 to 3, and of those who build on it (OpenClaw, kimchi).
class PiReader final : public Reader {
public:
    explicit PiReader(ReadContext context)
        : m_context(std::move(context))
        , m_source(m_builder.addSource(Source::own({}, {})))
        , m_feed(m_builder, m_source, [this](ondemand::object &object, const Record &record) {
            Record own = record;
            own.bytes = object.raw_json().value(); // to its end, before anything of it is taken over
            accept(readPiRecord(m_builder, own));
        })
    {
        m_builder.addThread(ThreadKind::Main);
        m_builder.session().format = kPi.id;
        m_builder.session().harness = "pi";
        m_builder.session().merging = SlotMerging::None;
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

    /// The first header is the file's own.
    void acceptHeader(const PiRecord &record)
    {
        if (std::exchange(m_hasHeader, true))
            return;
        m_builder.session().workingFolder = record.workingFolder;
        m_builder.thread(ThreadIndex(0U)).id = record.sessionId;
        if (!record.forkedFrom.empty())
            m_builder.note(
                record.entry.line, "This session is a fork of " + record.forkedFrom + " and begins with a copy of it.");
    }

    [[nodiscard]] SessionPtr finish(SessionBuilder &builder) const
    {
        if (!m_hasHeader)
            builder.note(0, "The file has no header; it begins somewhere in the session.");
        if (!m_name.empty()) // a name that the person gave is the title
            builder.session().title = snippet(m_name, 80);
        builder.thread(ThreadIndex(0U)).title = builder.session().title;
        return m_tree.finish(builder);
    }

    ReadContext m_context;
    SessionBuilder m_builder;
    PiTree m_tree;
    SourceId m_source;
    RecordFeed m_feed;
    Publisher m_publisher;
    std::string m_name;
    bool m_hasHeader = false;
};

/// A header, or an entry that only pi writes.
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

} // namespace

const Format kPi { "pi", "pi session",
    "~/.pi/agent/sessions/*/*.jsonl, versions 1 to 3, and those of OpenClaw and kimchi; branches are read", sniffPi,
    openPi };

} // namespace core
