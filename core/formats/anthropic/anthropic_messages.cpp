// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/anthropic/anthropic_stream.h"
#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"
#include "core/json/line_cursor.h"
#include "core/session/request_log.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kBillingOpening = "x-anthropic-billing-header";
constexpr size_t kHeadBytes = 400;
/// How much of a first record is looked at to recognise it: its last members tell most.
constexpr size_t kSniffBytes = 8U << 20U;

bool isArray(ondemand::value value) { return value.type() == ondemand::json_type::array; }

/// One record of a recording while it is read: a request body, or a request with its response in the envelope of a
/// proxy.
struct RequestRecord {
    RequestDraft request;
    std::vector<Block> system;
    std::vector<Block> tools;
    std::string events;  ///< the response as the provider streamed it
    std::string failure; ///< what an error response says
    bool hasMessages = false;
    bool hasMaxTokens = false;
    bool isCount = false; ///< sent to count_tokens
    uint64_t size = 0;
};

/// Reads request bodies of the Anthropic Messages API: one, a recording of many, each bare or as `{request, response}`.
class AnthropicReader final {
public:
    explicit AnthropicReader(const ReadContext &context)
        : m_context(context)
        , m_log(m_builder)
    {
        m_source = m_builder.addSource(context.source);
        Session &session = m_builder.session();
        session.format = kAnthropicMessages.id;
        session.harness = "Anthropic API";
        session.merging = SlotMerging::ConsecutiveUsers;
    }

    Result<SessionPtr> read()
    {
        if (sampleOf(m_context.source->bytes()).isSingleValue) {
            if (const auto result = readSingle(); !result)
                return std::unexpected(result.error());
        } else {
            const auto visit = [this](ondemand::object &object, const Record &record) {
                LineCursor lines(record.line);
                RequestRecord into = readRecord(object, record.source, lines, record.line);
                into.size = record.bytes.size();
                accept(std::move(into));
            };
            if (!forEachRecord(m_builder, m_source, m_context, visit))
                return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        }
        return finish();
    }

private:
    // --- one record ------------------------------------------------------------------------------------------------

    Result<void> readSingle()
    {
        std::vector<RequestRecord> records;
        const auto result = readDocument(m_builder, m_source, [&](ondemand::document &document, SourceId holder) {
            records.clear();
            LineCursor lines(m_builder.sourceBytes(holder));
            if (document.type() == ondemand::json_type::object) {
                ondemand::object object = document.get_object();
                records.push_back(readRecord(object, holder, lines, 1));
                return;
            }
            readArray(document.get_array(), holder, lines, records);
        });
        if (!result)
            return result;
        for (RequestRecord &each : records)
            accept(std::move(each));
        return {};
    }

    /// A bare array of messages, or a list of requests.
    void readArray(ondemand::array array, SourceId holder, LineCursor &lines, std::vector<RequestRecord> &records)
    {
        RequestRecord bare;
        bare.request.line = 1;
        for (ondemand::value element : array) {
            if (!isObject(element))
                continue;
            ondemand::object object = element.get_object();
            const std::string_view raw = object.raw_json();
            object.reset();
            if (JsonMembers(raw).has("role")) {
                bare.hasMessages = true;
                bare.request.messages.push_back(readMessage(object, holder, lines));
            } else {
                records.push_back(readRecord(object, holder, lines, lines.lineOf(raw)));
                records.back().size = raw.size();
            }
        }
        if (bare.hasMessages)
            records.push_back(std::move(bare));
    }

    RequestRecord readRecord(ondemand::object &object, SourceId holder, LineCursor &lines, uint64_t line)
    {
        RequestRecord into;
        into.request.line = line;
        readBody(object, holder, lines, into);
        into.request.prelude = std::move(into.system);
        std::ranges::move(into.tools, std::back_inserter(into.request.prelude));
        return into;
    }

