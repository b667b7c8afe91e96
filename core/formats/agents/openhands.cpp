// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Trajectories of OpenHands up to 0.6x, as one array of events, and the output of its evaluations. Source:
// conversation_memory.py and view.py of OpenHands.

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/formats/agents/openhands_log.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"

#include <algorithm>

namespace core {

namespace {

/// Events of the program that no agent is sent in these words.
bool isSilentEvent(std::string_view type)
{
    return isOneOf(type,
        { "agent_state_changed", "change_agent_state", "null", "recall", "condensation_request", "pause", "resume",
            "loop_recovery", "server_ready", "start" });
}

/// The member as it stands, without the quotes of a string.
std::string plainText(std::string_view raw)
{
    return isJsonString(raw) ? decodeJsonString(jsonString(raw)) : std::string(raw);
}

/// Reads the events of one conversation. A delegate has events of its own between the action that starts it and the
/// observation that ends it.
class OpenHandsReader final {
public:
    OpenHandsReader(SessionBuilder &builder, SourceId source, LineCursor lines)
        : m_builder(builder)
        , m_source(source)
        , m_lines(lines)
        , m_chat(builder, source, lines)
    {
        m_lanes.emplace_back();
        m_open.push_back(0);
    }

    void readAll(std::string_view array)
    {
        for (const std::string_view each : jsonElements(array).items) {
            // Old evaluations write pairs of an action and its observation.
            for (const std::string_view half : jsonElements(each).items)
                read(half);
            if (!isJsonArray(each))
                read(each);
        }
    }

    [[nodiscard]] bool isEmpty() const { return m_lanes.front().log.messageCount() == 0; }

    /// Adds the conversation as threads of the builder.
    void finish(ThreadKind kind, const std::string &id)
    {
        for (size_t i = 0; i < m_lanes.size(); ++i) {
            Lane &lane = m_lanes[i];
            if (lane.log.messageCount() == 0)
                continue;
            const ThreadIndex thread
                = m_builder.addThread(i == 0 ? kind : ThreadKind::Subagent, i == 0 ? id : std::string(), lane.title);
            lane.log.finish(m_builder, thread, lane.prelude);
        }
        if (m_hasPutTogether)
            m_builder.note(0,
                "The responses of this version are not recorded; they are put together from the thought and the "
                "action.");
        m_chat.report();
    }

private:
    struct Lane {
        OpenHandsLog log;
        std::vector<Block> prelude;
        std::string title;
        StringId openCall; ///< of an action without a recorded response
        std::set<std::string> responses;
        bool hasTyped = false;
    };

    Lane &lane() { return m_lanes[m_open.back()]; }

    void read(std::string_view raw)
    {
        if (!isJsonObject(raw))
            return;
        const JsonMembers event(raw);
        const std::string_view action = event.string("action");
        const std::string_view observation = event.string("observation");
        const uint64_t line = m_lines.lineOf(raw);
        ++m_builder.session().recordCount;
        if (isSilentEvent(action.empty() ? observation : action) || (action.empty() && observation.empty())) {
            m_builder.session().sideBytes += raw.size();
            return;
        }
        OpenHandsEvent made;
        made.line = line;
        made.ids.push_back(plainText(event.raw("id")));
        const JsonMembers arguments = event.has("args") ? event.object("args") : event;
        if (!observation.empty() && observation == "delegate" && m_open.size() > 1)
            m_open.pop_back();
        if (!observation.empty())
            readObservation(event, observation, made);
        else if (action == "condensation")
            readCondensation(arguments, made);
        else if (action == "message" || action == "system")
            readMessage(event, action, arguments, made);
        else
            readAction(event, action, arguments, made);
        const auto time = parseTime(event.string("timestamp"));
        if (made.condensation && made.condensation->summary)
            settle(*made.condensation->summary, raw, line, time);
        for (MessageDraft &draft : made.messages)
            settle(draft, raw, line, time);
        lane().log.add(std::move(made));
        if (action == "delegate") {
            m_open.push_back(m_lanes.size());
            m_lanes.emplace_back();
        }
    }

    void settle(MessageDraft &draft, std::string_view raw, uint64_t line, std::optional<Timestamp> time)
    {
        draft.line = line;
        draft.time = time;
        setRecords(m_builder, draft.blocks, m_source, raw, line);
    }

    Block textBlock(BlockKind kind, std::string_view raw, StringId name = {})
    {
        return m_builder.makeBlock(kind, m_builder.jsonStringBody(m_source, jsonString(raw)), name);
    }

