// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_blocks.h"

#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <vector>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// The fields of one content block. Their meaning depends on `type`, which may come last.
struct RawBlock {
    std::string_view type;
    std::string_view text;
    std::string_view thinking;
    std::string_view signature;
    std::string_view data;
    std::string_view input;
    std::string_view id;
    std::string_view name;
    std::string_view toolUseId;
    std::string_view mediaType;
    std::string_view url;
    std::string_view sourceText;
    bool hasContent = false;
    bool contentIsString = false;
    std::string_view content; ///< between the quotes, or the raw array
    std::vector<std::string_view> textParts;
    std::vector<std::string_view> otherParts;                          ///< JSON of parts that are neither text nor
                                                                       ///< image
    std::vector<std::pair<std::string_view, std::string_view>> images; ///< media type, base64
    bool isError = false;
    bool hasCacheMark = false;
};

/// Reads the `source` of an image or document: base64 data, a URL, or plain text.
void readMediaSource(ondemand::object source, std::string_view &mediaType, std::string_view &data,
    std::string_view &url, std::string_view &text)
{
    std::string_view payload;
    bool isText = false;
    for (auto field : source) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (!isString(value))
            continue;
        if (key == "media_type")
            mediaType = rawString(value);
        else if (key == "data")
            payload = rawString(value);
        else if (key == "url" || key == "file_id")
            url = rawString(value);
        else if (key == "type")
            isText = rawString(value) == "text";
    }
    (isText ? text : data) = payload;
}

/// Reads the parts of a tool_result's content list.
void readResultParts(ondemand::array parts, RawBlock &block)
{
    for (ondemand::value part : parts) {
        if (part.type() != ondemand::json_type::object) {
            block.otherParts.push_back(rawJson(part));
            continue;
        }
        std::string_view type;
        std::string_view text;
        std::string_view mediaType;
        std::string_view data;
        std::string_view ignored;
        ondemand::object object = part.get_object();
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "type" && isString(value))
                type = rawString(value);
            else if (key == "text" && isString(value))
                text = rawString(value);
            else if (key == "source" && value.type() == ondemand::json_type::object)
                readMediaSource(value.get_object(), mediaType, data, ignored, ignored);
        }
        if (type == "image" && !data.empty()) {
            block.images.emplace_back(mediaType, data);
        } else if (type == "text") {
            block.textParts.push_back(text);
        } else {
            object.reset();
            block.otherParts.push_back(object.raw_json());
        }
    }
}

RawBlock readRawBlock(ondemand::object object)
{
    RawBlock block;
    for (auto field : object) {
        const std::string_view key = field.escaped_key();
        ondemand::value value = field.value();
        if (key == "input") {
            block.input = rawJson(value);
        } else if (key == "content") {
            block.hasContent = true;
            if (isString(value)) {
                block.contentIsString = true;
                block.content = rawString(value);
            } else if (value.type() == ondemand::json_type::array) {
                ondemand::array parts = value.get_array();
                block.content = parts.raw_json();
                parts.reset();
                readResultParts(parts, block);
                if (block.textParts.empty() && block.otherParts.empty() && block.images.empty())
                    block.content = {}; // an empty list has no weight
            } else if (value.type() != ondemand::json_type::null) {
                block.content = rawJson(value);
            }
        } else if (key == "source") {
            if (value.type() == ondemand::json_type::object)
                readMediaSource(value.get_object(), block.mediaType, block.data, block.url, block.sourceText);
        } else if (key == "is_error") {
            block.isError = isTrue(value);
        } else if (key == "cache_control") {
            block.hasCacheMark = value.type() == ondemand::json_type::object;
        } else if (isString(value)) {
            if (key == "type")
                block.type = rawString(value);
            else if (key == "text")
                block.text = rawString(value);
            else if (key == "thinking")
                block.thinking = rawString(value);
            else if (key == "signature")
                block.signature = rawString(value);
            else if (key == "data")
                block.data = rawString(value);
            else if (key == "id")
                block.id = rawString(value);
            else if (key == "name")
                block.name = rawString(value);
            else if (key == "tool_use_id")
                block.toolUseId = rawString(value);
        }
    }
    return block;
}

Block imageBlock(SessionBuilder &builder, SourceId source, std::string_view mediaType, std::string_view data)
{
    return builder.makeBlock(BlockKind::Image, builder.base64Body(source, data), internString(builder, mediaType));
}

Body resultBody(SessionBuilder &builder, SourceId source, const RawBlock &raw)
{
    if (raw.contentIsString)
        return builder.jsonStringBody(source, raw.content);
    const bool isTexts = !raw.textParts.empty() && raw.otherParts.empty();
    if (raw.images.empty() && !isTexts)
        return builder.jsonValueBody(source, raw.content);
    if (raw.textParts.size() > 1)
        return builder.textPartsBody(source, raw.content);
    return builder.jsonStringBody(source, raw.textParts.empty() ? std::string_view() : raw.textParts.front());
}

/// Appends a tool result as one block, followed by its further contents. Base64 of images is never part of a text.
void appendResult(SessionBuilder &builder, SourceId source, const RawBlock &raw, std::vector<Block> &blocks)
{
    const size_t first = blocks.size();
    blocks.push_back(builder.makeBlock(BlockKind::ToolResult, resultBody(builder, source, raw)));
    if (raw.isError)
        blocks.back().set(BlockFlag::Error);
    if (!raw.images.empty()) {
        for (const std::string_view part : raw.otherParts)
            blocks.push_back(builder.makeBlock(BlockKind::Opaque, builder.jsonValueBody(source, part)));
        for (const auto &[mediaType, data] : raw.images)
            blocks.push_back(imageBlock(builder, source, mediaType, data));
    }
    for (size_t i = first; i < blocks.size(); ++i)
        blocks[i].callId = internString(builder, raw.toolUseId);
}

