// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/item_history.h"
#include "core/formats/json_probe.h"
#include "core/formats/json_records.h"
#include "core/formats/responses_chain.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;

constexpr size_t kTitleCodePoints = 80;
/// Up to this size all of a document is searched for its members.
constexpr size_t kMaxSearched = 64U << 20U;

bool isObject(ondemand::value value) { return value.type() == json_type::object; }
bool isArray(ondemand::value value) { return value.type() == json_type::array; }

std::string textIn(ondemand::value value) { return stringOf(value).value_or(std::string()); }

std::optional<Timestamp> secondsIn(ondemand::value value)
{
    const auto seconds = unsignedOf(value);
    return seconds ? std::optional(static_cast<Timestamp>(*seconds) * 1000) : std::nullopt;
}

/// What a JSON object of this API is, by its members.
enum class Shape : uint8_t {
    Request,  ///< a body with `input`, also as the event `response.create`
    Response, ///< with `output`
    List,     ///< `data` of items
    Exchange, ///< a proxy's record with `request` and `response`
    Event,    ///< of a stream: `response.created`, `response.output_item.done`, `response.completed`…
    Item,
    Other,
};

bool isItemType(std::string_view type)
{
    return type == "message" || type == "reasoning" || type == "agent_message" || type.ends_with("_call")
        || type.ends_with("_output") || type.starts_with("compaction") || type == "context_compaction"
        || type == "item_reference" || type == "mcp_list_tools" || type == "ghost_snapshot"
        || type.starts_with("mcp_approval");
}

/// Where JSON stands that is being read: which source, and how its lines are counted.
struct Place {
    SourceId source;
    uint64_t line = 0;            ///< of the record, where the file is one of lines
    AscendingLines *lines = nullptr; ///< where it is one document
    std::optional<Timestamp> time;

    [[nodiscard]] ItemPlace at(std::string_view json) const
    {
        return { source, lines != nullptr ? lines->lineOf(json.data()) : line, 0, 0, time, {} };
    }
};

/// Reads the JSON of this API into requests and responses; keeps nothing.
class ResponsesParser final {
public:
    ResponsesParser(SessionBuilder &builder, const ResponsesItems &items)
        : m_builder(builder)
        , m_items(items)
    {
    }

    struct Parsed {
        Shape shape = Shape::Other;
        std::vector<ResponsesRequest> requests;
        std::vector<ResponsesResponse> responses; ///< for an exchange, one for each request, in order
        std::vector<ResponsesItem> items;         ///< of a list, or the item itself
        std::string eventType;
        size_t skipped = 0; ///< elements that are no items
    };

    Parsed parse(ondemand::object &object, const Place &place) const
    {
        Parsed parsed;
        parsed.shape = shapeOf(object);
        object.reset();
        switch (parsed.shape) {
        case Shape::Request:
            parsed.requests.push_back(readRequest(object, place));
            break;
        case Shape::Response:
            parsed.responses.push_back(readResponse(object, place));
            break;
        case Shape::List:
            readList(object, place, parsed);
            break;
        case Shape::Exchange:
            readExchange(object, place, parsed);
            break;
        case Shape::Event:
            readEvent(object, place, parsed);
            break;
        case Shape::Item:
            parsed.items.push_back(readItem(object, place));
            break;
        case Shape::Other:
            break;
        }
        return parsed;
    }