    /// What a person or the agent said, or the system prompt.
    void readMessage(
        const JsonMembers &event, std::string_view action, const JsonMembers &arguments, OpenHandsEvent &made)
    {
        MessageDraft draft;
        const std::string_view source = event.string("source");
        // Old evaluations do not say who speaks: the person and the agent take turns.
        const bool isUser = source.empty() ? !m_isUserLast : source == "user";
        m_isUserLast = isUser;
        draft.role = action == "system" ? Role::System : isUser ? Role::User : Role::Assistant;
        draft.blocks.push_back(textBlock(BlockKind::Text, arguments.raw("content")));
        for (const std::string_view url : jsonElements(arguments.raw("image_urls")).items) {
            const std::string_view text = jsonString(url);
            const size_t comma = text.starts_with("data:") ? text.find(',') : std::string_view::npos;
            draft.blocks.push_back(comma == std::string_view::npos
                    ? textBlock(BlockKind::Image, url)
                    : m_builder.makeBlock(BlockKind::Image, m_builder.base64Body(m_source, text.substr(comma + 1))));
        }
        if (draft.role == Role::User)
            draft.blocks.front().set(m_open.size() > 1 ? BlockFlag::Injected : BlockFlag::Typed);
        if (draft.role == Role::User && lane().title.empty())
            lane().title = snippet(decodeJsonString(arguments.string("content").substr(0, 2000)), kTitleCodePoints);
        if (action == "system")
            lane().prelude = m_chat.readTools(arguments.raw("tools"));
        made.isCall = draft.role == Role::Assistant;
        made.messages.push_back(std::move(draft));
    }

    void readAction(
        const JsonMembers &event, std::string_view action, const JsonMembers &arguments, OpenHandsEvent &made)
    {
        const JsonMembers response = event.object("tool_call_metadata").object("model_response");
        m_isUserLast = false;
        const auto choices = jsonElements(response.raw("choices"), 1).items;
        if (!choices.empty()) {
            readResponse(response, choices.front(), made);
            // The call that ends the conversation is sent again as its text alone.
            if (action == "finish" && !made.messages.empty())
                made.unsent = static_cast<uint32_t>(
                    std::ranges::count(made.messages.front().blocks, BlockKind::ToolCall, &Block::kind));
            return;
        }
        MessageDraft draft;
        const bool isUser = event.string("source") == "user";
        draft.role = isUser ? Role::User : Role::Assistant;
        if (const std::string_view thought = arguments.raw("thought"); thought.size() > 2 && isJsonString(thought))
            draft.blocks.push_back(textBlock(BlockKind::Text, thought));
        const std::string_view words = isJsonString(arguments.raw("command")) ? arguments.raw("command")
            : isJsonString(arguments.raw("code"))                             ? arguments.raw("code")
                                                                              : event.raw("args");
        if (isUser) {
            if (isJsonString(words))
                draft.blocks.push_back(textBlock(BlockKind::Text, words));
            for (Block &block : draft.blocks)
                block.set(BlockFlag::Injected);
        } else if (action != "finish") {
            m_hasPutTogether = true;
            Block call = isJsonString(words) ? textBlock(BlockKind::ToolCall, words, m_builder.intern(action))
                                             : m_builder.makeBlock(BlockKind::ToolCall,
                                                   m_builder.jsonValueBody(m_source, words), m_builder.intern(action));
            call.callId = m_builder.intern("action " + std::to_string(++m_actions));
            lane().openCall = call.callId;
            draft.blocks.push_back(call);
        }
        if (draft.blocks.empty())
            return;
        made.isCall = !isUser;
        made.messages.push_back(std::move(draft));
    }

    /// The response as the provider sent it. Each of its actions repeats it.
    void readResponse(const JsonMembers &response, std::string_view choice, OpenHandsEvent &made)
    {
        const std::string id = decodeJsonString(response.string("id"));
        if (!id.empty() && !lane().responses.insert(id).second)
            return;
        const std::string_view raw = JsonMembers(choice).raw("message");
        auto message = isJsonObject(raw) ? m_chat.read(raw) : std::nullopt;
        if (!message)
            return;
        made.isCall = true;
        made.usage = chatUsage(response.raw("usage"));
        made.responseId = m_builder.intern(id);
        message->draft.model = m_builder.intern(decodeJsonString(response.string("model")));
        m_builder.session().sideBytes += message->sideBytes;
        made.messages.push_back(std::move(message->draft));
    }

    /// Outputs of commands are sent with the folder and the exit code around them, which are not recorded as text.
    void readObservation(const JsonMembers &event, std::string_view observation, OpenHandsEvent &made)
    {
        m_isUserLast = true;
        const std::string_view shown = event.object("extras").raw("formatted_output_and_error");
        const std::string_view content = isJsonString(shown) ? shown : event.raw("content");
        StringId id = m_builder.intern(decodeJsonString(event.object("tool_call_metadata").string("tool_call_id")));
        if (!id.isValid())
            id = std::exchange(lane().openCall, {});
        MessageDraft draft;
        draft.role = id.isValid() ? Role::Tool : Role::User;
        Block block = textBlock(id.isValid() ? BlockKind::ToolResult : BlockKind::Text, content);
        block.callId = id;
        if (observation == "error" || event.raw("success") == "false")
            block.set(BlockFlag::Error);
        if (!id.isValid())
            block.set(observation == "condense" ? BlockFlag::Summary : BlockFlag::Injected);
        m_builder.session().sideBytes += event.raw("extras").size() + event.raw("tool_call_metadata").size();
        draft.blocks.push_back(block);
        made.messages.push_back(std::move(draft));
    }

