// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/responses_items.h"
#include "core/json/line_cursor.h"

#include <string>

namespace core {

/// One recorded request body of the Responses API.
struct ResponsesRequest {
    std::vector<ResponsesItem> items; ///< `input`: the whole array, or only its new items if `previousId` is set
    std::vector<Block> system;
    std::vector<Block> tools;
    StringId model;
    std::string previousId; ///< `previous_response_id`
    std::string cacheKey;   ///< `prompt_cache_key`: identifies a conversation, if the client sets it
    bool generates = true;  ///< false for a request that only warms the cache, which is not a call
    std::optional<Timestamp> time;
    uint64_t line = 0;
};

/// One recorded response.
struct ResponsesResponse {
    std::vector<ResponsesItem> items;
    std::vector<Block> system; ///< system prompt and tools, which responses repeat
    std::vector<Block> tools;
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    std::string id;
    std::string previousId;
    uint64_t line = 0;
};

/// The kinds of JSON objects of this API, recognised by their members.
enum class ResponsesShape : uint8_t {
    Request,  ///< a body with `input`, or the event `response.create`
    Response, ///< with `output`
    List,     ///< `data` of items
    Exchange, ///< a proxy's record with `request` and `response`
    Event,    ///< a stream event: `response.created`, `response.output_item.done`, `response.completed`…
    Item,
    Other,
};

/// One JSON object after reading.
struct ResponsesRecord {
    ResponsesShape shape = ResponsesShape::Other;
    std::vector<ResponsesRequest> requests;
    std::vector<ResponsesResponse> responses; ///< of an exchange: in the order of the requests, possibly fewer
    std::vector<ResponsesItem> items;         ///< of a list, oldest first; or the item of an event; or the item itself
    std::string eventType;
    size_t skipped = 0; ///< elements that are not items
};

/// Assembles responses from stream events.
class ResponsesStream final {
public:
    /// The response that this event completes.
    [[nodiscard]] std::optional<ResponsesResponse> add(ResponsesRecord event);

private:
    std::vector<ResponsesItem> m_items;
};

/// Reads JSON of this API: bodies, responses, lists, events, and records of proxies that contain them (claude-tap:
/// `request.body`, `response.body`, and `ws_events` or `sse_events` of both sides). Stateless; ignores headers.
class ResponsesParser final {
public:
    ResponsesParser(SessionBuilder &builder, const ResponsesItems &items)
        : m_builder(builder)
        , m_items(items)
    {
    }

    /// Consumes the object. Throws `simdjson::simdjson_error` on damage; changes only the builder's interned names and
    /// sources.
    [[nodiscard]] ResponsesRecord parse(simdjson::ondemand::object &object, SourceId source, LineCursor &lines) const;

private:
    struct Place {
        SourceId source;
        LineCursor &lines;
        std::optional<Timestamp> time;

        /// The place of an item or body whose record is its own JSON.
        [[nodiscard]] ItemPlace at(std::string_view json) const
        {
            return { source, lines.lineOf(json), 0, 0, time, {} };
        }
    };

    [[nodiscard]] ResponsesItem readItem(simdjson::ondemand::object &object, const Place &place) const;
    [[nodiscard]] std::vector<ResponsesItem> readItems(
        simdjson::ondemand::value value, const Place &place, size_t &skipped) const;
    [[nodiscard]] ResponsesRequest readRequest(
        simdjson::ondemand::object &object, const Place &place, size_t &skipped) const;
    [[nodiscard]] ResponsesResponse readResponse(
        simdjson::ondemand::object object, const Place &place, size_t &skipped) const;
    void readList(simdjson::ondemand::object &object, const Place &place, ResponsesRecord &record) const;
    void readEvent(simdjson::ondemand::object &object, const Place &place, ResponsesRecord &record) const;
    void readExchange(simdjson::ondemand::object &object, const Place &place, ResponsesRecord &record) const;
    void readRequestSide(simdjson::ondemand::object object, const Place &place, ResponsesRecord &record) const;
    void readResponseSide(simdjson::ondemand::object object, const Place &place, ResponsesRecord &record) const;
    void readSocketRequests(simdjson::ondemand::array events, const Place &place, ResponsesRecord &record) const;
    [[nodiscard]] std::vector<ResponsesResponse> readStream(
        simdjson::ondemand::array events, const Place &place, size_t &skipped) const;
    void addFramedEvent(std::string_view raw, const Place &place, ResponsesStream &stream,
        std::vector<ResponsesResponse> &responses) const;

    SessionBuilder &m_builder;
    const ResponsesItems &m_items;
};

} // namespace core
