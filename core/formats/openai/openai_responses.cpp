// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/new_items.h"
#include "core/formats/openai/responses_chain.h"
#include "core/formats/reading/formats.h"
#include "core/formats/reading/json_records.h"
#include "core/formats/reading/orphan_results.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

using Shape = ResponsesShape;

/// Reads requests, responses, lists of items, and recordings of many requests.
class ResponsesReader final {
public:
    explicit ResponsesReader(const ReadContext &context)
        : m_context(context)
        , m_items(m_builder)
        , m_parser(m_builder, m_items)
        , m_chain(m_builder, m_items)
    {
        m_source = m_builder.addSource(context.source);
        setFormat(m_builder.session(), kOpenAiResponses);
    }

    Result<SessionPtr> readLines()
    {
        const auto visit = [this](ondemand::object &object, const Record &record) {
            (void)object.raw_json().value(); // parse all of it before using any of it
            object.reset();
            LineCursor lines(record.line);
            ResponsesRecord parsed = m_parser.parse(object, record.source, lines);
            object.reset();
            (void)object.raw_json().value();
            ++m_builder.session().recordCount;
            accept(std::move(parsed), record.line);
        };
        if (!forEachRecord(m_builder, m_source, m_context, visit))
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        return finish();
    }

    Result<SessionPtr> readDocument()
    {
        std::vector<ResponsesRecord> all;
        const auto visit = [&](ondemand::document &document, SourceId holder) {
            all.clear();
            LineCursor lines(m_builder.sourceBytes(holder));
            const auto add = [&](ondemand::object object) { all.push_back(m_parser.parse(object, holder, lines)); };
            if (document.type() == json_type::object) {
                add(document.get_object());
                return;
            }
            for (ondemand::value element : document.get_array()) {
                if (element.type() == json_type::object)
                    add(element.get_object());
                else
                    all.emplace_back().skipped = 1;
            }
        };
        const auto read = core::readDocument(m_builder, m_source, visit);
        if (!read)
            return std::unexpected(read.error());
        if (m_context.isCancelled())
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        m_builder.session().recordCount = all.size();
        for (ResponsesRecord &record : all)
            accept(std::move(record), 0);
        return finish();
    }

private:
    void accept(ResponsesRecord record, uint64_t line)
    {
        if (record.skipped > 0)
            m_builder.warn(line, "Elements that are not items were skipped: " + groupedNumber(record.skipped) + ".");
        switch (record.shape) {
        case Shape::Request:
            submitPending();
            m_pending = std::move(record.requests.front());
            m_stream = {};
            break;
        case Shape::Response:
            acceptResponse(std::move(record.responses.front()));
            break;
        case Shape::Event:
            if (auto response = m_stream.add(std::move(record)))
                acceptResponse(std::move(*response));
            break;
        case Shape::Exchange:
            submitPending();
            for (size_t i = 0; i < record.requests.size(); ++i) {
                const bool isAnswered = i < record.responses.size();
                m_chain.add(std::move(record.requests[i]),
                    isAnswered ? std::optional(std::move(record.responses[i])) : std::nullopt);
            }
            break;
        case Shape::List:
        case Shape::Item:
            std::ranges::move(record.items, std::back_inserter(m_loose));
            break;
        case Shape::Other:
            break; // an empty line of a recording, a rate limit, or an unknown event
        }
    }

    /// A response belongs to the request before it, or is separate.
    void acceptResponse(ResponsesResponse response)
    {
        if (!m_pending) {
            m_pending.emplace();
            m_pending->system = std::move(response.system);
            m_pending->tools = std::move(response.tools);
            m_pending->previousId = response.previousId;
            m_pending->model = response.model;
            m_pending->line = response.line;
        }
        m_chain.add(std::move(*m_pending), std::move(response));
        m_pending.reset();
    }

    void submitPending()
    {
        if (m_pending)
            m_chain.add(std::move(*m_pending), std::nullopt);
        m_pending.reset();
    }

    Result<SessionPtr> finish()
    {
        submitPending();
        if (!m_loose.empty()) {
            ResponsesRequest request;
            request.items = std::move(m_loose);
            request.line = request.items.front().draft.line;
            m_chain.add(std::move(request), std::nullopt);
        }
        Session &session = m_builder.session();
        if (!m_chain.finish()) {
            return failure(ErrorKind::Malformed, "The file contains no readable request, response or item.",
                m_context.source->name());
        }
        noteOrphanResults(m_builder);
        session.harness = m_chain.isCodex() ? "Codex (requests to the OpenAI Responses API)" : "OpenAI Responses API";
        const Thread &main = session.threads.front();
        main.end.forEach([&](BlockId id) {
            const Block &block = session.block(id);
            if (session.title.empty() && block.is(BlockFlag::Typed))
                session.title = snippet(session.textHead(block.body, kTitleCodePoints * 4 + 64), kTitleCodePoints);
        });
        return m_builder.finish();
    }