    void readBody(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "messages" && isArray(value)) {
                into.hasMessages = true;
                for (ondemand::value element : value.get_array()) {
                    if (!isObject(element))
                        continue;
                    ondemand::object message = element.get_object();
                    into.request.messages.push_back(readMessage(message, holder, lines));
                }
            } else if (key == "system") {
                readSystem(value, holder, lines, into);
            } else if (key == "tools" && isArray(value)) {
                for (ondemand::value element : value.get_array())
                    into.tools.push_back(toolBlock(element, holder, lines));
            } else if (key == "model" && isString(value)) {
                into.request.model = internString(m_builder, rawString(value));
            } else if (key == "max_tokens") {
                into.hasMaxTokens = true;
            } else if (key == "request" && isObject(value)) {
                ondemand::object envelope = value.get_object();
                readRequestEnvelope(envelope, holder, lines, into);
            } else if (key == "response" && isObject(value)) {
                ondemand::object envelope = value.get_object();
                readResponseEnvelope(envelope, holder, lines, into);
            } else if ((key == "timestamp" || key == "logged_at") && !into.request.time) {
                into.request.time = timeOf(value);
            }
        }
    }

    /// `{method, path | url, headers, body}`, as proxies that record traffic write it.
    void readRequestEnvelope(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "body" && isObject(value)) {
                ondemand::object body = value.get_object();
                readBody(body, holder, lines, into);
            } else if ((key == "path" || key == "url") && isString(value)) {
                into.isCount = rawString(value).contains("/count_tokens");
            } else if (key == "timestamp") {
                into.request.time = timeOf(value);
            }
        }
    }

    /// `{status, headers, body}`, where the body is the response message, or `body_raw` what was streamed.
    void readResponseEnvelope(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "body" && isObject(value)) {
                ondemand::object body = value.get_object();
                readResponse(body, holder, lines, into);
            } else if ((key == "body_raw" || key == "body") && isString(value)) {
                into.events = decodeJsonString(rawString(value));
            }
        }
    }

    void readResponse(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
    {
        MessageDraft message = readMessage(object, holder, lines);
        object.reset();
        bool hasContent = false;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "content") {
                hasContent = true;
            } else if (key == "usage" && isObject(value)) {
                into.request.usage = readAnthropicUsage(value);
            } else if (key == "model" && isString(value)) {
                into.request.model = internString(m_builder, rawString(value));
            } else if (key == "error" && isObject(value)) {
                into.failure = JsonMembers(rawJson(value)).string("type");
            }
        }
        message.model = into.request.model;
        message.time = into.request.time;
        into.request.responseId = message.externalId;
        message.role = Role::Assistant;
        if (hasContent && !message.blocks.empty())
            into.request.response.push_back(std::move(message));
    }

    MessageDraft readMessage(ondemand::object &object, SourceId holder, LineCursor &lines)
    {
        const std::string_view raw = object.raw_json();
        object.reset();
        MessageDraft draft;
        draft.line = lines.lineOf(raw);
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "role" && isString(value)) {
                const std::string_view role = rawString(value);
                draft.role = role == "assistant"              ? Role::Assistant
                    : role == "system" || role == "developer" ? Role::System
                                                              : Role::User;
            } else if (key == "content") {
                readAnthropicContent(m_builder, holder, value, draft.blocks);
            } else if (key == "id" && isString(value)) {
                draft.externalId = internString(m_builder, rawString(value));
            }
        }
        for (Block &block : draft.blocks) {
            setRecord(block, holder, raw, draft.line);
            flag(block, draft.role);
        }
        return draft;
    }

    void setRecord(Block &block, SourceId holder, std::string_view raw, uint64_t line) const
    {
        block.recordLine = line;
        block.recordOffset = static_cast<uint64_t>(raw.data() - m_builder.sourceBytes(holder).data());
        block.recordSize = raw.size();
    }

    /// Says who wrote a text. A request holds nothing but the text to tell it by.
    void flag(Block &block, Role role) const
    {
        // What the API's own compaction wrote: everything before it is not looked at any more.
        if (block.kind == BlockKind::Opaque && m_builder.string(block.name) == "compaction")
            block.set(BlockFlag::Summary);
        if (block.kind != BlockKind::Text || role == Role::Assistant || block.callId.isValid())
            return;
        const std::string head = m_builder.session().textHead(block.body, kHeadBytes);
        if (head.starts_with(kSummaryOpening))
            block.set(BlockFlag::Summary);
        else if (role == Role::System || looksInjected(head))
            block.set(BlockFlag::Injected);
        else
            block.set(BlockFlag::Typed);
    }

    void readSystem(ondemand::value value, SourceId holder, LineCursor &lines, RequestRecord &into)
    {
        const std::string_view token = value.raw_json_token();
        readAnthropicContent(m_builder, holder, value, into.system);
        for (Block &block : into.system) {
            block.recordLine = lines.lineOf(token);
            const std::string_view all = m_builder.sourceBytes(holder);
            const auto begin = static_cast<size_t>(token.data() - all.data());
            block.recordOffset = begin;
            block.recordSize = skipJson(all, begin).value_or(all.size()) - begin;
            const std::string head = m_builder.session().textHead(block.body, kHeadBytes);
            if (!head.starts_with(kBillingOpening))
                continue;
            block.set(BlockFlag::Injected);
            noteVersion(head);
        }
    }

    Block toolBlock(ondemand::value value, SourceId holder, LineCursor &lines)
    {
        const std::string_view raw = rawJson(value);
        const JsonMembers members(raw);
        Block block = m_builder.makeBlock(
            BlockKind::Opaque, m_builder.jsonValueBody(holder, raw), m_builder.intern(members.string("name")));
        block.set(BlockFlag::Tools);
        if (isJsonObject(members.raw("cache_control")))
            block.set(BlockFlag::CacheMark);
        setRecord(block, holder, raw, lines.lineOf(raw));
        return block;
    }

    static std::optional<Timestamp> timeOf(ondemand::value value)
    {
        if (isString(value))
            return parseTime(rawString(value));
        double seconds = 0;
        if (value.type() == ondemand::json_type::number && value.get_double().get(seconds) == simdjson::SUCCESS)
            return timeOfNumber(seconds);
        return std::nullopt;
    }

    /// `cc_version=2.1.156.053`: the fourth number is that of the build.
    void noteVersion(std::string_view header)
    {
        constexpr std::string_view kKey = "cc_version=";
        const size_t at = header.find(kKey);
        if (at == std::string_view::npos)
            return;
        std::string_view version = header.substr(at + kKey.size());
        version = version.substr(0, version.find_first_not_of("0123456789."));
        if (std::ranges::count(version, '.') > 2)
            version = version.substr(0, version.rfind('.'));
        m_version = version;
    }

    // --- all records -----------------------------------------------------------------------------------------------

    void accept(RequestRecord record)
    {
        ++m_builder.session().recordCount;
        if (!record.hasMessages) {
            if (record.size > 2) // `{}` says nothing
                leaveOut(m_foreign, record);
            return;
        }
        if (record.isCount) {
            leaveOut(m_counts, record);
            return;
        }
        // Only a request that is to be answered must say how long the answer may be.
        if (!record.hasMaxTokens && !m_hasCalls) {
            m_withoutLimit.push_back(std::move(record));
            return;
        }
        if (!record.hasMaxTokens) {
            leaveOut(m_counts, record);
            return;
        }
        for (const RequestRecord &each : m_withoutLimit)
            leaveOut(m_counts, each);
        m_withoutLimit.clear();
        m_hasCalls = true;
        send(std::move(record));
    }

    struct LeftOut {
        uint64_t count = 0;
        uint64_t line = 0;
    };
    void leaveOut(LeftOut &group, const RequestRecord &record)
    {
        if (group.count++ == 0)
            group.line = record.request.line;
        m_builder.session().sideBytes += record.size;
    }

    void send(RequestRecord record)
    {
        if (!record.events.empty() && record.request.response.empty())
            readEvents(record);
        if (!record.failure.empty())
            m_builder.note(record.request.line, "This request failed (" + record.failure + "): it has no answer.");
        noteSystem(record.request);
        ++m_callCount;
        m_hasResponses = m_hasResponses || !record.request.response.empty();
        m_log.add(std::move(record.request));
    }

    void readEvents(RequestRecord &record)
    {
        const auto message = messageOfEventStream(record.events);
        if (!message) {
            m_builder.warn(record.request.line, "The response of this request could not be read.");
            return;
        }
        const SourceId holder = m_builder.addSource(Source::own(*message, m_context.source->name()));
        const std::string_view text = m_builder.sourceBytes(holder);
        LineCursor lines(record.request.line);
        try {
            auto document = m_parser.iterate(text.data(), text.size(), text.size() + simdjson::SIMDJSON_PADDING);
            ondemand::object object = document.get_object();
            readResponse(object, holder, lines, record);
        } catch (const simdjson::simdjson_error &) {
            m_builder.warn(record.request.line, "The response of this request could not be read.");
        }
    }

    /// What the system prompt tells about the harness.
    void noteSystem(const RequestDraft &request)
    {
        constexpr std::string_view kFolder = "orking directory: ";
        for (const Block &block : request.prelude) {
            if (block.kind != BlockKind::Text)
                continue;
            const std::string_view raw = m_builder.session().rawBody(block.body);
            m_isClaudeCode = m_isClaudeCode || raw.starts_with("You are Claude Code");
            const size_t at = raw.find(kFolder);
            std::string &folder = m_builder.session().workingFolder;
            if (at == std::string_view::npos || !folder.empty())
                continue;
            const std::string_view rest = raw.substr(at + kFolder.size());
            folder = decodeJsonString(rest.substr(0, rest.find("\\n")));
        }
    }

    Result<SessionPtr> finish()
    {
        for (RequestRecord &each : m_withoutLimit)
            send(std::move(each));
        if (m_callCount == 0) {
            return failure(ErrorKind::Malformed, "The file holds no request with messages that could be read.",
                m_context.source->name());
        }
        report(m_counts, "asked only how many tokens a text has", "asked only how many tokens texts have");
        report(m_foreign, "holds no messages", "hold no messages");
        m_log.finish();
        Session &session = m_builder.session();
        if (m_callCount == 1 && !m_hasResponses)
            deriveCalls();
        linkToolResults(session);
        linkSubagents(session);
        reportOrphans(session);
        session.title = session.threads.front().title;
        if (!m_version.empty())
            session.harness = "Claude Code " + m_version;
        else if (m_isClaudeCode)
            session.harness = "Claude Code";
        return m_builder.finish();
    }

    void report(const LeftOut &group, std::string_view one, std::string_view several)
    {
        if (group.count == 1)
            m_builder.note(group.line, "This record " + std::string(one) + "; it was left out.");
        else if (group.count > 1)
            m_builder.note(group.line,
                groupedNumber(group.count) + " records " + std::string(several)
                    + " (this is the first); they were left out.");
    }

    /// A single body says what was sent last; its assistant messages are the calls before.
    void deriveCalls()
    {
        const ThreadIndex main { 0U };
        const std::optional<BlockRange> prelude = m_builder.thread(main).prelude;
        std::vector<MessageId> messages;
        for (size_t i = 0; i < m_builder.session().messages.size(); ++i) {
            if (!prelude || m_builder.rangeOf(MessageId(i)) != *prelude)
                messages.emplace_back(i);
        }
        const StringId model = m_builder.thread(main).calls.front().model;
        m_builder.thread(main).calls.clear();
        m_builder.deriveCalls(main, messages);
        for (Call &call : m_builder.thread(main).calls) {
            call.prelude = prelude;
            call.model = model;
        }
        m_builder.session().model = m_builder.string(model);
    }

    /// A subagent's task is the very text of an argument of the call that started it.
    static void linkSubagents(Session &session)
    {
        constexpr size_t kShortestTask = 12;
        std::unordered_map<Hash, BlockId> calls;
        if (session.threads.size() < 2)
            return;
        for (size_t i = 0; i < session.blocks.size(); ++i) {
            if (session.blocks[i].kind != BlockKind::ToolCall)
                continue;
            const JsonMembers arguments(session.rawBody(session.blocks[i].body));
            for (const JsonMembers::Member &each : arguments.all()) {
                if (isJsonString(each.value) && each.value.size() > kShortestTask)
                    calls.try_emplace(hashOf(decodeJsonString(jsonString(each.value))), BlockId(i));
            }
        }
        for (size_t i = 0; i < session.blocks.size(); ++i) {
            const Block &block = session.blocks[i];
            Thread &thread = session.threads[session.message(block.message).thread.index()];
            if (!block.is(BlockFlag::Typed) || thread.kind != ThreadKind::Subagent || thread.parentCall.isValid())
                continue;
            const auto call = calls.find(hashOf(session.text(block.body)));
            if (call != calls.end())
                thread.parentCall = call->second;
        }
    }

    void reportOrphans(const Session &session)
    {
        std::unordered_map<StringId, bool> calls;
        for (const Block &block : session.blocks) {
            if (block.kind == BlockKind::ToolCall)
                calls[block.callId] = true;
        }
        for (const Block &block : session.blocks) {
            if (block.kind == BlockKind::ToolResult && !calls.contains(block.callId)) {
                m_builder.warn(block.recordLine,
                    "A tool result answers the call " + std::string(m_builder.string(block.callId))
                        + ", which is not recorded.");
            }
        }
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    RequestLog m_log;
    SourceId m_source;
    simdjson::ondemand::parser m_parser;
    std::vector<RequestRecord> m_withoutLimit; ///< until a request with a limit shows that these are no calls
    LeftOut m_counts;
    LeftOut m_foreign;
    uint64_t m_callCount = 0;
    bool m_hasCalls = false;
    bool m_hasResponses = false;
    bool m_isClaudeCode = false;
    std::string m_version;
};

