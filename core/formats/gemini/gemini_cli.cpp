// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_chat.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/thread_log.h"

namespace core {

namespace {

/// Reads `session-*.jsonl` of Gemini CLI 0.40 and later, which may grow.
class GeminiLog final {
public:
    static constexpr std::string_view kHarness = "Gemini CLI";

    void accept(SessionBuilder &builder, const Record &record)
    {
        LineCursor line(record.line);
        m_chat.accept(builder, record.bytes, record.source, line);
    }
    [[nodiscard]] bool isEmpty() const { return m_chat.isEmpty(); }
    void finish(SessionBuilder &builder) const
    {
        m_chat.finish(builder);
        setTypedTitle(builder);
    }

private:
    GeminiChat m_chat;
};

/// Reads `session-*.json` of Gemini CLI before 0.40.
Result<SessionPtr> readGeminiCli(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    builder.addThread(ThreadKind::Main);
    setFormat(builder.session(), kGeminiCli);
    builder.session().harness = GeminiLog::kHarness;
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
    chat.finish(builder);
    setTypedTitle(builder);
    return builder.finish();
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
    { .shape = MessageShape::Gemini,
        .preset = "gemini-cli",
        .splice = { .message = geminiMessage, .links = { .id = "id" } } } };

const Format kGeminiCliLog { "gemini-cli-log", "Gemini CLI chat log",
    "~/.gemini/tmp/*/chats/session-*.jsonl, from version 0.40; compressions and rewinds are read", sniffGeminiLog,
    openLog<GeminiLog, kGeminiCliLog>, { .shape = MessageShape::Gemini, .preset = "gemini-cli" } };

} // namespace core
