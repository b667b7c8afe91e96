// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Logs of Inspect, in JSON or in an archive (`archiveText`): one conversation for each sample. Source: log/_log.py and
// event/_model.py of Inspect.

#include "core/base/text.h"
#include "core/base/time_text.h"
#include "core/formats/openai/chat_runs.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace core {

namespace {

/// What is cached is a part of the input only where the total says so.
std::optional<Usage> inspectUsage(const JsonMembers &said)
{
    const auto input = said.number("input_tokens");
    if (!input)
        return std::nullopt;
    Usage usage { *input, said.number("input_tokens_cache_read").value_or(0),
        said.number("input_tokens_cache_write").value_or(0), said.number("output_tokens").value_or(0),
        said.number("reasoning_tokens") };
    const uint64_t cached = usage.cacheRead + usage.cacheWrite;
    if (said.number("total_tokens").value_or(0) == usage.input + usage.output && cached <= usage.input)
        usage.input -= cached;
    return usage;
}

/// Reads one sample. Its `messages` are the array at the end. A model event names the messages that it sent by their
/// ids; logs without ids sent everything before the response. Events that share no message with the sample belong to
/// scorers and tools: each of their conversations is a thread of its own.
class InspectSample final {
public:
    InspectSample(SessionBuilder &builder, SourceId source, LineCursor &lines, const JsonMembers &sample)
        : m_builder(builder)
        , m_sample(sample)
        , m_chat(builder, source, lines)
        , m_linker(builder)
        , m_source(source)
    {
    }

    void read()
    {
        const JsonMembers transcript = m_sample.object("transcript");
        m_attachments = m_sample.object(m_sample.has("attachments") ? "attachments" : "");
        if (m_attachments.all().empty())
            m_attachments = transcript.object("content");
        m_elements = jsonElements(m_sample.raw("messages")).items;
        if (m_elements.empty())
            return;
        const JsonMembers pools = m_sample.object("events_data");
        m_pool
            = jsonElements(m_sample.has("message_pool") ? m_sample.raw("message_pool") : pools.raw("messages")).items;
        for (size_t i = 0; i < m_elements.size(); ++i) {
            if (const std::string id = idOf(JsonMembers(m_elements[i])); !id.empty())
                m_places.emplace(id, i);
            m_hasSources = m_hasSources || JsonMembers(m_elements[i]).has("source");
        }
        m_ids.resize(m_elements.size());
        m_thread = m_builder.addThread(ThreadKind::Run, sampleId());
        const std::string_view events = m_sample.has("events") ? m_sample.raw("events") : transcript.raw("events");
        for (const std::string_view raw : jsonElements(events).items) {
            const JsonMembers event(raw);
            const std::string_view kind = event.string("event");
            if (kind == "compaction")
                addCompaction(event, raw);
            else if (kind == "model" && !addCall(event, raw))
                m_others.push_back(event);
        }
        finish();
        m_chat.report();
    }

    /// Adds the calls beside the samples, behind all of them.
    void readOthers()
    {
        for (const JsonMembers &event : m_others)
            addOther(event);
        m_chat.report();
    }

private:
    static std::string idOf(const JsonMembers &message) { return decodeJsonString(message.string("id")); }

    [[nodiscard]] std::string sampleId() const
    {
        const std::string_view id = m_sample.raw("id");
        return (isJsonString(id) ? decodeJsonString(jsonString(id)) : std::string(id)) + "/"
            + std::string(m_sample.raw("epoch"));
    }