// --- recognising ---------------------------------------------------------------------------------------------------

/// What the first messages of an array show.
struct Glance {
    bool hasOwnParts = false; ///< parts that only this API has
    bool hasHints = false;    ///< parts that few others have: cache marks, sources of images and documents
    bool isOther = false;     ///< roles or members of another format
};

Glance glanceAt(std::string_view array)
{
    constexpr size_t kMessages = 40;
    static constexpr std::array<std::string_view, 8> kForeignMembers { "ts", "parts", "tool_calls", "additional_kwargs",
        "tool_call_id", "lc", "thought", "created" };
    Glance glance;
    for (const std::string_view raw : jsonElements(array, kMessages).items) {
        const JsonMembers message(raw);
        const std::string_view role = message.string("role");
        const bool isRole = role == "user" || role == "assistant" || role == "system" || role.empty();
        const bool isForeign
            = std::ranges::any_of(kForeignMembers, [&](std::string_view key) { return message.has(key); });
        // A message that is cut off may lack its role.
        glance.isOther = glance.isOther || !isRole || isForeign || (role.empty() && message.isWhole());
        for (const std::string_view part : jsonElements(message.raw("content"), kMessages).items) {
            const JsonMembers members(part);
            const std::string_view type = members.string("type");
            const bool isResult = type == "tool_result" && members.has("tool_use_id");
            const bool isCall = type == "tool_use" && members.has("input");
            const bool isThinking = (type == "thinking" && members.has("thinking")) || type == "redacted_thinking";
            glance.hasOwnParts = glance.hasOwnParts || isResult || isCall || isThinking;
            const bool isMedia = (type == "image" || type == "document") && isJsonObject(members.raw("source"));
            glance.hasHints = glance.hasHints || members.has("cache_control") || isMedia;
            glance.isOther = glance.isOther || type.starts_with("input_") || type == "output_text"
                || type == "image_url" || (type.empty() && members.isWhole());
        }
    }
    return glance;
}