    [[nodiscard]] ResponsesItem readItem(ondemand::object &object, const Place &place) const
    {
        const std::string_view json = object.raw_json();
        object.reset();
        return m_items.read(object, place.at(json));
    }

private:
    static Shape shapeOf(ondemand::object &object)
    {
        std::string_view type;
        bool hasInput = false;
        bool hasOutput = false;
        bool hasData = false;
        bool hasRequest = false;
        bool hasRole = false;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "type" && value.type() == json_type::string)
                type = rawString(value);
            else if (key == "input")
                hasInput = isArray(value) || value.type() == json_type::string;
            else if (key == "output")
                hasOutput = isArray(value);
            else if (key == "data")
                hasData = isArray(value);
            else if (key == "request")
                hasRequest = isObject(value);
            else if (key == "role")
                hasRole = true;
        }
        if (hasRequest)
            return Shape::Exchange;
        if (isItemType(type) || (type.empty() && hasRole))
            return Shape::Item;
        if (hasInput)
            return Shape::Request;
        if (type.starts_with("response."))
            return Shape::Event;
        if (hasOutput)
            return Shape::Response;
        return hasData ? Shape::List : Shape::Other;
    }

    /// A list of items, or the string that stands for one user message.
    std::vector<ResponsesItem> readItems(ondemand::value value, const Place &place, size_t *skipped = nullptr) const
    {
        std::vector<ResponsesItem> items;
        if (value.type() == json_type::string) {
            const std::string_view raw = rawString(value);
            ResponsesItem item;
            item.kind = ResponsesItem::Kind::Message;
            item.beginsTurn = true;
            item.draft = m_items.typedText(raw, place.at(raw));
            items.push_back(std::move(item));
        } else if (isArray(value)) {
            for (ondemand::value element : value.get_array()) {
                if (isObject(element)) {
                    ondemand::object object = element.get_object();
                    items.push_back(readItem(object, place));
                } else if (skipped != nullptr) {
                    ++*skipped;
                }
            }
        }
        return items;
    }

    ResponsesRequest readRequest(ondemand::object &object, const Place &place) const
    {
        ResponsesRequest request;
        const std::string_view json = object.raw_json();
        object.reset();
        const ItemPlace whole = place.at(json);
        request.line = whole.line;
        request.time = place.time;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "input")
                request.items = readItems(value, place);
            else if (key == "instructions")
                m_items.readInstructions(value, whole, request.system);
            else if (key == "tools")
                m_items.readTools(value, whole, request.tools);
            else if (key == "model")
                request.model = m_builder.intern(textIn(value));
            else if (key == "previous_response_id")
                request.previousId = textIn(value);
            else if (key == "prompt_cache_key")
                request.cacheKey = textIn(value);
            else if (key == "generate")
                request.generates = value.type() != json_type::boolean || isTrue(value);
        }
        return request;
    }

    ResponsesResponse readResponse(ondemand::object object, const Place &place) const
    {
        ResponsesResponse response;
        const ItemPlace whole = place.at(object.raw_json());
        object.reset();
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "output")
                response.items = readItems(value, place);
            else if (key == "usage" && isObject(value))
                response.usage = ResponsesItems::readUsage(value.get_object());
            else if (key == "id")
                response.id = textIn(value);
            else if (key == "model")
                response.model = m_builder.intern(textIn(value));
            else if (key == "created_at")
                response.time = secondsIn(value);
            else if (key == "instructions")
                m_items.readInstructions(value, whole, response.system);
            else if (key == "tools")
                m_items.readTools(value, whole, response.tools);
            else if (key == "previous_response_id")
                response.previousId = textIn(value);
        }
        return response;
    }

    /// Lists come newest first where nobody asked for another order.
    void readList(ondemand::object &object, const Place &place, Parsed &parsed) const
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            if (key == "data")
                parsed.items = readItems(field.value(), place, &parsed.skipped);
        }
        if (isNewestFirst(parsed.items))
            std::ranges::reverse(parsed.items);
    }

    static bool isNewestFirst(const std::vector<ResponsesItem> &items)
    {
        int forward = 0;
        int backward = 0;
        std::unordered_map<StringId, ResponsesItem::Kind> halves; // of calls and results
        for (const ResponsesItem &item : items) {
            const StringId callId = item.draft.blocks.empty() ? StringId() : item.draft.blocks.front().callId;
            if (!callId.isValid())
                continue;
            const auto [first, isNew] = halves.try_emplace(callId, item.kind);
            if (!isNew && first->second != item.kind)
                ++(first->second == ResponsesItem::Kind::Call ? forward : backward);
        }
        if (forward != backward)
            return backward > forward;
        // Without calls: a conversation begins with what is not the model's.
        return items.size() > 1 && items.front().isModelOutput && !items.back().isModelOutput;
    }

    void readEvent(ondemand::object &object, const Place &place, Parsed &parsed) const
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "type") {
                parsed.eventType = textIn(value);
            } else if (key == "response" && isObject(value)) {
                parsed.responses.push_back(readResponse(value.get_object(), place));
            } else if (key == "item" && isObject(value)) {
                ondemand::object item = value.get_object();
                parsed.items.push_back(readItem(item, place));
            }
        }
    }

    // --- a proxy's records --------------------------------------------------------------------------------------------

    void readExchange(ondemand::object &object, const Place &place, Parsed &parsed) const
    {
        Place own = place;
        ondemand::value time;
        if (object.find_field_unordered("timestamp").get(time) == simdjson::SUCCESS
            && time.type() == json_type::string)
            own.time = parseTime(rawString(time));
        object.reset();
        StreamAssembly stream;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "request" && isObject(value))
                readRequestSide(value.get_object(), own, parsed);
            else if (key == "response" && isObject(value))
                readResponseSide(value.get_object(), own, parsed, stream);
        }
        if (!stream.finished.empty())
            parsed.responses = std::move(stream.finished);
    }

    void readRequestSide(ondemand::object object, const Place &place, Parsed &parsed) const
    {
        std::vector<ResponsesRequest> streamed;
        if (shapeOf(object) == Shape::Request) {
            object.reset();
            parsed.requests.push_back(readRequest(object, place));
            return;
        }
        object.reset();
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "body" && isObject(value)) {
                ondemand::object body = value.get_object();
                if (shapeOf(body) != Shape::Request)
                    continue;
                body.reset();
                parsed.requests.push_back(readRequest(body, place));
            } else if (key == "ws_events" && isArray(value)) {
                for (ondemand::value event : value.get_array()) {
                    if (!isObject(event))
                        continue;
                    ondemand::object body = event.get_object();
                    if (shapeOf(body) != Shape::Request)
                        continue;
                    body.reset();
                    streamed.push_back(readRequest(body, place));
                }
            }
        }
        // The body repeats the last request of the connection.
        if (!streamed.empty())
            parsed.requests = std::move(streamed);
    }

    /// Responses out of the events of a stream.
    struct StreamAssembly {
        std::vector<ResponsesResponse> finished;
        std::vector<ResponsesItem> items;
    };

    void readResponseSide(
        ondemand::object object, const Place &place, Parsed &parsed, StreamAssembly &stream) const
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "body" && isObject(value))
                parsed.responses.push_back(readResponse(value.get_object(), place));
            else if (key == "output" && isArray(value))
                parsed.responses.emplace_back().items = readItems(value, place);
            else if ((key == "ws_events" || key == "sse_events") && isArray(value))
                readStream(value.get_array(), place, stream);
        }
    }

    void readStream(ondemand::array events, const Place &place, StreamAssembly &stream) const
    {
        for (ondemand::value element : events) {
            if (!isObject(element))
                continue;
            ondemand::object event = element.get_object();
            ondemand::value data;
            const bool isFramed = event.find_field_unordered("data").get(data) == simdjson::SUCCESS;
            if (isFramed && data.type() == json_type::string) {
                readFramedEvent(rawString(data), place, stream);
            } else if (isFramed && isObject(data)) {
                ondemand::object inner = data.get_object();
                takeEvent(inner, place, stream);
            } else {
                event.reset();
                takeEvent(event, place, stream);
            }
        }
    }

    /// An event whose JSON stands in a string: it becomes a source of its own.
    void readFramedEvent(std::string_view raw, const Place &place, StreamAssembly &stream) const
    {
        const bool isWanted = raw.find("response.completed") != std::string_view::npos
            || raw.find("response.output_item.done") != std::string_view::npos;
        if (!isWanted)
            return;
        const SourceId source = m_builder.addSource(
            Source::own(decodeJsonString(raw), m_builder.session().sources[place.source.index()]->name()));
        const std::string_view bytes = m_builder.sourceBytes(source);
        Place own { source, place.at(raw).line, nullptr, place.time };
        ondemand::parser parser;
        ondemand::document document
            = parser.iterate(bytes.data(), bytes.size(), bytes.size() + simdjson::SIMDJSON_PADDING);
        ondemand::object event = document.get_object();
        takeEvent(event, own, stream);
    }

    void takeEvent(ondemand::object &event, const Place &place, StreamAssembly &stream) const
    {
        Parsed parsed;
        readEvent(event, place, parsed);
        takeEvent(parsed, stream);
    }