    void readCondensation(const JsonMembers &arguments, OpenHandsEvent &made)
    {
        OpenHandsEvent::Condensation condensation;
        for (const std::string_view id : jsonElements(arguments.raw("forgotten_event_ids")).items)
            condensation.forgotten.push_back(plainText(id));
        const auto first = arguments.number("forgotten_events_start_id");
        const auto last = arguments.number("forgotten_events_end_id");
        constexpr uint64_t kMostEvents = 1'000'000;
        for (uint64_t i = first.value_or(1); first && last && i <= *last && i - *first < kMostEvents; ++i)
            condensation.forgotten.push_back(std::to_string(i));
        if (const std::string_view summary = arguments.raw("summary"); isJsonString(summary)) {
            MessageDraft draft;
            draft.blocks.push_back(textBlock(BlockKind::Text, summary));
            draft.blocks.front().set(BlockFlag::Summary);
            condensation.summary = std::move(draft);
        }
        condensation.offset = arguments.number("summary_offset");
        made.condensation = std::move(condensation);
    }

    SessionBuilder &m_builder;
    SourceId m_source;
    LineCursor m_lines;
    ChatReader m_chat;
    std::vector<Lane> m_lanes;
    std::vector<size_t> m_open; ///< the lanes that have not ended, outermost first
    uint64_t m_actions = 0;
    bool m_isUserLast = false;
    bool m_hasPutTogether = false;
};

Result<SessionPtr> finishOpenHands(const ReadContext &context, SessionBuilder &builder)
{
    if (context.isCancelled())
        return context.cancelled();
    Session &session = builder.session();
    if (session.messages.empty())
        return context.noRecords();
    session.title = session.threads.front().title;
    noteOrphanResults(builder);
    return builder.finish();
}

Result<SessionPtr> readOpenHands(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    setFormat(builder.session(), kOpenHands);
    builder.session().harness = "OpenHands";
    if (!hasRows(context.source->bytes())) {
        const auto document = documentText(builder, source);
        if (!document)
            return std::unexpected(document.error());
        const JsonMembers root(document->text);
        OpenHandsReader reader(builder, document->source, LineCursor(builder.sourceBytes(document->source)));
        reader.readAll(isJsonArray(document->text) ? document->text : root.raw("history"));
        reader.finish(ThreadKind::Main, {});
        return finishOpenHands(context, builder);
    }
    forEachRecord(builder, source, context, [&](simdjson::ondemand::object &object, const Record &record) {
        const JsonMembers row(object.raw_json().value());
        if (!isJsonArray(row.raw("history")))
            return;
        OpenHandsReader reader(builder, record.source, LineCursor(record.line));
        reader.readAll(row.raw("history"));
        for (const std::string_view key : { "instance", "metadata", "git_patch", "test_result" })
            builder.session().sideBytes += row.raw(key).size();
        reader.finish(ThreadKind::Run, decodeJsonString(row.string("instance_id")));
    });
    return finishOpenHands(context, builder);
}

/// Whether an element of an array, or of a pair, is an event.
bool isOpenHandsEvent(std::string_view raw)
{
    if (isJsonArray(raw)) {
        const auto pair = jsonElements(raw, 1).items;
        return !pair.empty() && isJsonObject(pair.front()) && isOpenHandsEvent(pair.front());
    }
    const JsonMembers event(raw);
    const bool isAction = isJsonString(event.raw("action")) && !event.has("role");
    const bool isObservation = isJsonString(event.raw("observation")) && event.has("content");
    return (isAction && (isJsonObject(event.raw("args")) || event.has("thought") || event.has("content")))
        || isObservation;
}

bool areOpenHandsEvents(std::string_view array)
{
    const auto items = jsonElements(array, 4).items;
    return std::ranges::any_of(items, [](std::string_view each) { return isOpenHandsEvent(each); });
}

Likeness sniffOpenHands(const Sample &sample)
{
    if (sample.records.empty())
        return Likeness::No;
    const auto at = static_cast<size_t>(sample.records.front().data() - sample.all.data());
    const std::string_view text = sample.all.substr(at, 16U << 20U);
    if (isJsonArray(text))
        return areOpenHandsEvents(text) ? Likeness::Certain : Likeness::No;
    const JsonMembers row(text);
    const bool isRow = row.has("instance_id") || row.has("instruction") || row.has("issue");
    return isRow && areOpenHandsEvents(row.raw("history")) ? Likeness::Certain : Likeness::No;
}

std::string openHandsMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const std::string content = "\"content\":" + newJsonString(message.text);
    const bool isFlat = !JsonMembers(example).has("id");
    return std::string(R"({"source":)") + (message.role == Role::User ? "\"user\"" : "\"agent\"") + R"(,"action":)"
        + (message.role == Role::System ? "\"system\"" : "\"message\"")
        + (isFlat ? "," + content : ",\"args\":{" + content + "}") + "}";
}

} // namespace

const Format kOpenHands { "openhands", "OpenHands trajectory",
    "events of versions up to 0.6x as one array; output.jsonl of evaluations; condensations and delegates are read",
    sniffOpenHands, openWhole<readOpenHands>,
    { .preset = "openhands", .splice = { .message = openHandsMessage, .emptyContent = "null", .hasSystem = true } } };

} // namespace core