    std::optional<ChatMessage> readMessage(std::string_view raw)
    {
        auto message = isJsonObject(raw) ? m_chat.read(raw) : std::nullopt;
        if (!message)
            return message;
        const JsonMembers members(raw);
        const std::string_view source = members.string("source");
        MessageDraft &draft = message->draft;
        const StringId function = m_builder.intern(decodeJsonString(members.string("function")));
        if (draft.role == Role::Assistant)
            draft.model = m_builder.intern(decodeJsonString(members.string("model")));
        for (Block &block : draft.blocks) {
            resolve(block);
            if (block.kind == BlockKind::ToolResult) {
                block.name = block.name.isValid() ? block.name : function;
                if (isJsonObject(members.raw("error")))
                    block.set(BlockFlag::Error);
            }
            // Inspect marks the input of the sample; other user messages are the solver's.
            if (draft.role == Role::User && block.kind == BlockKind::Text && m_hasSources && source != "input") {
                block.flags = static_cast<uint16_t>(block.flags & ~static_cast<unsigned>(BlockFlag::Typed));
                block.set(BlockFlag::Injected);
            }
        }
        return message;
    }

    /// Long texts of events stand once in the sample.
    void resolve(Block &block)
    {
        if (block.body.coding != Coding::JsonString)
            return;
        const std::string_view text = m_builder.session().rawBody(block.body);
        for (const std::string_view scheme : { std::string_view("attachment://"), std::string_view("tc://") }) {
            if (!text.starts_with(scheme) || !m_attachments.has(text.substr(scheme.size())))
                continue;
            Block whole = m_builder.makeBlock(block.kind,
                m_builder.jsonStringBody(m_source, m_attachments.string(text.substr(scheme.size()))), block.name);
            const std::string_view raw = m_attachments.raw(text.substr(scheme.size()));
            block.body = whole.body;
            block.lengths = whole.lengths;
            block.recordOffset = static_cast<uint64_t>(raw.data() - m_builder.sourceBytes(m_source).data());
            block.recordSize = raw.size();
            return;
        }
    }

    /// Adds a message of the sample to the pool, once.
    MessageId placed(size_t place)
    {
        if (m_ids[place].isValid())
            return m_ids[place];
        auto message = readMessage(m_elements[place]);
        if (!message)
            return {};
        if (m_title.empty())
            m_title = titleOf(m_builder, std::span(&*message, 1));
        m_builder.session().sideBytes += message->sideBytes;
        m_linker.link(message->draft, CallLinker::Orphans::Silent);
        return m_ids[place] = m_builder.addMessage(m_thread, message->draft);
    }

    void append(BlockRanges &array, MessageId id)
    {
        if (id.isValid())
            array.append(m_builder.rangeOf(id));
    }

    static std::string_view answerOf(const JsonMembers &event)
    {
        const auto choices = jsonElements(event.object("output").raw("choices"), 1).items;
        return choices.empty() ? std::string_view() : JsonMembers(choices.front()).raw("message");
    }

    /// The messages of a model event. Logs since 2025 hold each message once; events name ranges of them.
    [[nodiscard]] std::vector<std::string_view> sentBy(const JsonMembers &event) const
    {
        std::vector<std::string_view> sent = jsonElements(event.raw("input")).items;
        for (const std::string_view range : jsonElements(event.raw("input_refs")).items) {
            const auto bounds = jsonElements(range, 2).items;
            const auto begin = bounds.size() == 2 ? jsonUnsigned(bounds[0]) : std::nullopt;
            const auto end = bounds.size() == 2 ? jsonUnsigned(bounds[1]) : std::nullopt;
            // No message is sent twice.
            for (size_t i = begin.value_or(0); i < std::min<size_t>(end.value_or(0), m_pool.size()); ++i) {
                if (sent.size() < m_pool.size())
                    sent.push_back(m_pool[i]);
            }
        }
        return sent;
    }

    /// Whether the event is a call of the sample's own conversation.
    bool addCall(const JsonMembers &event, std::string_view raw)
    {
        const std::string_view answer = answerOf(event);
        const auto sent = sentBy(event);
        const auto own = m_places.find(idOf(JsonMembers(answer)));
        const bool isKnown = std::ranges::any_of(
            sent, [&](std::string_view each) { return m_places.contains(idOf(JsonMembers(each))); });
        if (!isKnown && own == m_places.end()) {
            // Logs of 2024 have no ids: the responses come in order.
            return m_places.empty() && addUnnamedCall(event, raw, answer);
        }
        Call call = callOf(event, raw);
        for (const std::string_view each : sent) {
            const std::string id = idOf(JsonMembers(each));
            const auto place = m_places.find(id);
            append(call.input, place != m_places.end() ? placed(place->second) : placedAside(id, each));
        }
        if (own != m_places.end() && placed(own->second).isValid())
            call.output = m_builder.rangeOf(m_ids[own->second]);
        else if (const MessageId id = placedAside(idOf(JsonMembers(answer)), answer); id.isValid())
            call.output = m_builder.rangeOf(id);
        keep(std::move(call));
        return true;
    }

