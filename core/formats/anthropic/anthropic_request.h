// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/json/line_cursor.h"
#include "core/session/request_log.h"

#include <optional>
#include <simdjson.h>
#include <string>
#include <vector>

namespace core {

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

/// Reads requests of the Anthropic Messages API, bare or in the envelope of a proxy, their messages and responses. All
/// of it throws `simdjson::simdjson_error` on damage, and changes nothing but the builder's interned names.
class RequestReader final {
public:
    explicit RequestReader(SessionBuilder &builder)
        : m_builder(builder)
    {
    }

    RequestRecord readRecord(simdjson::ondemand::object &object, SourceId holder, LineCursor &lines, uint64_t line);
    void readResponse(simdjson::ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into);
    MessageDraft readMessage(simdjson::ondemand::object &object, SourceId holder, LineCursor &lines);

    /// The version of Claude Code, if a system prompt names it: `2.1.156`.
    [[nodiscard]] const std::string &version() const { return m_version; }

private:
    void readBody(simdjson::ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into);
    /// `{method, path | url, headers, body}`, as proxies that record traffic write it.
    void readRequestEnvelope(
        simdjson::ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into);
    /// `{status, headers, body}`, where the body is the response message, or `body_raw` what was streamed.
    void readResponseEnvelope(
        simdjson::ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into);
    /// Sets the flags that say who wrote a text. The text is the only evidence in a request.
    void flag(Block &block, Role role) const;
    void readSystem(simdjson::ondemand::value value, SourceId holder, LineCursor &lines, RequestRecord &into);
    Block toolBlock(simdjson::ondemand::value value, SourceId holder, LineCursor &lines);
    static std::optional<Timestamp> timeOf(simdjson::ondemand::value value);
    /// `cc_version=2.1.156.053`: the fourth number is that of the build.
    void noteVersion(std::string_view header);

    SessionBuilder &m_builder;
    std::string m_version;
};

} // namespace core