public:
    /// Adds an event; true if a response is whole with it.
    static bool takeEvent(Parsed &event, StreamAssembly &stream)
    {
        if (event.eventType == "response.created") {
            stream.items.clear();
        } else if (event.eventType == "response.output_item.done") {
            std::ranges::move(event.items, std::back_inserter(stream.items));
        } else if (!event.responses.empty()
                   && (event.eventType == "response.completed" || event.eventType == "response.incomplete"
                       || event.eventType == "response.failed")) {
            ResponsesResponse &response = event.responses.front();
            if (response.items.empty())
                response.items = std::move(stream.items);
            stream.items.clear();
            stream.finished.push_back(std::move(response));
            return true;
        }
        return false;
    }

    using Stream = StreamAssembly;

private:
    SessionBuilder &m_builder;
    const ResponsesItems &m_items;
};

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
        m_builder.session().format = kOpenAiResponses.id;
        m_builder.session().merging = SlotMerging::None;
    }

    Result<SessionPtr> readLines()
    {
        const auto visit = [this](ondemand::object &object, const Record &record) {
            (void)object.raw_json().value(); // whole, before anything of it is taken over
            object.reset();
            auto parsed = m_parser.parse(object, { record.source, record.line, nullptr, {} });
            object.reset();
            (void)object.raw_json().value();
            ++m_builder.session().recordCount;
            accept(parsed, record.line);
        };
        if (!forEachRecord(m_builder, m_source, m_context, visit))
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        return finish();
    }

    Result<SessionPtr> readDocument()
    {
        std::vector<ResponsesParser::Parsed> all;
        const auto read
            = core::readDocument(m_builder, m_source, [&](ondemand::document &document, SourceId holder) {
                  all.clear();
                  AscendingLines lines(m_builder.sourceBytes(holder));
                  const Place place { holder, 1, &lines, {} };
                  if (document.type() == json_type::object) {
                      ondemand::object object = document.get_object();
                      all.push_back(m_parser.parse(object, place));
                      return;
                  }
                  for (ondemand::value element : document.get_array()) {
                      if (!isObject(element)) {
                          all.emplace_back().skipped = 1;
                          continue;
                      }
                      ondemand::object object = element.get_object();
                      all.push_back(m_parser.parse(object, place));
                  }
              });
        if (!read)
            return std::unexpected(read.error());
        if (m_context.isCancelled())
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        m_builder.session().recordCount = all.size();
        for (ResponsesParser::Parsed &parsed : all)
            accept(parsed, 0);
        return finish();
    }

