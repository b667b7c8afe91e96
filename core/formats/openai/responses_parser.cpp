// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/responses_parser.h"

#include "core/formats/reading/json_records.h"

#include <algorithm>
#include <unordered_map>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;
using Shape = ResponsesShape;

bool isArray(ondemand::value value) { return value.type() == json_type::array; }
std::string textIn(ondemand::value value) { return stringOf(value).value_or(std::string()); }

bool isItemType(std::string_view type)
{
    return type == "message" || type == "reasoning" || type == "agent_message" || type.ends_with("_call")
        || type.ends_with("_output") || type.starts_with("compaction") || type == "context_compaction"
        || type == "item_reference" || type == "mcp_list_tools" || type == "additional_tools"
        || type == "ghost_snapshot" || type.starts_with("mcp_approval");
}

/// Examines the members and rewinds.
Shape shapeOf(ondemand::object &object)
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
        if (key == "type" && isString(value))
            type = rawString(value);
        else if (key == "input")
            hasInput = isArray(value) || isString(value);
        else if (key == "output")
            hasOutput = isArray(value);
        else if (key == "data")
            hasData = isArray(value);
        else if (key == "request")
            hasRequest = isObject(value);
        else if (key == "role")
            hasRole = true;
    }
    object.reset();
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

/// Lists are newest first unless another order was requested.
bool isNewestFirst(const std::vector<ResponsesItem> &items)
{
    int forward = 0;
    int backward = 0;
    std::unordered_map<StringId, ResponsesItem::Kind> halves; // calls and results in order
    for (const ResponsesItem &item : items) {
        const StringId callId = item.draft.blocks.empty() ? StringId() : item.draft.blocks.front().callId;
        if (!callId.isValid())
            continue;
        const auto [half, isFirst] = halves.try_emplace(callId, item.kind);
        if (!isFirst && half->second != item.kind)
            ++(half->second == ResponsesItem::Kind::Call ? forward : backward);
    }
    if (forward != backward)
        return backward > forward;
    // Without calls: a conversation does not begin with model output.
    return items.size() > 1 && items.front().isModelOutput && !items.back().isModelOutput;
}

} // namespace

std::optional<ResponsesResponse> ResponsesStream::add(ResponsesRecord event)
{
    const bool isEnd = event.eventType == "response.completed" || event.eventType == "response.incomplete"
        || event.eventType == "response.failed";
    if (event.eventType == "response.created")
        m_items.clear();
    else if (event.eventType == "response.output_item.done")
        std::ranges::move(event.items, std::back_inserter(m_items));
    if (!isEnd || event.responses.empty())
        return std::nullopt;
    ResponsesResponse response = std::move(event.responses.front());
    if (response.items.empty())
        response.items = std::move(m_items);
    m_items.clear();
    return response;
}

ResponsesRecord ResponsesParser::parse(ondemand::object &object, SourceId source, LineCursor &lines) const
{
    const Place place { source, lines, {} };
    ResponsesRecord record;
    record.shape = shapeOf(object);
    switch (record.shape) {
    case Shape::Request:
        record.requests.push_back(readRequest(object, place, record.skipped));
        break;
    case Shape::Response:
        record.responses.push_back(readResponse(object, place, record.skipped));
        break;
    case Shape::List:
        readList(object, place, record);
        break;
    case Shape::Exchange:
        readExchange(object, place, record);
        break;
    case Shape::Event:
        readEvent(object, place, record);
        break;
    case Shape::Item:
        record.items.push_back(readItem(object, place));
        break;
    case Shape::Other:
        break;
    }
    return record;
}

ResponsesItem ResponsesParser::readItem(ondemand::object &object, const Place &place) const
{
    const std::string_view json = object.raw_json();
    object.reset();
    return m_items.read(object, place.at(json));
}

/// A list of items, or the string of one user message.
std::vector<ResponsesItem> ResponsesParser::readItems(ondemand::value value, const Place &place, size_t &skipped) const
{
    std::vector<ResponsesItem> items;
    if (isString(value)) {
        const std::string_view raw = rawString(value);
        ResponsesItem &item = items.emplace_back();
        item.kind = ResponsesItem::Kind::Message;
        item.beginsTurn = true;
        item.draft = m_items.typedText(raw, place.at(raw));
    } else if (isArray(value)) {
        for (ondemand::value element : value.get_array()) {
            if (!isObject(element)) {
                ++skipped;
                continue;
            }
            ondemand::object object = element.get_object();
            items.push_back(readItem(object, place));
        }
    }
    return items;
}

ResponsesRequest ResponsesParser::readRequest(ondemand::object &object, const Place &place, size_t &skipped) const
{
    ResponsesRequest request;
    const ItemPlace whole = place.at(object.raw_json());
    object.reset();
    request.line = whole.line;
    request.time = place.time;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "input")
            request.items = readItems(value, place, skipped);
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

ResponsesResponse ResponsesParser::readResponse(ondemand::object object, const Place &place, size_t &skipped) const
{
    ResponsesResponse response;
    const ItemPlace whole = place.at(object.raw_json());
    object.reset();
    response.line = whole.line;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "output") {
            response.items = readItems(value, place, skipped);
        } else if (key == "usage" && isObject(value)) {
            response.usage = ResponsesItems::readUsage(value.get_object());
        } else if (key == "created_at") {
            if (const auto seconds = unsignedOf(value))
                response.time = timeOfNumber(static_cast<double>(*seconds));
        } else if (key == "instructions") {
            m_items.readInstructions(value, whole, response.system);
        } else if (key == "tools") {
            m_items.readTools(value, whole, response.tools);
        } else if (key == "id") {
            response.id = textIn(value);
        } else if (key == "model") {
            response.model = m_builder.intern(textIn(value));
        } else if (key == "previous_response_id") {
            response.previousId = textIn(value);
        }
    }
    return response;
}

