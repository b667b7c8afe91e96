// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/pi/pi_tree.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// Reads the session files of pi, versions 1 to 3, and of those who build on it (OpenClaw, kimchi).
class PiReader final {
public:
    explicit PiReader(const ReadContext &context)
        : m_context(context)
        , m_tree(m_builder)
    {
        m_source = m_builder.addSource(context.source);
        m_builder.addThread(ThreadKind::Main);
        m_builder.session().format = kPi.id;
        m_builder.session().harness = "pi";
        m_builder.session().merging = SlotMerging::None;
    }

    Result<SessionPtr> read()
    {
        const auto visit = [this](ondemand::object &object, const Record &record) {
            Record own = record;
            own.bytes = object.raw_json().value(); // to its end, before anything of it is taken over
            accept(readPiRecord(m_builder, own));
        };
        if (!forEachRecord(m_builder, m_source, m_context, visit, [this](double) { publish(); }))
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        if (m_builder.session().recordCount == 0)
            return failure(
                ErrorKind::Malformed, "Not one record of this file could be read.", m_context.source->name());
        if (!m_hasHeader)
            m_builder.note(0, "The file has no header; it begins somewhere in the session.");
        return named(m_tree.finish());
    }

private:
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

    void publish()
    {
        using Clock = std::chrono::steady_clock;
        if (!m_context.publish)
            return;
        const auto now = Clock::now();
        // Assembling costs time in the size of what was read: never more than a tenth of the whole.
        if (now - m_lastPublished < std::max<Clock::duration>(std::chrono::milliseconds(100), m_assemblyTime * 10))
            return;
        m_builder.session().isComplete = false;
        m_context.publish(named(m_tree.snapshot()));
        m_builder.session().isComplete = true;
        m_lastPublished = Clock::now();
        m_assemblyTime = m_lastPublished - now;
    }

    /// A name that the person gave is the title.
    [[nodiscard]] SessionPtr named(const SessionPtr &session) const
    {
        auto result = std::make_shared<Session>(*session);
        if (!m_name.empty())
            result->title = snippet(m_name, 80);
        result->threads.front().title = result->title;
        return result;
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    PiTree m_tree;
    SourceId m_source;
    std::string m_name;
    bool m_hasHeader = false;
    std::chrono::steady_clock::time_point m_lastPublished = std::chrono::steady_clock::now();
    std::chrono::steady_clock::duration m_assemblyTime {};
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

Result<SessionPtr> readPi(const ReadContext &context) { return PiReader(context).read(); }

} // namespace

const Format kPi { "pi", "pi session",
    "~/.pi/agent/sessions/*/*.jsonl, versions 1 to 3, and those of OpenClaw and kimchi; branches are read", sniffPi,
    readPi };

} // namespace core
