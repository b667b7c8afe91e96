// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Events of OpenHands from version 1 on: an array, or one event a line. Source: openhands-sdk, events_to_messages.

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/formats/agents/openhands_log.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"

#include <algorithm>

namespace core {

namespace {

class OpenHandsEventsReader final {
public:
    explicit OpenHandsEventsReader(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    void read(std::string_view raw, SourceId source, LineCursor &lines)
    {
        const JsonMembers event(raw);
        const std::string_view kind = event.string("kind");
        ++m_builder.session().recordCount;
        m_source = source;
        m_raw = raw;
        m_line = lines.lineOf(raw);
        ChatReader chat(m_builder, source, lines);
        OpenHandsEvent made;
        made.line = m_line;
        made.ids.push_back(decodeJsonString(event.string("id")));
        if (kind == "SystemPromptEvent")
            readSystem(event, chat, made);
        else if (kind == "MessageEvent")
            readMessage(event, chat, made);
        else if (kind == "ActionEvent")
            readAction(event, made);
        else if (kind == "Condensation")
            readCondensation(event, made);
        else if (event.has("tool_call_id"))
            readResult(event, chat, made);
        const auto time = parseTime(event.string("timestamp"));
        for (MessageDraft &draft : made.messages)
            settle(draft, time);
        chat.report();
        if (made.messages.empty() && !made.condensation)
            m_builder.session().sideBytes += raw.size(); // states, requests, pauses: nobody is sent them
        else if (!join(made))
            m_log.add(std::move(made));
    }

    [[nodiscard]] bool isEmpty() const { return m_log.messageCount() == 0; }

    void finish()
    {
        const ThreadIndex thread = m_builder.addThread(ThreadKind::Main, {}, m_title);
        m_builder.session().title = m_title;
        m_log.finish(m_builder, thread, m_prelude);
    }

private:
    void settle(MessageDraft &draft, std::optional<Timestamp> time)
    {
        draft.line = m_line;
        draft.time = time;
        setRecords(m_builder, draft.blocks, m_source, m_raw, m_line);
    }

    Block textBlock(BlockKind kind, std::string_view raw)
    {
        return m_builder.makeBlock(kind, m_builder.jsonStringBody(m_source, jsonString(raw)));
    }

    /// Blocks of content parts.
    std::vector<Block> blocksOf(ChatReader &chat, Role role, std::string_view content)
    {
        return jsonElements(content, 1).items.empty() ? std::vector<Block>()
                                                      : chat.readContent(role, content, m_raw).draft.blocks;
    }

    void readSystem(const JsonMembers &event, ChatReader &chat, OpenHandsEvent &made)
    {
        MessageDraft draft;
        draft.role = Role::System;
        draft.blocks.push_back(textBlock(BlockKind::Text, event.object("system_prompt").raw("text")));
        made.messages.push_back(std::move(draft));
        m_prelude = chat.readTools(event.raw("tools"));
    }

    void readMessage(const JsonMembers &event, ChatReader &chat, OpenHandsEvent &made)
    {
        const std::string_view raw = event.raw("llm_message");
        auto message = isJsonObject(raw) ? chat.read(raw) : std::nullopt;
        if (!message)
            return;
        MessageDraft &draft = message->draft;
        if (m_title.empty())
            m_title = titleOf(m_builder, std::span(&*message, 1));
        // What skills and rules add behind the person's words.
        for (Block &block : blocksOf(chat, draft.role, event.raw("extended_content"))) {
            block.flags = 0;
            block.set(BlockFlag::Injected);
            draft.blocks.push_back(block);
        }
        m_builder.session().sideBytes += message->sideBytes;
        made.isCall = draft.role == Role::Assistant;
        made.responseId = m_builder.intern(decodeJsonString(event.string("llm_response_id")));
        made.messages.push_back(std::move(draft));
    }

    void readAction(const JsonMembers &event, OpenHandsEvent &made)
    {
        ChatParts parts(m_builder, m_source);
        ChatAssembly assembly;
        assembly.role = Role::Assistant;
        parts.addContent(assembly, event.raw("thought"));
        parts.addThinking(assembly, event);
        MessageDraft draft;
        draft.role = Role::Assistant;
        draft.blocks = std::move(assembly.thinking);
        for (ChatAssembly::Entry &entry : assembly.entries)
            draft.blocks.push_back(std::move(entry.block));
        const JsonMembers call = event.object("tool_call");
        const std::string_view arguments = call.raw("arguments");
        const bool hasCall = isJsonString(arguments);
        Block block = hasCall
            ? m_builder.makeBlock(BlockKind::ToolCall, m_builder.jsonStringBody(m_source, jsonString(arguments)),
                  m_builder.intern(decodeJsonString(call.string("name"))))
            : m_builder.makeBlock(BlockKind::ToolCall, m_builder.jsonValueBody(m_source, event.raw("action")),
                  m_builder.intern(decodeJsonString(event.string("tool_name"))));
        block.callId = m_builder.intern(decodeJsonString(event.string("tool_call_id")));
        if (hasCall)
            block.subject = m_builder.intern(subjectOfArguments(decodeJsonString(jsonString(arguments))));
        for (const Block &each : draft.blocks)
            m_builder.session().sideBytes += each.sideBytes;
        draft.blocks.push_back(block);
        made.isCall = true;
        made.responseId = m_builder.intern(decodeJsonString(event.string("llm_response_id")));
        made.messages.push_back(std::move(draft));
    }

    /// Actions of one response are one message.
    bool join(OpenHandsEvent &made)
    {
        OpenHandsEvent *last = m_log.last();
        const bool isSame = last != nullptr && last->isCall && made.isCall && made.responseId.isValid()
            && last->responseId == made.responseId && !last->messages.empty() && !made.messages.empty();
        if (!isSame)
            return false;
        std::vector<Block> &blocks = last->messages.front().blocks;
        blocks.insert(blocks.end(), made.messages.front().blocks.begin(), made.messages.front().blocks.end());
        last->ids.insert(last->ids.end(), made.ids.begin(), made.ids.end());
        return true;
    }

    void readResult(const JsonMembers &event, ChatReader &chat, OpenHandsEvent &made)
    {
        const JsonMembers observation = event.object("observation");
        MessageDraft draft;
        draft.role = Role::Tool;
        if (isJsonString(event.raw("error")))
            draft.blocks.push_back(textBlock(BlockKind::ToolResult, event.raw("error")));
        else if (isJsonString(event.raw("rejection_reason")))
            draft.blocks.push_back(textBlock(BlockKind::ToolResult, event.raw("rejection_reason")));
        else if (observation.has("content"))
            draft.blocks = chat.readContent(Role::Tool, observation.raw("content"), m_raw).draft.blocks;
        else if (event.has("observation"))
            draft.blocks.push_back(m_builder.makeBlock(
                BlockKind::ToolResult, m_builder.jsonValueBody(m_source, event.raw("observation"))));
        else
            return;
        const StringId id = m_builder.intern(decodeJsonString(event.string("tool_call_id")));
        const bool isError = !event.has("observation") || observation.isTrue("is_error");
        for (Block &block : draft.blocks) {
            block.callId = id;
            if (isError && block.kind == BlockKind::ToolResult)
                block.set(BlockFlag::Error);
        }
        made.messages.push_back(std::move(draft));
    }

    void readCondensation(const JsonMembers &event, OpenHandsEvent &made)
    {
        OpenHandsEvent::Condensation condensation;
        for (const std::string_view id : jsonElements(event.raw("forgotten_event_ids")).items)
            condensation.forgotten.push_back(decodeJsonString(jsonString(id)));
        if (isJsonString(event.raw("summary"))) {
            MessageDraft draft;
            draft.blocks.push_back(textBlock(BlockKind::Text, event.raw("summary")));
            draft.blocks.front().set(BlockFlag::Summary);
            settle(draft, parseTime(event.string("timestamp")));
            condensation.summary = std::move(draft);
        }
        condensation.offset = event.number("summary_offset");
        made.condensation = std::move(condensation);
    }

    SessionBuilder &m_builder;
    OpenHandsLog m_log;
    std::vector<Block> m_prelude;
    std::string m_title;
    SourceId m_source; ///< of the event that is read, as the two below
    std::string_view m_raw;
    uint64_t m_line = 0;
};

Result<SessionPtr> readOpenHandsEvents(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    setFormat(builder.session(), kOpenHandsEvents);
    builder.session().harness = "OpenHands";
    OpenHandsEventsReader reader(builder);
    const std::string_view bytes = context.source->bytes();
    const size_t first = bytes.find_first_of("{[");
    if (first != std::string_view::npos && bytes[first] == '[') {
        const auto document = documentText(builder, source);
        if (!document)
            return std::unexpected(document.error());
        LineCursor lines(builder.sourceBytes(document->source));
        for (const std::string_view raw : jsonElements(document->text).items) {
            if (isJsonObject(raw))
                reader.read(raw, document->source, lines);
        }
    } else {
        forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
            LineCursor lines(record.line);
            reader.read(object.raw_json().value(), record.source, lines);
        });
    }
    if (context.isCancelled())
        return context.cancelled();
    if (reader.isEmpty())
        return context.noRecords();
    reader.finish();
    noteOrphanResults(builder);
    return builder.finish();
}

bool isOpenHandsKind(const JsonMembers &event)
{
    return event.has("source")
        && isOneOf(event.string("kind"),
            { "SystemPromptEvent", "MessageEvent", "ActionEvent", "ObservationEvent", "AgentErrorEvent",
                "UserRejectObservation", "Condensation", "ConversationStateUpdateEvent" });
}

Likeness sniffOpenHandsEvents(const Sample &sample)
{
    constexpr size_t kEvents = 4;
    if (sample.records.empty())
        return Likeness::No;
    if (isJsonArray(sample.records.front())) {
        const auto items = jsonElements(sample.records.front(), kEvents).items;
        const bool isOurs
            = std::ranges::any_of(items, [](std::string_view each) { return isOpenHandsKind(JsonMembers(each)); });
        return sample.isSingleValue && isOurs ? Likeness::Certain : Likeness::No;
    }
    for (size_t i = 0; i < std::min(kEvents, sample.records.size()); ++i) {
        if (isOpenHandsKind(JsonMembers(sample.records[i])))
            return Likeness::Certain;
    }
    return Likeness::No;
}

std::string openHandsEvent(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    const std::string_view source = message.role == Role::User ? "user" : "agent";
    if (message.role == Role::System)
        return R"({"kind":"SystemPromptEvent","source":"agent","system_prompt":{"type":"text","text":)"
            + newJsonString(message.text) + R"(},"tools":[]})";
    return R"({"kind":"MessageEvent","source":)" + newJsonString(source) + R"(,"llm_message":{"role":)"
        + newJsonString(roleWord(message.role, "assistant", "system")) + R"(,"content":[{"type":"text","text":)"
        + newJsonString(message.text) + "}]}}";
}

} // namespace

const Format kOpenHandsEvents { "openhands-events", "OpenHands events",
    "events from version 1 on (`~/.openhands/conversations/*/events`), as one array or one a line; condensations are "
    "read",
    sniffOpenHandsEvents, openWhole<readOpenHandsEvents>,
    { .preset = "openhands", .splice = { .message = openHandsEvent, .emptyContent = "[]", .hasSystem = true } } };

} // namespace core