void ResponsesParser::readList(ondemand::object &object, const Place &place, ResponsesRecord &record) const
{
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        if (key == "data")
            record.items = readItems(field.value(), place, record.skipped);
    }
    if (isNewestFirst(record.items))
        std::ranges::reverse(record.items);
}

void ResponsesParser::readEvent(ondemand::object &object, const Place &place, ResponsesRecord &record) const
{
    record.shape = Shape::Event;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "type") {
            record.eventType = textIn(value);
        } else if (key == "response" && isObject(value)) {
            record.responses.push_back(readResponse(value.get_object(), place, record.skipped));
        } else if (key == "item" && isObject(value)) {
            ondemand::object item = value.get_object();
            record.items.push_back(readItem(item, place));
        }
    }
}

// --- a proxy's records ---------------------------------------------------------------------------------------------

void ResponsesParser::readExchange(ondemand::object &object, const Place &place, ResponsesRecord &record) const
{
    Place own = place;
    if (const auto time = memberOf(object, "timestamp"); time && isString(*time))
        own.time = parseTime(rawString(*time));
    object.reset();
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "request" && isObject(value))
            readRequestSide(value.get_object(), own, record);
        else if (key == "response" && isObject(value))
            readResponseSide(value.get_object(), own, record);
    }
}

/// The body itself, or the request that contains it; on a socket the body only repeats the last of many.
void ResponsesParser::readRequestSide(ondemand::object object, const Place &place, ResponsesRecord &record) const
{
    if (shapeOf(object) == Shape::Request) {
        record.requests.push_back(readRequest(object, place, record.skipped));
        return;
    }
    ResponsesRecord socket;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "body" && isObject(value)) {
            ondemand::object body = value.get_object();
            if (shapeOf(body) == Shape::Request)
                record.requests.push_back(readRequest(body, place, record.skipped));
        } else if (key == "ws_events" && isArray(value)) {
            readSocketRequests(value.get_array(), place, socket);
        }
    }
    if (!socket.requests.empty())
        record.requests = std::move(socket.requests);
}

void ResponsesParser::readSocketRequests(ondemand::array events, const Place &place, ResponsesRecord &record) const
{
    for (ondemand::value event : events) {
        if (!isObject(event))
            continue;
        ondemand::object body = event.get_object();
        if (shapeOf(body) == Shape::Request)
            record.requests.push_back(readRequest(body, place, record.skipped));
    }
}

void ResponsesParser::readResponseSide(ondemand::object object, const Place &place, ResponsesRecord &record) const
{
    if (shapeOf(object) == Shape::Response) {
        record.responses.push_back(readResponse(object, place, record.skipped));
        return;
    }
    std::vector<ResponsesResponse> streamed;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "body" && isObject(value))
            record.responses.push_back(readResponse(value.get_object(), place, record.skipped));
        else if ((key == "ws_events" || key == "sse_events") && isArray(value))
            streamed = readStream(value.get_array(), place, record.skipped);
    }
    if (!streamed.empty())
        record.responses = std::move(streamed);
}

std::vector<ResponsesResponse> ResponsesParser::readStream(
    ondemand::array events, const Place &place, size_t &skipped) const
{
    std::vector<ResponsesResponse> responses;
    ResponsesStream stream;
    const auto take = [&](ondemand::object event) {
        ResponsesRecord record;
        readEvent(event, place, record);
        skipped += record.skipped;
        if (auto response = stream.add(std::move(record)))
            responses.push_back(std::move(*response));
    };
    for (ondemand::value element : events) {
        if (!isObject(element))
            continue;
        ondemand::object event = element.get_object();
        auto data = memberOf(event, "data");
        if (data && isString(*data)) {
            addFramedEvent(rawString(*data), place, stream, responses);
        } else if (data && isObject(*data)) {
            take(data->get_object());
        } else {
            event.reset();
            take(event);
        }
    }
    return responses;
}

/// An event whose JSON is in a string: the needed part is decoded into a separate source.
void ResponsesParser::addFramedEvent(
    std::string_view raw, const Place &place, ResponsesStream &stream, std::vector<ResponsesResponse> &responses) const
{
    const bool isWanted = raw.find("response.completed") != std::string_view::npos
        || raw.find("response.output_item.done") != std::string_view::npos;
    if (!isWanted)
        return;
    const std::string &name = m_builder.session().sources[place.source.index()]->name();
    const SourceId source = m_builder.addSource(Source::own(decodeJsonString(raw), name));
    const std::string_view bytes = m_builder.sourceBytes(source);
    LineCursor lines(place.lines.lineOf(raw));
    ondemand::parser parser;
    ondemand::document document = parser.iterate(bytes.data(), bytes.size(), bytes.size() + simdjson::SIMDJSON_PADDING);
    ondemand::object event = document.get_object();
    ResponsesRecord record;
    readEvent(event, Place { source, lines, place.time }, record);
    if (auto response = stream.add(std::move(record)))
        responses.push_back(std::move(*response));
}

} // namespace core
