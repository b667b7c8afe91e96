// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/anthropic/anthropic_request.h"
#include "core/formats/anthropic/anthropic_stream.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/new_message.h"
#include "core/formats/reading/orphan_results.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// Bytes of the first record that are read to recognise it, because its last members are the most specific.
constexpr size_t kSniffBytes = 8U << 20U;

/// Reads request bodies of the Anthropic Messages API: a single one or a recording of many, each bare or as `{request,
/// response}`.
class AnthropicReader final {
public:
    explicit AnthropicReader(const ReadContext &context)
        : m_context(context)
        , m_requests(m_builder)
        , m_log(m_builder)
    {
        m_source = m_builder.addSource(context.source);
        Session &session = m_builder.session();
        setFormat(session, kAnthropicMessages);
        session.harness = "Anthropic API";
    }

    Result<SessionPtr> read()
    {
        if (sampleOf(m_context.source->bytes()).isSingleValue) {
            if (const auto result = readSingle(); !result)
                return std::unexpected(result.error());
        } else {
            const auto visit = [this](ondemand::object &object, const Record &record) {
                LineCursor lines(record.line);
                RequestRecord into = m_requests.readRecord(object, record.source, lines, record.line);
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
                records.push_back(m_requests.readRecord(object, holder, lines, 1));
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

    /// Reads a bare array of messages, or a list of requests.
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
                bare.request.messages.push_back(m_requests.readMessage(object, holder, lines));
            } else {
                records.push_back(m_requests.readRecord(object, holder, lines, lines.lineOf(raw)));
                records.back().size = raw.size();
            }
        }
        if (bare.hasMessages)
            records.push_back(std::move(bare));
    }

    // --- all records -----------------------------------------------------------------------------------------------

    void accept(RequestRecord record)
    {
        ++m_builder.session().recordCount;
        if (!record.hasMessages) {
            if (record.size > 2) // `{}` has no content
                leaveOut(m_foreign, record);
            return;
        }
        if (record.isCount) {
            leaveOut(m_counts, record);
            return;
        }
        // Only requests that get a response need a limit on its length.
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
            m_requests.readResponse(object, holder, lines, record);
        } catch (const simdjson::simdjson_error &) {
            m_builder.warn(record.request.line, "The response of this request could not be read.");
        }
    }

    /// Reads facts about the harness from the system prompt.
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
            return failure(
                ErrorKind::Malformed, "The file contains no readable request with messages.", m_context.source->name());
        }
        report(m_counts, "only asks for a token count", "only ask for a token count");
        report(m_foreign, "contains no messages", "contain no messages");
        m_log.finish();
        Session &session = m_builder.session();
        if (m_callCount == 1 && !m_hasResponses)
            deriveCalls();
        linkToolResults(session);
        linkSubagents(session);
        noteOrphanResults(m_builder);
        session.title = session.threads.front().title;
        if (!m_requests.version().empty())
            session.harness = "Claude Code " + m_requests.version();
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

    /// A single body shows the last request; its assistant messages are the earlier calls.
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

    /// A subagent's task equals an argument of the call that started it.
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
            const bool isTask = block.kind == BlockKind::Text && !block.is(BlockFlag::Injected)
                && session.message(block.message).role == Role::User;
            if (!isTask || thread.kind != ThreadKind::Subagent || thread.parentCall.isValid())
                continue;
            const auto call = calls.find(hashOf(session.text(block.body)));
            if (call != calls.end())
                thread.parentCall = call->second;
        }
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    RequestReader m_requests;
    RequestLog m_log;
    SourceId m_source;
    simdjson::ondemand::parser m_parser;
    std::vector<RequestRecord> m_withoutLimit; ///< counted as calls unless a request with a limit appears
    LeftOut m_counts;
    LeftOut m_foreign;
    uint64_t m_callCount = 0;
    bool m_hasCalls = false;
    bool m_hasResponses = false;
    bool m_isClaudeCode = false;
};

// --- recognising ---------------------------------------------------------------------------------------------------

/// Facts from the first messages of an array.
struct Glance {
    bool hasOwnParts = false; ///< parts that only this API has
    bool hasHints = false;    ///< parts that few other APIs have: cache marks, sources of images and documents
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
        // A truncated message may lack its role.
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
        // Reads a record beyond the sample if it does not end there.
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

std::string anthropicMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + newJsonString(roleWord(message.role, "assistant", "user"))
        + ",\"content\":" + newJsonString(message.text) + "}";
}

} // namespace

const Format kAnthropicMessages { "anthropic-messages", "Anthropic Messages",
    "request bodies of the Messages API, one or a recording of many, bare or with their responses (claude-tap, "
    "claude-trace)",
    sniff, openWhole<read>,
    { .shape = MessageShape::Anthropic,
        .nearest = MessagesShape::Anthropic,
        .readsNearest = true,
        .splice = { .message = anthropicMessage, .endsInRecording = true } } };

} // namespace core