void appendBlocks(
    SessionBuilder &builder, SourceId source, const RawBlock &raw, std::string_view json, std::vector<Block> &blocks)
{
    const size_t first = blocks.size();
    const auto add = [&](BlockKind kind, const Body &body, StringId name = {}) -> Block & {
        return blocks.emplace_back(builder.makeBlock(kind, body, name));
    };
    if (raw.type == "text") {
        add(BlockKind::Text, builder.jsonStringBody(source, raw.text));
    } else if (raw.type == "thinking" && raw.thinking.empty() && !raw.signature.empty()) {
        // Thinking that is not shown: its text is encrypted in the signature, as in redacted_thinking.
        add(BlockKind::Thinking, builder.base64Body(source, raw.signature)).set(BlockFlag::Encrypted);
    } else if (raw.type == "thinking") {
        add(BlockKind::Thinking, builder.jsonStringBody(source, raw.thinking));
    } else if (raw.type == "redacted_thinking") {
        // Only the provider can decrypt it, so it counts bytes, not characters.
        add(BlockKind::Thinking, builder.base64Body(source, raw.data)).set(BlockFlag::Encrypted);
    } else if (raw.type == "tool_use" || raw.type == "server_tool_use" || raw.type == "mcp_tool_use") {
        Block &call
            = add(BlockKind::ToolCall, builder.jsonValueBody(source, raw.input), internString(builder, raw.name));
        call.callId = internString(builder, raw.id);
        call.subject = builder.intern(subjectOfArguments(raw.input));
    } else if (raw.type == "tool_result" || raw.type.ends_with("_tool_result")) {
        appendResult(builder, source, raw, blocks);
    } else if (raw.type == "image" && !raw.data.empty()) {
        blocks.push_back(imageBlock(builder, source, raw.mediaType, raw.data));
    } else if (raw.type == "image" || raw.type == "document") {
        const BlockKind kind = raw.type == "image" ? BlockKind::Image : BlockKind::Document;
        const Body body = !raw.data.empty() ? builder.base64Body(source, raw.data)
            : !raw.sourceText.empty()       ? builder.jsonStringBody(source, raw.sourceText)
                                            : builder.jsonStringBody(source, raw.url);
        add(kind, body, internString(builder, raw.mediaType));
    } else {
        add(BlockKind::Opaque, builder.jsonValueBody(source, json), internString(builder, raw.type));
    }
    if (raw.hasCacheMark && blocks.size() > first)
        blocks.back().set(BlockFlag::CacheMark);
}

} // namespace

void readAnthropicContent(SessionBuilder &builder, SourceId source, ondemand::value content, std::vector<Block> &blocks)
{
    switch (content.type()) {
    case ondemand::json_type::string:
        blocks.push_back(builder.makeBlock(BlockKind::Text, builder.jsonStringBody(source, rawString(content))));
        return;
    case ondemand::json_type::array:
        for (ondemand::value element : content.get_array()) {
            if (element.type() == ondemand::json_type::string) {
                blocks.push_back(
                    builder.makeBlock(BlockKind::Text, builder.jsonStringBody(source, rawString(element))));
                continue;
            }
            if (element.type() != ondemand::json_type::object) {
                blocks.push_back(builder.makeBlock(BlockKind::Opaque, builder.jsonValueBody(source, rawJson(element))));
                continue;
            }
            ondemand::object object = element.get_object();
            const RawBlock raw = readRawBlock(object);
            std::string_view json;
            const bool isKnown = raw.type == "text" || raw.type == "tool_use" || raw.type == "tool_result";
            if (!isKnown) {
                object.reset();
                json = object.raw_json();
            }
            appendBlocks(builder, source, raw, json, blocks);
        }
        return;
    default:
        return; // null and the like: a message without content
    }
}

Usage readAnthropicUsage(ondemand::value value)
{
    Usage usage;
    if (value.type() != ondemand::json_type::object)
        return usage;
    for (auto field : value.get_object()) {
        const std::string_view key = field.escaped_key();
        ondemand::value number = field.value();
        if (key == "input_tokens")
            usage.input = unsignedOf(number).value_or(0);
        else if (key == "cache_creation_input_tokens")
            usage.cacheWrite = unsignedOf(number).value_or(0);
        else if (key == "cache_read_input_tokens")
            usage.cacheRead = unsignedOf(number).value_or(0);
        else if (key == "output_tokens")
            usage.output = unsignedOf(number).value_or(0);
    }
    return usage;
}

void markTypedPart(const SessionBuilder &builder, Block &block)
{
    if (!typedPartOf(builder.session().text(block.body)).empty())
        block.set(BlockFlag::TypedPart);
}

void linkToolResults(Session &session)
{
    std::vector<BlockId> calls; // by callId, as ids are dense
    for (size_t i = 0; i < session.blocks.size(); ++i) {
        Block &block = session.blocks[i];
        if (!block.callId.isValid())
            continue;
        if (block.kind == BlockKind::ToolCall) {
            calls.resize(std::max(calls.size(), block.callId.index() + 1));
            calls[block.callId.index()] = BlockId(i);
            continue;
        }
        if (block.callId.index() >= calls.size() || !calls[block.callId.index()].isValid())
            continue;
        const Block &call = session.block(calls[block.callId.index()]);
        if (block.kind == BlockKind::ToolResult)
            block.name = call.name;
        block.subject = call.subject;
    }
}

} // namespace core