    bool addUnnamedCall(const JsonMembers &event, std::string_view raw, std::string_view answer)
    {
        const std::string_view content = JsonMembers(answer).raw("content");
        for (size_t i = m_next; i < m_elements.size(); ++i) {
            const JsonMembers message(m_elements[i]);
            if (message.string("role") != "assistant" || message.raw("content") != content)
                continue;
            Call call = callOf(event, raw);
            for (size_t k = 0; k < i; ++k)
                append(call.input, placed(k));
            const MessageId id = placed(i);
            if (id.isValid())
                call.output = m_builder.rangeOf(id);
            m_next = i + 1;
            keep(std::move(call));
            return true;
        }
        return false;
    }

    /// A message that was sent and is not in the array at the end.
    MessageId placedAside(const std::string &id, std::string_view raw)
    {
        if (const auto known = m_asides.find(id); known != m_asides.end() && !id.empty())
            return known->second;
        auto message = readMessage(raw);
        if (!message)
            return {};
        m_builder.session().sideBytes += message->sideBytes;
        m_linker.link(message->draft, CallLinker::Orphans::Silent);
        const MessageId added = m_builder.addMessage(m_thread, message->draft);
        if (!id.empty())
            m_asides.emplace(id, added);
        return added;
    }

    Call callOf(const JsonMembers &event, std::string_view raw)
    {
        const JsonMembers output = event.object("output");
        Call call;
        call.usage = inspectUsage(output.object("usage"));
        call.time = parseTime(event.string("timestamp"));
        call.model = m_builder.intern(decodeJsonString(firstString(output, { "model" })));
        call.line = m_chat.lineOf(raw);
        if (m_tools.empty())
            m_tools = m_chat.readTools(event.raw("tools"));
        return call;
    }

    void keep(Call call)
    {
        Thread &thread = m_builder.thread(m_thread);
        if (!thread.compactions.empty() && thread.compactions.back().after.isEmpty())
            thread.compactions.back().after = call.input;
        m_array = call.input;
        m_array.append(call.output);
        thread.calls.push_back(std::move(call));
    }

    void addCompaction(const JsonMembers &event, std::string_view raw)
    {
        Thread &thread = m_builder.thread(m_thread);
        RecordedCompaction compaction;
        const std::string_view kind = event.string("type");
        compaction.kind = kind == "summary" ? CompactionKind::Summary
            : kind == "edit"                ? CompactionKind::Clearing
                                            : CompactionKind::Replacement;
        compaction.before = m_array;
        compaction.beforeTokens = event.number("tokens_before");
        compaction.afterTokens = event.number("tokens_after");
        compaction.line = m_chat.lineOf(raw);
        if (!thread.calls.empty())
            compaction.call = CallIndex(thread.calls.size() - 1);
        thread.compactions.push_back(std::move(compaction));
    }

    void finish()
    {
        BlockRanges end;
        std::vector<MessageId> ids;
        for (size_t i = 0; i < m_elements.size(); ++i) {
            append(end, placed(i));
            if (m_ids[i].isValid())
                ids.push_back(m_ids[i]);
        }
        if (m_builder.thread(m_thread).calls.empty())
            m_builder.deriveCalls(m_thread, ids);
        placePrelude(m_builder, m_thread, m_tools);
        Thread &thread = m_builder.thread(m_thread);
        thread.end = end;
        thread.title = m_title;
        if (!thread.compactions.empty() && thread.compactions.back().after.isEmpty())
            thread.compactions.back().after = end;
        m_builder.session().recordCount += m_elements.size();
    }

