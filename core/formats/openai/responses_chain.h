// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/openai/responses_parser.h"
#include "core/session/request_log.h"

#include <deque>

namespace core {

/// Makes a session out of recorded requests: whole arrays out of those that only name the response they follow, then
/// one array with its derived calls (a single request) or a RequestLog.
///
/// A request with a `previous_response_id` was sent the array of the request that this response answered, the answer,
/// and its own input. Where answers are not recorded the request before it under the same `prompt_cache_key` is taken
/// to be that one, and the answer is looked for in the next request that holds the whole array again.
class ResponsesChain final {
public:
    ResponsesChain(SessionBuilder &builder, ResponsesItems &items)
        : m_builder(builder)
        , m_items(items)
    {
    }

    void add(ResponsesRequest request, std::optional<ResponsesResponse> response);
    /// Puts everything into the pool. False if there was no request at all.
    [[nodiscard]] bool finish();

    /// True if the requests are Codex's, by their instructions.
    [[nodiscard]] bool isCodex() const { return m_isCodex; }

private:
    /// A request in its chain: its array is that of `parent`, the answer to that, and `request.items`.
    struct Link {
        std::shared_ptr<Link> parent;
        ResponsesRequest request;
        std::vector<ResponsesItem> answer;
        bool isAnswered = false; ///< recorded, found out, or known to be empty
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
    std::vector<LinkPtr> m_held; ///< until a whole array tells what the model answered in between
    LinkPtr m_first;
    std::optional<RequestLog> m_log;
    std::unordered_map<StringId, ResponsesItem> m_itemsById;
    size_t m_unknownAnswers = 0;
    bool m_isCodex = false;
};

} // namespace core