Likeness likenessOfBody(const JsonMembers &body)
{
    static constexpr std::array<std::string_view, 12> kForeignMembers { "kwargs", "sessionId", "trajectory_format",
        "history", "info", "values", "channel_values", "snapshotId", "config", "traceId", "choices", "run_type" };
    if (!isJsonArray(body.raw("messages"))
        || std::ranges::any_of(kForeignMembers, [&](std::string_view key) { return body.has(key); }))
        return Likeness::No;
    const Glance glance = glanceAt(body.raw("messages"));
    if (glance.isOther)
        return Likeness::No;
    const JsonElements tools = jsonElements(body.raw("tools"), 1);
    const bool hasSchema = !tools.items.empty() && JsonMembers(tools.items.front()).has("input_schema");
    const bool hasSystem = isJsonString(body.raw("system")) || isJsonArray(body.raw("system"));
    const bool isNamed
        = body.has("anthropic_version") || body.has("anthropic_beta") || body.string("model").contains("claude");
    if (glance.hasOwnParts || hasSchema || body.has("anthropic_version")
        || (hasSystem && (body.has("max_tokens") || isNamed)))
        return Likeness::Likely;
    const bool isThinking = isJsonObject(body.raw("thinking"));
    return hasSystem || isThinking || (isNamed && (body.has("max_tokens") || body.has("tools")))
            || (glance.hasHints && body.has("max_tokens"))
        ? Likeness::Maybe
        : Likeness::No;
}