    /// A call of a scorer or of a tool.
    void addOther(const JsonMembers &event)
    {
        ChatRun run;
        run.title = "A call of a scorer or tool in sample " + sampleId();
        for (const std::string_view raw : sentBy(event)) {
            if (auto message = readMessage(raw))
                run.messages.push_back(std::move(*message));
        }
        if (auto answer = readMessage(answerOf(event))) {
            run.messages.push_back(std::move(*answer));
            run.hasResponse = true;
        }
        run.usage = inspectUsage(event.object("output").object("usage"));
        run.time = parseTime(event.string("timestamp"));
        if (!run.messages.empty())
            addRun(m_builder, ThreadKind::Subagent, run);
    }

    SessionBuilder &m_builder;
    JsonMembers m_sample;
    ChatReader m_chat;
    CallLinker m_linker;
    SourceId m_source;
    ThreadIndex m_thread;
    JsonMembers m_attachments;
    std::vector<std::string_view> m_elements;         ///< the messages of the sample
    std::vector<std::string_view> m_pool;             ///< messages that events name by their places
    std::vector<MessageId> m_ids;                     ///< of the elements; invalid until they enter the pool
    std::unordered_map<std::string, size_t> m_places; ///< of the elements by id
    std::unordered_map<std::string, MessageId> m_asides;
    std::vector<JsonMembers> m_others; ///< model events of scorers and tools
    std::vector<Block> m_tools;
    BlockRanges m_array; ///< behind the last call
    std::string m_title;
    size_t m_next = 0;
    bool m_hasSources = false;
};

Result<SessionPtr> readInspect(const ReadContext &context)
{
    SessionBuilder builder;
    const SourceId source = builder.addSource(context.source);
    setFormat(builder.session(), kInspect);
    const auto document = documentText(builder, source);
    if (!document)
        return std::unexpected(document.error());
    const JsonMembers root(document->text);
    const JsonMembers eval = root.object("eval");
    LineCursor lines(builder.sourceBytes(document->source));
    std::deque<InspectSample> samples;
    for (const std::string_view raw : jsonElements(root.raw("samples")).items) {
        samples.emplace_back(builder, document->source, lines, JsonMembers(raw)).read();
        if (context.isCancelled())
            return context.cancelled();
    }
    for (InspectSample &sample : samples)
        sample.readOthers();
    Session &session = builder.session();
    if (session.messages.empty())
        return context.noRecords();
    const std::string version = decodeJsonString(eval.object("packages").string("inspect_ai"));
    session.harness = version.empty() ? "Inspect" : "Inspect " + version;
    session.model = decodeJsonString(eval.string("model"));
    session.title = decodeJsonString(eval.string("task"));
    noteOrphanResults(builder, OrphansIn::Ends); // only now: an event may have made the array anew
    return builder.finish();
}

Likeness sniffInspect(const Sample &sample)
{
    if (!sample.isSingleValue || sample.records.empty() || !isJsonObject(sample.records.front()))
        return Likeness::No;
    const JsonMembers root(sample.records.front());
    const bool isOurs = root.has("status") && isJsonObject(root.raw("eval")) && root.object("eval").has("task");
    return isOurs ? Likeness::Certain : Likeness::No;
}

std::string inspectMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const JsonMembers members(example);
    const std::string id = members.has("id") ? "\"id\":" + newJsonString(message.uuid) + "," : std::string();
    return "{" + id + "\"content\":" + newJsonString(message.text)
        + ",\"source\":\"input\",\"role\":" + newJsonString(roleWord(message.role, "assistant", "system")) + "}";
}

} // namespace

const Format kInspect { "inspect", "Inspect log",
    "logs in JSON and `.eval` archives, a run for each sample; an export of an archive is a log in JSON", sniffInspect,
    openWhole<readInspect>,
    { .splice = { .message = inspectMessage, .links = { .id = "id" }, .emptyContent = "\"\"", .hasSystem = true } } };

} // namespace core