private:
    void accept(ResponsesParser::Parsed &parsed, uint64_t line)
    {
        if (parsed.skipped > 0)
            m_builder.warn(line, groupedNumber(parsed.skipped) + " elements are no items and were skipped.");
        switch (parsed.shape) {
        case Shape::Request:
            submitPending();
            m_pending = std::move(parsed.requests.front());
            m_stream = {};
            break;
        case Shape::Response:
            acceptResponse(std::move(parsed.responses.front()));
            break;
        case Shape::Event:
            if (ResponsesParser::takeEvent(parsed, m_stream)) {
                acceptResponse(std::move(m_stream.finished.back()));
                m_stream = {};
            }
            break;
        case Shape::Exchange:
            submitPending();
            for (size_t i = 0; i < parsed.requests.size(); ++i) {
                const bool isAnswered = i < parsed.responses.size();
                m_chain.add(std::move(parsed.requests[i]),
                            isAnswered ? std::optional(std::move(parsed.responses[i])) : std::nullopt);
            }
            break;
        case Shape::List:
        case Shape::Item:
            std::ranges::move(parsed.items, std::back_inserter(m_loose));
            break;
        case Shape::Other:
            break; // an empty line of a recording, a rate limit, what is yet to come
        }
    }

    /// A response belongs to the request before it, or stands alone.
    void acceptResponse(ResponsesResponse response)
    {
        if (!m_pending) {
            m_pending.emplace();
            m_pending->system = std::move(response.system);
            m_pending->tools = std::move(response.tools);
            m_pending->previousId = response.previousId;
            m_pending->model = response.model;
            m_pending->line = response.items.empty() ? 1 : response.items.front().draft.line;
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
            return failure(ErrorKind::Malformed, "There is no request, response or item in this file that can be read.",
                           m_context.source->name());
        }
        m_items.noteOrphans();
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
    std::optional<ResponsesRequest> m_pending; ///< whose response may follow
    ResponsesParser::Stream m_stream;
    std::vector<ResponsesItem> m_loose; ///< items that stand in no request
};

// --- recognising ------------------------------------------------------------------------------------------------------

bool holdsItems(std::string_view array)
{
    return std::ranges::any_of(jsonElements(array, 12).items, looksLikeResponsesItem);
}

/// A body with `input`: of items, or of a string beside members that no other API has.
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
        return isJsonObject(members.raw("response")) || isJsonObject(members.raw("item")) ? Likeness::Likely : Likeness::No;
    if (isJsonObject(members.raw("request"))) {
        const JsonMembers request = members.object("request");
        return requestLikeness(request.has("body") ? request.object("body") : request);
    }
    if (looksLikeResponsesItem(json))
        return Likeness::Maybe; // an item by itself, a line of a list
    return members.has("input") || type == "response.create" ? requestLikeness(members) : Likeness::No;
}

/// Records that say nothing: `{}`, which proxies write for requests without a body.
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
            continue; // too little of it stands in the head
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
    sniffOpenAiResponses, readOpenAiResponses };

} // namespace core
