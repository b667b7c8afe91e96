// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_chat.h"
#include "core/formats/gemini/gemini_parts.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/record_feed.h"

namespace core {

namespace {

SessionPtr finishChat(const GeminiChat &chat, SessionBuilder &builder)
{
    chat.finish(builder);
    setGeminiTitle(builder);
    return builder.finish();
}

void describe(SessionBuilder &builder, const Format &format)
{
    builder.addThread(ThreadKind::Main);
    setFormat(builder.session(), format);
    builder.session().harness = "Gemini CLI";
}

/// Reads `session-*.jsonl` of Gemini CLI 0.40 and later, which may grow.
class GeminiLogReader final : public Reader {
public:
    explicit GeminiLogReader(ReadContext context)
        : m_context(std::move(context))
        , m_source(m_builder.addSource(Source::own({}, {})))
        , m_feed(m_builder, m_source, [this](simdjson::ondemand::object &object, const Record &record) {
            const std::string_view whole = object.raw_json().value(); // parse to the end before using any of it
            LineCursor line(record.line);
            m_chat.accept(m_builder, whole, record.source, line);
        })
    {
        describe(m_builder, kGeminiCliLog);
    }

    Result<void> append(const SourcePtr &source) override
    {
        m_context.source = source;
        m_builder.replaceSource(m_source, source);
        return read(Upto::LineFeed);
    }

    Result<SessionPtr> snapshot() override
    {
        if (m_chat.isEmpty())
            return m_context.noRecords();
        SessionBuilder copy = m_builder;
        copy.session().isComplete = false;
        return finishChat(m_chat, copy);
    }

    Result<SessionPtr> end() override
    {
        if (const auto rest = read(Upto::End); !rest)
            return std::unexpected(rest.error());
        if (m_chat.isEmpty())
            return m_context.noRecords();
        return finishChat(m_chat, m_builder);
    }

private:
    Result<void> read(Upto upto)
    {
        if (!m_feed.read(m_context, upto, [this](double) { m_publisher.publishIfDue(m_context.publish, *this); }))
            return m_context.cancelled();
        return {};
    }

    ReadContext m_context;
    SessionBuilder m_builder;
    GeminiChat m_chat;
    SourceId m_source;
    RecordFeed m_feed;
    Publisher m_publisher;
};

std::unique_ptr<Reader> openGeminiLog(const ReadContext &context) { return std::make_unique<GeminiLogReader>(context); }

/// Reads `session-*.json` of Gemini CLI before 0.40.
Result<SessionPtr> readGeminiCli(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    describe(builder, kGeminiCli);
    std::string_view root;
    SourceId holder;
    const auto found
        = readDocument(builder, source, [&](simdjson::ondemand::document &document, SourceId documentHolder) {
              root = document.raw_json().value();
              holder = documentHolder;
          });
    if (!found)
        return std::unexpected(found.error());
    LineCursor lines(builder.sourceBytes(holder));
    GeminiChat chat;
    chat.accept(builder, root, holder, lines);
    if (context.isCancelled())
        return context.cancelled();
    if (chat.isEmpty())
        return context.noRecords();
    return finishChat(chat, builder);
}

bool isChat(const JsonMembers &members) { return members.has("sessionId") && members.has("projectHash"); }

Likeness sniffGeminiCli(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty())
        return Likeness::No;
    const JsonMembers members(sample.records.front());
    return isChat(members) && isJsonArray(members.raw("messages")) ? Likeness::Certain : Likeness::No;
}

Likeness sniffGeminiLog(const Sample &sample)
{
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        const JsonMembers members(record);
        const bool isOwn = members.has("$set") || members.has("$rewindTo") || members.string("type") == "gemini";
        if (isChat(members) && !isJsonArray(members.raw("messages")))
            return Likeness::Certain;
        if (isOwn)
            best = Likeness::Likely;
    }
    return best;
}

std::string geminiMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    return "{\"id\":" + newJsonString(message.uuid) + copiedMembers(JsonMembers(example), { "timestamp" })
        + ",\"type\":" + newJsonString(roleWord(message.role, "gemini", "user"))
        + ",\"content\":" + newJsonString(message.text) + "}";
}

} // namespace

const Format kGeminiCli { "gemini-cli", "Gemini CLI chat", "~/.gemini/tmp/*/chats/session-*.json, before version 0.40",
    sniffGeminiCli, openWhole<readGeminiCli>,
    { .shape = MessageShape::Gemini, .splice = { .message = geminiMessage, .links = { .id = "id" } } } };

const Format kGeminiCliLog { "gemini-cli-log", "Gemini CLI chat log",
    "~/.gemini/tmp/*/chats/session-*.jsonl, from version 0.40; compressions and rewinds are read", sniffGeminiLog,
    openGeminiLog, { .shape = MessageShape::Gemini } };

} // namespace core