    const ReadContext &m_context;
    SessionBuilder m_builder;
    ResponsesItems m_items;
    ResponsesParser m_parser;
    ResponsesChain m_chain;
    SourceId m_source;
    std::optional<ResponsesRequest> m_pending; ///< a request whose response may follow
    ResponsesStream m_stream;
    std::vector<ResponsesItem> m_loose; ///< items outside of requests
};

// --- recognising ---------------------------------------------------------------------------------------------------

bool holdsItems(std::string_view array)
{
    return std::ranges::any_of(jsonElements(array, 12).items, looksLikeResponsesItem);
}

/// A body with `input`: items, or a string together with members that no other API has.
Likeness requestLikeness(const JsonMembers &members)
{
    static constexpr std::array<std::string_view, 9> kOwn { "instructions", "previous_response_id", "reasoning",
        "max_output_tokens", "include", "text", "store", "truncation", "conversation" };
    std::string_view input;
    bool isCreate = false;
    bool hasModel = false;
    int own = 0;
    for (const auto &[key, value] : members.all()) {
        if (key == "input")
            input = value;
        else if (key == "type")
            isCreate = jsonString(value) == "response.create";
        else if (key == "encoding_format" || key == "dimensions" || key == "voice" || key == "messages")
            return Likeness::No; // embeddings, speech, chat
        hasModel = hasModel || key == "model";
        own += std::ranges::find(kOwn, key) != kOwn.end() ? 1 : 0;
    }
    if (isCreate)
        return Likeness::Certain;
    if (isJsonArray(input) && holdsItems(input))
        return hasModel || own > 0 ? Likeness::Certain : Likeness::Likely;
    const bool isPlainInput = isJsonString(input) || isJsonArray(input);
    return isPlainInput && hasModel && own > 0 ? Likeness::Likely : Likeness::No;
}

Likeness objectLikeness(std::string_view json)
{
    const JsonMembers members(json);
    const std::string_view kind = members.string("object");
    const std::string_view type = members.string("type");
    if (kind == "response" && isJsonArray(members.raw("output")))
        return Likeness::Certain;
    if (isJsonArray(members.raw("data")) && (kind == "list" || members.has("has_more")))
        return holdsItems(members.raw("data")) ? Likeness::Certain : Likeness::No;
    if (type.starts_with("response.") && type != "response.create")
        return isJsonObject(members.raw("response")) || isJsonObject(members.raw("item")) ? Likeness::Likely
                                                                                          : Likeness::No;
    if (isJsonObject(members.raw("request"))) {
        const JsonMembers request = members.object("request");
        return requestLikeness(request.has("body") ? request.object("body") : request);
    }
    if (looksLikeResponsesItem(json))
        return Likeness::Maybe; // a single item, a line of a list
    return members.has("input") || type == "response.create" ? requestLikeness(members) : Likeness::No;
}

/// Records without content: `{}`, which proxies write for requests without a body.
bool isEmptyRecord(std::string_view record) { return JsonMembers(record).all().empty(); }

Likeness sniffOpenAiResponses(const Sample &sample)
{
    if (sample.records.empty())
        return Likeness::No;
    if (sample.isSingleValue) {
        const std::string_view head = sample.records.front();
        if (head.starts_with("[")) {
            const auto elements = jsonElements(head, 12).items;
            if (std::ranges::any_of(elements, looksLikeResponsesItem))
                return Likeness::Likely;
            return elements.empty() ? Likeness::No : std::min(objectLikeness(elements.front()), Likeness::Likely);
        }
        const Likeness likeness = objectLikeness(head);
        const bool isCut = sample.all.size() > sample.head.size() && sample.all.size() < kMaxSearched;
        return likeness == Likeness::No && isCut ? objectLikeness(sample.all) : likeness;
    }
    size_t own = 0;
    size_t spoken = 0;
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        if (isEmptyRecord(record))
            continue;
        const Likeness likeness = objectLikeness(record);
        const bool isCut = record.data() + record.size() == sample.head.data() + sample.head.size();
        if (likeness == Likeness::No && isCut && spoken > 0)
            continue; // the head has too little of it
        ++spoken;
        own += likeness == Likeness::No ? 0 : 1;
        best = std::max(best, likeness);
    }
    return own * 2 > spoken ? best : Likeness::No;
}

Result<SessionPtr> readOpenAiResponses(const ReadContext &context)
{
    const Sample sample = sampleOf(context.source->bytes());
    return sample.isSingleValue ? ResponsesReader(context).readDocument() : ResponsesReader(context).readLines();
}

} // namespace

const Format kOpenAiResponses { "openai-responses", "OpenAI Responses",
    "request bodies, responses, item lists (also newest first), and recordings of many requests as JSONL",
    sniffOpenAiResponses, openWhole<readOpenAiResponses>,
    { .shape = MessageShape::Responses,
        .splice = { .message = newResponsesItem, .endsInRecording = true, .hasSystem = true } } };

} // namespace core
