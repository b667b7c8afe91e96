// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/responses_parser.h"
#include "core/session/request_log.h"

#include <deque>

namespace core {

/// Makes a session from recorded requests. Completes the arrays of requests that only name the response they follow,
/// then builds one array with derived calls (for a single request) or a RequestLog.
///
/// A request with a `previous_response_id` has as its array the array of the request that this response answered, plus
/// the response, plus its own input. If responses are not recorded, the request before it with the same
/// `prompt_cache_key` counts as its predecessor, and the response is found in the next request with a whole array.
class ResponsesChain final {
public:
    ResponsesChain(SessionBuilder &builder, ResponsesItems &items)
        : m_builder(builder)
        , m_items(items)
    {
    }

    void add(ResponsesRequest request, std::optional<ResponsesResponse> response);
    /// Adds everything to the pool. False if there was no request.
    [[nodiscard]] bool finish();

    /// Whether the requests are Codex's, by their instructions.
    [[nodiscard]] bool isCodex() const { return m_isCodex; }

private:
    /// A request in its chain. Its array is the array of `parent`, the response to that, and `request.items`.
    struct Link {
        std::shared_ptr<Link> parent;
        ResponsesRequest request;
        std::vector<ResponsesItem> answer;
        bool isAnswered = false; ///< the response is recorded, was found, or is known to be empty
        ResponsesResponse response;
        bool hasResponse = false;
    };
    using LinkPtr = std::shared_ptr<Link>;

    [[nodiscard]] LinkPtr parentOf(const ResponsesRequest &request);
    [[nodiscard]] static std::vector<ResponsesItem> arrayOf(const Link &link);
    void findAnswers(const Link &whole);
    void releaseHeld();
    void emit(const LinkPtr &link);
    void emitSingle(const Link &link);
    void resolveReferences(std::vector<ResponsesItem> &items, uint64_t line);
    [[nodiscard]] RequestDraft draftOf(const Link &link);
    [[nodiscard]] Hash hashOf(const MessageDraft &draft) const;

    SessionBuilder &m_builder;
    ResponsesItems &m_items;
    std::deque<LinkPtr> m_recent;
    std::vector<LinkPtr> m_held; ///< waiting for a whole array that shows the responses in between
    LinkPtr m_first;
    std::optional<RequestLog> m_log;
    std::unordered_map<StringId, ResponsesItem> m_itemsById;
    size_t m_unknownAnswers = 0;
    bool m_isCodex = false;
};

} // namespace core
