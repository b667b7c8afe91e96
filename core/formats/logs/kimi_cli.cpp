// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/log_reader.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"
#include "core/formats/reading/record_blocks.h"
#include "core/formats/reading/thread_log.h"
#include "core/json/json_probe.h"

#include <algorithm>

namespace core {

namespace {

/// Replays the wire log of Kimi Code CLI. A step is one response, in several records; results and messages that come
/// in before it ends follow it. A compaction keeps messages of the user before its summary; older versions kept the
/// end of the array behind it.
/// Source: the wire operations of kimi-code (protocol 1.4, 2026): `context.append_message`,
/// `context.append_loop_event`, `context.apply_compaction`, `context.undo`, `context.clear`.
class KimiLog final {
public:
    static constexpr std::string_view kHarness = "Kimi CLI";

    void accept(SessionBuilder &builder, const Record &record);
    [[nodiscard]] bool isEmpty() const { return m_log.isEmpty() && !m_step && m_waiting.empty(); }
    void finish(SessionBuilder &builder) const;

private:
    bool acceptContext(SessionBuilder &builder, const JsonMembers &members, const Record &record);
    bool acceptEvent(SessionBuilder &builder, const JsonMembers &event, const Record &record);
    void acceptState(SessionBuilder &builder, const JsonMembers &members, const Record &record);
    static LoggedMessage messageOf(SessionBuilder &builder, const JsonMembers &message, const Record &record);
    static void addPart(const RecordBlocks &blocks, std::string_view raw, std::vector<Block> &parts);
    void compact(SessionBuilder &builder, const JsonMembers &members, const Record &record);
    void undo(uint64_t count, uint64_t line);
    void endStep();
    void add(LoggedMessage message);
    [[nodiscard]] std::vector<size_t> typedPlaces() const;

