// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_chat.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/thread_log.h"

#include <algorithm>
#include <set>

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

/// The raw ids of the calls whose results the record sends as a message.
void addAnswered(std::string_view record, std::set<std::string_view> &answered)
{
    for (const std::string_view part : jsonElements(JsonMembers(record).raw("content")).items) {
        if (const std::string_view id = JsonMembers(part).object("functionResponse").string("id"); !id.empty())
            answered.insert(id);
    }
}

/// The record without the results of answered calls: a program that resumes the chat would send these results twice.
std::string withoutAnswered(std::string_view record, const std::set<std::string_view> &answered)
{
    std::string text;
    size_t copied = 0;
    for (const std::string_view raw : jsonElements(JsonMembers(record).raw("toolCalls")).items) {
        const JsonMembers call(raw);
        const std::string_view result = call.raw("result");
        if (result.empty() || !answered.contains(call.string("id")))
            continue;
        const auto at = static_cast<size_t>(result.data() - record.data());
        text.append(record.substr(copied, at - copied)).append("[]");
        copied = at + result.size();
    }
    return text.append(record.substr(copied));
}

/// The first record names the session.
std::string flatGeminiLog(std::string_view first, std::span<const std::string_view> records)
{
    std::set<std::string_view> answered;
    for (const std::string_view record : records)
        addAnswered(record, answered);
    std::string text;
    if (isChat(JsonMembers(first)))
        text.append(first).append("\n");
    for (const std::string_view record : records)
        text.append(withoutAnswered(record, answered)).append("\n");
    return text;
}

/// Gemini CLI copies the file into its own chats. So the file is outside of them, or there would be two.
std::string geminiFolder(const NewSession & /*session*/) { return "gemini-cli"; }

std::string geminiName(const NewSession &session)
{
    std::string time = isoSeconds(session.time).substr(0, 16);
    std::ranges::replace(time, ':', '-');
    return "session-" + time + "-" + session.id.substr(0, 8);
}

std::string geminiFile(const NewSession &session) { return geminiName(session) + ".json"; }
std::string geminiLogFile(const NewSession &session) { return geminiName(session) + ".jsonl"; }

constexpr ResumeShape kResume { .harness = "Gemini CLI",
    .home = ".local/share/palimpsest",
    .sessions = "continued",
    .folder = geminiFolder,
    .file = geminiFile,
    .id = "sessionId",
    .command = "gemini --session-file",
    .takesPath = true };

constexpr ResumeShape withFile(ResumeShape shape, std::string (*file)(const NewSession &session))
{
    shape.file = file;
    return shape;
}

} // namespace

const Format kGeminiCli { "gemini-cli", "Gemini CLI chat", "~/.gemini/tmp/*/chats/session-*.json, before version 0.40",
    sniffGeminiCli, openWhole<readGeminiCli>,
    { .shape = MessageShape::Gemini,
        .preset = "gemini-cli",
        .splice = { .message = geminiMessage, .links = { .id = "id" } },
        .resume = kResume } };

const Format kGeminiCliLog { "gemini-cli-log", "Gemini CLI chat log",
    "~/.gemini/tmp/*/chats/session-*.jsonl, from version 0.40; compressions and rewinds are read", sniffGeminiLog,
    openLog<GeminiLog, kGeminiCliLog>,
    { .shape = MessageShape::Gemini,
        .preset = "gemini-cli",
        .splice = { .message = geminiMessage, .flat = flatGeminiLog, .links = { .id = "id" } },
        .resume = withFile(kResume, geminiLogFile) } };

} // namespace core