Likeness likenessOfRecord(const JsonMembers &record)
{
    const JsonMembers request = record.object("request");
    if (request.all().empty())
        return likenessOfBody(record);
    const std::string_view url = request.has("url") ? request.string("url") : request.string("path");
    const Likeness body = likenessOfBody(request.object("body"));
    return body != Likeness::No && url.contains("/v1/messages") ? Likeness::Certain : body;
}

Likeness sniff(const Sample &sample)
{
    Likeness best = Likeness::No;
    for (size_t i = 0; i < sample.records.size(); ++i) {
        std::string_view text = sample.records[i];
        // A record that does not end in the sample is looked at beyond it.
        const auto offset = static_cast<size_t>(text.data() - sample.all.data());
        if (i + 1 == sample.records.size())
            text = sample.all.substr(offset, kSniffBytes);
        if (isJsonObject(text)) {
            best = std::max(best, likenessOfRecord(JsonMembers(text)));
        } else if (isJsonArray(text) && sample.isSingleValue) {
            const JsonElements first = jsonElements(text, 1);
            const bool isList = !first.items.empty() && !JsonMembers(first.items.front()).has("role");
            const Glance glance = isList ? Glance() : glanceAt(text);
            const Likeness likeness = isList            ? likenessOfRecord(JsonMembers(first.items.front()))
                : glance.hasOwnParts && !glance.isOther ? Likeness::Likely
                                                        : Likeness::No;
            best = std::max(best, likeness);
        }
    }
    return best;
}

Result<SessionPtr> read(const ReadContext &context) { return AnthropicReader(context).read(); }

} // namespace

const Format kAnthropicMessages { "anthropic-messages", "Anthropic Messages",
    "request bodies of the Messages API, one or a recording of many, bare or with their responses (claude-tap, "
    "claude-trace)",
    sniff, openWhole<read> };

} // namespace core