    ThreadLog m_log;
    std::optional<LoggedMessage> m_step;  ///< the response that is coming in
    std::vector<LoggedMessage> m_waiting; ///< what came in meanwhile
    std::vector<Block> m_system;
    std::vector<Block> m_tools;
    std::optional<Timestamp> m_time;
    StringId m_model;
};

void KimiLog::accept(SessionBuilder &builder, const Record &record)
{
    const JsonMembers members(record.bytes);
    ++builder.session().recordCount;
    if (const auto time = jsonNumber(members.raw("time")))
        m_time = timeOfNumber(*time);
    if (!acceptContext(builder, members, record)) {
        builder.session().sideBytes += record.bytes.size();
        acceptState(builder, members, record);
    }
}

/// Returns whether the record changes the array.
bool KimiLog::acceptContext(SessionBuilder &builder, const JsonMembers &members, const Record &record)
{
    const std::string_view type = members.string("type");
    if (type == "context.append_loop_event")
        return acceptEvent(builder, members.object("event"), record);
    if (type == "context.append_message") {
        LoggedMessage message = messageOf(builder, members.object("message"), record);
        message.draft.time = m_time;
        add(std::move(message));
    } else if (type == "context.apply_compaction") {
        endStep();
        compact(builder, members, record);
    } else if (type == "context.undo") {
        endStep();
        undo(members.number("count").value_or(0), record.line);
    } else if (type == "context.clear") {
        endStep();
        RecordedCompaction how;
        how.kind = CompactionKind::Replacement;
        how.line = record.line;
        m_log.replace({}, std::move(how));
    } else {
        return false;
    }
    return true;
}

bool KimiLog::acceptEvent(SessionBuilder &builder, const JsonMembers &event, const Record &record)
{
    const RecordBlocks blocks(builder, record);
    const std::string_view type = event.string("type");
    if (type == "tool.result") {
        const JsonMembers result = event.object("result");
        LoggedMessage message;
        message.draft
            = { .role = Role::Tool, .blocks = {}, .line = record.line, .time = m_time, .externalId = {}, .model = {} };
        message.draft.blocks.push_back(blocks.result(event.string("toolCallId"), result.raw("output")));
        if (result.isTrue("isError"))
            message.draft.blocks.back().set(BlockFlag::Error);
        add(std::move(message));
        return true;
    }
    const bool isPart = type == "content.part" || type == "tool.call";
    if (type == "step.begin" || (isPart && !m_step)) {
        endStep();
        m_step.emplace();
        m_step->isResponse = true;
        m_step->draft = { .role = Role::Assistant,
            .blocks = {},
            .line = record.line,
            .time = m_time,
            .externalId = internString(builder, event.string(isPart ? "stepUuid" : "uuid")),
            .model = m_model };
    }
    if (!m_step)
        return false;
    if (type == "content.part") {
        addPart(blocks, event.raw("part"), m_step->draft.blocks);
    } else if (type == "tool.call") {
        m_step->draft.blocks.push_back(
            blocks.call(event.string("name"), event.string("toolCallId"), event.raw("args")));
    } else if (type == "step.end") {
        const JsonMembers figures = event.object("usage");
        const auto tokens = [&](std::string_view key) { return figures.number(key).value_or(0); };
        const Usage usage { tokens("inputOther"), tokens("inputCacheRead"), tokens("inputCacheCreation"),
            tokens("output") };
        if (usage.prompt() > 0)
            m_step->usage = usage;
        m_step->responseId = internString(builder, event.string("messageId"));
        if (m_model.isValid()) // the request of the step named it
            m_step->draft.model = m_model;
        endStep();
    }
    return isPart;
}

void KimiLog::addPart(const RecordBlocks &blocks, std::string_view raw, std::vector<Block> &parts)
{
    const JsonMembers part(raw);
    const std::string_view type = part.string("type");
    if (type == "text") {
        if (!part.string("text").empty())
            parts.push_back(blocks.block(BlockKind::Text, part.raw("text")));
    } else if (type == "think") {
        const bool isHidden = part.string("think").empty() && !part.string("encrypted").empty();
        parts.push_back(blocks.block(BlockKind::Thinking, part.raw(isHidden ? "encrypted" : "think")));
        if (isHidden)
            parts.back().set(BlockFlag::Encrypted);
    } else if (type == "image_url") {
        parts.push_back(blocks.media(part.object("imageUrl").raw("url"), "image"));
    } else {
        parts.push_back(blocks.block(BlockKind::Opaque, raw, type));
    }
}

LoggedMessage KimiLog::messageOf(SessionBuilder &builder, const JsonMembers &message, const Record &record)
{
    const RecordBlocks blocks(builder, record);
    LoggedMessage result;
    MessageDraft &draft = result.draft;
    const std::string_view role = message.string("role");
    draft.role = role == "assistant" ? Role::Assistant
        : role == "system"           ? Role::System
        : role == "tool"             ? Role::Tool
                                     : Role::User;
    draft.line = record.line;
    const std::string_view content = message.raw("content");
    if (draft.role == Role::Tool) {
        draft.blocks.push_back(blocks.result(message.string("toolCallId"), content));
        return result;
    }
    if (isJsonString(content))
        draft.blocks.push_back(blocks.block(BlockKind::Text, content));
    for (const std::string_view part : jsonElements(content).items)
        addPart(blocks, part, draft.blocks);
    for (const std::string_view raw : jsonElements(message.raw("toolCalls")).items) {
        const JsonMembers call(raw);
        draft.blocks.push_back(blocks.call(
            call.string("name"), call.string("id"), call.has("arguments") ? call.raw("arguments") : call.raw("args")));
    }
    const JsonMembers origin = message.object("origin");
    const std::string_view kind = origin.string("kind");
    const bool isTyped = kind.empty() || kind == "user";
    for (Block &block : draft.blocks) {
        if (block.kind == BlockKind::Text && draft.role == Role::User && origin.string("name") != "subagent")
            block.set(isTyped ? BlockFlag::Typed : BlockFlag::Injected);
    }
    return result;
}

void KimiLog::add(LoggedMessage message)
{
    if (m_step && !m_step->draft.blocks.empty())
        m_waiting.push_back(std::move(message));
    else
        m_log.add(std::move(message));
}

void KimiLog::endStep()
{
    if (m_step)
        m_log.add(std::move(*m_step));
    m_step.reset();
    for (LoggedMessage &message : std::exchange(m_waiting, {}))
        m_log.add(std::move(message));
}

/// The places of the messages that the person typed, in the array.
std::vector<size_t> KimiLog::typedPlaces() const
{
    std::vector<size_t> places;
    for (size_t i = 0; i < m_log.array().size(); ++i) {
        const std::vector<Block> &blocks = m_log.at(m_log.array()[i]).draft.blocks;
        if (std::ranges::any_of(blocks, [](const Block &block) { return block.is(BlockFlag::Typed); }))
            places.push_back(i);
    }
    return places;
}

void KimiLog::compact(SessionBuilder &builder, const JsonMembers &members, const Record &record)
{
    const std::vector<ThreadLog::Index> before = m_log.array();
    const auto kept = members.number("keptUserMessageCount");
    const uint64_t head = std::min(members.number("keptHeadUserMessageCount").value_or(0), kept.value_or(0));
    LoggedMessage summary;
    summary.draft.line = record.line;
    summary.draft.time = m_time;
    const bool hasWhole = !members.string("contextSummary").empty();
    summary.draft.blocks.push_back(
        RecordBlocks(builder, record).block(BlockKind::Text, members.raw(hasWhole ? "contextSummary" : "summary")));
    summary.draft.blocks.back().set(BlockFlag::Summary);
    std::vector<LoggedMessage> summaries;
    summaries.push_back(std::move(summary));
    const ThreadLog::Index note = m_log.adopt(builder, std::move(summaries)).front();
    std::vector<ThreadLog::Index> array;
    if (kept) {
        const std::vector<size_t> typed = typedPlaces();
        const size_t tail = std::min<size_t>(typed.size(), *kept - head);
        for (size_t i = 0; i < typed.size(); ++i) {
            if (i < head || i >= typed.size() - tail)
                array.push_back(before[typed[i]]);
        }
        array.push_back(note);
    } else {
        const uint64_t dropped
            = std::min<uint64_t>(before.size(), members.number("compactedCount").value_or(before.size()));
        array.push_back(note);
        array.insert(array.end(), before.begin() + static_cast<std::ptrdiff_t>(dropped), before.end());
    }
    RecordedCompaction how;
    how.line = record.line;
    how.beforeTokens = members.number("tokensBefore");
    for (const std::string_view key : { "tokensBefore", "tokensAfter", "compactedCount", "keptUserMessageCount" }) {
        if (const auto value = members.number(key))
            how.figures.push_back({ std::string(key), *value });
    }
    m_log.replace(std::move(array), std::move(how));
}

/// Takes back the last prompts and what followed them.
void KimiLog::undo(uint64_t count, uint64_t line)
{
    const std::vector<size_t> typed = typedPlaces();
    if (count == 0 || count > typed.size())
        return;
    std::vector<ThreadLog::Index> array = m_log.array();
    array.resize(typed[typed.size() - count]);
    RecordedCompaction how;
    how.kind = CompactionKind::Rollback;
    how.line = line;
    m_log.replace(std::move(array), std::move(how));
}

void KimiLog::acceptState(SessionBuilder &builder, const JsonMembers &members, const Record &record)
{
    Session &session = builder.session();
    const RecordBlocks blocks(builder, record);
    const std::string_view type = members.string("type");
    if (type == "config.update") {
        if (!members.string("systemPrompt").empty())
            m_system = { blocks.block(BlockKind::Text, members.raw("systemPrompt")) };
        if (!members.string("cwd").empty())
            session.workingFolder = decodeJsonString(members.string("cwd"));
    } else if (type == "llm.request") {
        m_model = internString(builder, members.string("model"));
    } else if (type == "llm.tools_snapshot") {
        m_tools.clear();
        for (const std::string_view raw : jsonElements(members.raw("tools")).items) {
            m_tools.push_back(blocks.block(BlockKind::Opaque, raw, decodeJsonString(JsonMembers(raw).string("name"))));
            m_tools.back().set(BlockFlag::Tools);
        }
    }
}

void KimiLog::finish(SessionBuilder &builder) const
{
    KimiLog rest = *this; // a file can end within a step
    rest.endStep();
    rest.m_log.write(builder, ThreadIndex(0U));
    std::vector<Block> prelude = m_system;
    prelude.insert(prelude.end(), m_tools.begin(), m_tools.end());
    placePrelude(builder, ThreadIndex(0U), prelude);
    linkToolResults(builder.session());
    noteOrphanResults(builder);
    setTypedTitle(builder);
}

Likeness sniffKimi(const Sample &sample)
{
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        const std::string_view type = JsonMembers(record).string("type");
        if (type == "context.append_message" || type == "context.append_loop_event"
            || type == "context.apply_compaction")
            return Likeness::Certain;
        if (type == "turn.prompt" || type == "full_compaction.begin")
            best = Likeness::Likely;
    }
    return best;
}

std::string kimiMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    return R"({"type":"context.append_message","message":{"role":)"
        + newJsonString(roleWord(message.role, "assistant", "user")) + R"(,"content":[{"type":"text","text":)"
        + newJsonString(message.text) + R"(}],"toolCalls":[],"origin":{"kind":"user"}})"
        + copiedMembers(JsonMembers(example), { "time" }) + "}";
}

} // namespace

const Format kKimiCli { "kimi-cli", "Kimi CLI wire log",
    "~/.kimi/sessions/*/*/wire.jsonl, protocol 1.4; compactions and undone prompts are read", sniffKimi,
    openLog<KimiLog, kKimiCli>, { .splice = { .message = kimiMessage, .isEventLog = true } } };

} // namespace core
