// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_request.h"

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <span>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kBillingOpening = "x-anthropic-billing-header";
constexpr size_t kHeadBytes = 400;

bool isArray(ondemand::value value) { return value.type() == ondemand::json_type::array; }

} // namespace

RequestRecord RequestReader::readRecord(ondemand::object &object, SourceId holder, LineCursor &lines, uint64_t line)
{
    RequestRecord into;
    into.request.line = line;
    readBody(object, holder, lines, into);
    into.request.prelude = std::move(into.system);
    std::ranges::move(into.tools, std::back_inserter(into.request.prelude));
    return into;
}

void RequestReader::readBody(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
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

void RequestReader::readRequestEnvelope(
    ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
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

void RequestReader::readResponseEnvelope(
    ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
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

void RequestReader::readResponse(ondemand::object &object, SourceId holder, LineCursor &lines, RequestRecord &into)
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

MessageDraft RequestReader::readMessage(ondemand::object &object, SourceId holder, LineCursor &lines)
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
        setRecord(m_builder, block, holder, raw, draft.line);
        growToBody(block); // damaged content can go on behind its message
        flag(block, draft.role);
    }
    return draft;
}

void RequestReader::flag(Block &block, Role role) const
{
    // What the API's own compaction wrote: everything before it is not looked at any more.
    if (block.kind == BlockKind::Opaque && m_builder.string(block.name) == "compaction")
        block.set(BlockFlag::Summary);
    if (block.kind == BlockKind::ToolResult && block.is(BlockFlag::Error))
        markTypedPart(m_builder, block);
    if (block.kind != BlockKind::Text || role == Role::Assistant || block.callId.isValid())
        return;
    const std::string head = m_builder.session().textHead(block.body, kHeadBytes);
    if (head.starts_with(kSummaryOpening)) {
        block.set(BlockFlag::Summary);
    } else if (role != Role::System && !looksInjected(head)) {
        block.set(BlockFlag::Typed);
    } else {
        block.set(BlockFlag::Injected);
        markTypedPart(m_builder, block);
    }
}

void RequestReader::readSystem(ondemand::value value, SourceId holder, LineCursor &lines, RequestRecord &into)
{
    const std::string_view token = value.raw_json_token();
    const size_t first = into.system.size(); // damaged requests can have the member twice
    readAnthropicContent(m_builder, holder, value, into.system);
    for (Block &block : std::span(into.system).subspan(first)) {
        block.recordLine = lines.lineOf(token);
        const std::string_view all = m_builder.sourceBytes(holder);
        const auto begin = static_cast<size_t>(token.data() - all.data());
        block.recordOffset = begin;
        block.recordSize = skipJson(all, begin).value_or(all.size()) - begin;
        growToBody(block);
        const std::string head = m_builder.session().textHead(block.body, kHeadBytes);
        if (!head.starts_with(kBillingOpening))
            continue;
        block.set(BlockFlag::Injected);
        noteVersion(head);
    }
}

Block RequestReader::toolBlock(ondemand::value value, SourceId holder, LineCursor &lines)
{
    const std::string_view raw = rawJson(value);
    const JsonMembers members(raw);
    Block block = m_builder.makeBlock(
        BlockKind::Opaque, m_builder.jsonValueBody(holder, raw), m_builder.intern(members.string("name")));
    block.set(BlockFlag::Tools);
    if (isJsonObject(members.raw("cache_control")))
        block.set(BlockFlag::CacheMark);
    setRecord(m_builder, block, holder, raw, lines.lineOf(raw));
    return block;
}

std::optional<Timestamp> RequestReader::timeOf(ondemand::value value)
{
    if (isString(value))
        return parseTime(rawString(value));
    double seconds = 0;
    if (value.type() == ondemand::json_type::number && value.get_double().get(seconds) == simdjson::SUCCESS)
        return timeOfNumber(seconds);
    return std::nullopt;
}

void RequestReader::noteVersion(std::string_view header)
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

} // namespace core
