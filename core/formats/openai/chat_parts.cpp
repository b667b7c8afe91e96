// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/chat_parts.h"

#include "core/base/text.h"
#include "core/formats/reading/harness_words.h"
#include "core/json/text_parts.h"

#include <algorithm>

namespace core {

namespace {

bool isEmptyObject(std::string_view raw) { return isJsonObject(raw) && JsonMembers(raw).all().empty(); }

struct DataUrl {
    std::string_view mediaType;
    std::string_view data;
};

/// `data:image/png;base64,iVBO…`, where the data are base64.
std::optional<DataUrl> dataUrlOf(std::string_view url)
{
    if (!url.starts_with("data:"))
        return std::nullopt;
    const size_t comma = url.find(',');
    if (comma == std::string_view::npos)
        return std::nullopt;
    std::string_view head = url.substr(5, comma - 5);
    if (!head.ends_with(";base64"))
        return std::nullopt;
    head = head.substr(0, head.find(';'));
    return DataUrl { head, url.substr(comma + 1) };
}

} // namespace

std::string_view firstString(const JsonMembers &members, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys) {
        const std::string_view found = members.string(key);
        if (!found.empty())
            return found;
    }
    return {};
}

Block ChatParts::text(BlockKind kind, std::string_view rawBetweenQuotes)
{
    return m_builder.makeBlock(kind, m_builder.jsonStringBody(m_source, rawBetweenQuotes));
}

Block ChatParts::value(BlockKind kind, std::string_view raw)
{
    return m_builder.makeBlock(kind, m_builder.jsonValueBody(m_source, raw));
}

void ChatParts::addContent(ChatAssembly &message, std::string_view raw)
{
    if (isJsonString(raw)) {
        message.add(text(BlockKind::Text, jsonString(raw)));
    } else if (isJsonArray(raw)) {
        for (const std::string_view part : jsonElements(raw).items)
            addPart(message, part);
    } else if (isJsonObject(raw)) {
        addPart(message, raw);
    } else if (!raw.empty() && raw != "null") {
        message.add(value(BlockKind::Opaque, raw));
    }
}

void ChatParts::addPart(ChatAssembly &message, std::string_view raw)
{
    if (isJsonString(raw)) {
        message.add(text(BlockKind::Text, jsonString(raw)));
        return;
    }
    const JsonMembers part(raw);
    const std::string_view type = part.string("type");
    const size_t before = message.entries.size();
    if (isOneOf(type, { "text", "input_text", "output_text" }) || (type.empty() && isJsonString(part.raw("text")))) {
        message.add(text(BlockKind::Text, part.string("text")));
    } else if (type == "refusal") {
        message.add(text(BlockKind::Text, part.string("refusal")));
    } else if (isOneOf(type, { "thinking", "redacted_thinking", "reasoning", "reasoning_content" })) {
        addReasoning(message, part);
    } else if (isOneOf(type, { "image_url", "input_image", "image" })) {
        addImagePart(message, part, raw);
    } else if (isOneOf(type, { "input_audio", "audio", "file", "input_file", "document", "video" })) {
        addDocumentPart(message, part, raw);
    } else if (type.ends_with("tool_use") || type.ends_with("tool_call") || type == "function_call") {
        addCallPart(message, part, raw);
    } else if (type.ends_with("tool_result") || type == "function_call_output") {
        addToolResultPart(message, part);
    } else if (isOneOf(type, { "cachePoint", "cache_point" }) || part.has("cachePoint")) {
        if (before > 0)
            message.entries.back().block.set(BlockFlag::CacheMark);
    } else {
        Block opaque = value(BlockKind::Opaque, type == "non_standard" && part.has("value") ? part.raw("value") : raw);
        opaque.name = m_builder.intern(decodeJsonString(type));
        message.add(opaque);
    }
    if (isJsonObject(part.raw("cache_control")) && message.entries.size() > before)
        message.entries.back().block.set(BlockFlag::CacheMark);
}

/// OpenAI's `image_url`, Inspect's `image`, Anthropic's `source`, LangChain's `base64`, `data` or `url`.
void ChatParts::addImagePart(ChatAssembly &message, const JsonMembers &part, std::string_view raw)
{
    const JsonMembers source = part.object("source");
    std::string_view url = firstString(part.object("image_url"), { "url" });
    if (url.empty())
        url = firstString(part, { "image_url", "image" });
    if (url.empty())
        url = firstString(source, { "url", "file_id" });
    const std::string_view data = firstString(source, { "data" });
    const std::string_view bytes = firstString(part, { "base64", "data" });
    if (url.empty() && data.empty() && bytes.empty())
        url = firstString(part, { "url", "file_id", "id" });
    if (!url.empty())
        addImage(message, url, {});
    else if (!data.empty())
        addImage(message, data, firstString(source, { "media_type" }));
    else if (!bytes.empty())
        addImage(message, bytes, firstString(part, { "mime_type", "mimeType", "media_type" }));
    else
        message.add(value(BlockKind::Image, raw));
}

/// Files, documents, sound: base64 where the message holds it, else the address or id that it holds instead.
void ChatParts::addDocumentPart(ChatAssembly &message, const JsonMembers &part, std::string_view raw)
{
    JsonMembers inner = part.object("input_audio");
    for (const std::string_view key : { "file", "source" })
        inner = inner.all().empty() ? part.object(key) : inner;
    const JsonMembers &holder = inner.all().empty() ? part : inner;
    std::string_view mediaType = firstString(holder, { "media_type", "mime_type", "mimeType", "format" });
    std::string_view data = firstString(holder, { "data", "base64", "file_data" });
    if (const auto url = dataUrlOf(data)) {
        mediaType = url->mediaType;
        data = url->data;
    }
    const bool isText = holder.string("type") == "text" || holder.string("source_type") == "text";
    const std::string_view words
        = data.empty() ? firstString(holder, { "text", "url", "file_url", "file_id", "id" }) : data;
    Block block;
    if (!data.empty() && !isText && data.find('\\') == std::string_view::npos)
        block = m_builder.makeBlock(BlockKind::Document, m_builder.base64Body(m_source, data));
    else if (!words.empty())
        block = text(BlockKind::Document, words);
    else
        block = value(BlockKind::Document, raw);
    block.name = m_builder.intern(decodeJsonString(mediaType));
    block.subject = m_builder.intern(decodeJsonString(firstString(holder, { "filename", "name", "title" })));
    message.add(block);
}

/// A tool call among the content, as Anthropic (`input`, while streaming `partial_json`), Responses (`arguments`) and
/// LangChain (`args`) write it. It may only repeat one of the message's `tool_calls`.
void ChatParts::addCallPart(ChatAssembly &message, const JsonMembers &part, std::string_view raw)
{
    std::string_view arguments = part.raw("input");
    for (const std::string_view key : { "arguments", "args", "partial_json" }) {
        const bool isTold = !arguments.empty() && !isEmptyObject(arguments);
        if (!isTold && part.has(key) && part.raw(key) != "\"\"")
            arguments = part.raw(key);
    }
    const bool isResponses = part.has("call_id");
    message.entries.push_back(
        { call(part.string("name"), part.string(isResponses ? "call_id" : "id"), arguments), true, raw.size() });
}

/// `url` is a data URL, base64 if there is a media type, else an address; addresses are text, nothing is fetched.
void ChatParts::addImage(ChatAssembly &message, std::string_view url, std::string_view mediaType)
{
    SourceId holder = m_source;
    if ((url.starts_with("data:") || !mediaType.empty()) && url.find('\\') != std::string_view::npos) {
        // Some writers escape every slash, and base64 is full of them.
        holder = m_builder.addSource(Source::own(decodeJsonString(url), "image"));
        url = m_builder.sourceBytes(holder);
    }
    Block block;
    if (const auto data = dataUrlOf(url))
        block = m_builder.makeBlock(
            BlockKind::Image, m_builder.base64Body(holder, data->data), m_builder.intern(data->mediaType));
    else if (!mediaType.empty())
        block = m_builder.makeBlock(
            BlockKind::Image, m_builder.base64Body(holder, url), m_builder.intern(decodeJsonString(mediaType)));
    else if (holder != m_source)
        block = m_builder.makeBlock(BlockKind::Image, m_builder.plainBody(holder, url));
    else
        block = text(BlockKind::Image, url);
    message.add(block);
}

void ChatParts::addReasoning(ChatAssembly &message, const JsonMembers &part)
{
    const size_t before = message.entries.size();
    message.add(text(BlockKind::Thinking, firstString(part, { "thinking", "reasoning", "text", "summary" })));
    message.add(text(BlockKind::Thinking, part.object("reasoning_content").string("text")));
    for (const std::string_view key : { "thinking", "summary", "content" }) {
        for (const std::string_view element : jsonElements(part.raw(key)).items)
            message.add(text(BlockKind::Thinking,
                isJsonString(element) ? jsonString(element) : JsonMembers(element).string("text")));
    }
    // Only the provider can read it; it weighs as bytes, not as characters. Thinking of Anthropic's that is shown to
    // nobody stands in its signature.
    std::string_view sealed = firstString(part, { "encrypted_content", "data" });
    if (sealed.empty() && message.entries.size() == before)
        sealed = part.string("signature");
    Block encrypted = m_builder.makeBlock(BlockKind::Thinking, m_builder.base64Body(m_source, sealed));
    encrypted.set(BlockFlag::Encrypted);
    message.add(encrypted);
}

void ChatParts::addToolResultPart(ChatAssembly &message, const JsonMembers &part)
{
    ChatAssembly result;
    addResultContent(result, part.has("output") ? part.raw("output") : part.raw("content"));
    const StringId id
        = m_builder.intern(decodeJsonString(firstString(part, { "tool_use_id", "call_id", "tool_call_id" })));
    const bool isError = part.isTrue("is_error") || part.string("status") == "error";
    for (ChatAssembly::Entry &entry : result.entries) {
        entry.block.callId = id;
        if (isError && entry.block.kind == BlockKind::ToolResult)
            entry.block.set(BlockFlag::Error);
        message.entries.push_back(std::move(entry));
    }
}

Block ChatParts::listBlock(std::string_view raw)
{
    return isListOfTexts(raw) ? m_builder.makeBlock(BlockKind::Text, m_builder.textPartsBody(m_source, raw))
                              : value(BlockKind::Text, raw);
}

/// What a tool returned: one block of its texts, or, if it has several other parts, of their JSON; images follow it as
/// blocks of their own.
void ChatParts::addResultContent(ChatAssembly &message, std::string_view raw)
{
    ChatAssembly parts;
    addContent(parts, raw);
    const auto isMedia = [](const ChatAssembly::Entry &entry) {
        return entry.block.kind == BlockKind::Image || entry.block.kind == BlockKind::Document;
    };
    const auto words = static_cast<size_t>(parts.entries.size())
        - static_cast<size_t>(std::ranges::count_if(parts.entries, isMedia));
    if (words == 0)
        message.entries.push_back({ m_builder.makeBlock(BlockKind::ToolResult, {}), false, 0 });
    else if (words > 1 && words == parts.entries.size())
        parts.entries.assign(1, { listBlock(raw), false, 0 });
    for (ChatAssembly::Entry &entry : parts.entries) {
        if (!isMedia(entry)) {
            entry.block.kind = BlockKind::ToolResult;
            entry.block.name = {};
            entry.block.lengths = entry.block.body.lengths; // a tool call in it counted its name
        }
        message.entries.push_back(std::move(entry));
    }
}

Block ChatParts::call(std::string_view name, std::string_view id, std::string_view arguments)
{
    Body body;
    std::string subject;
    if (isJsonString(arguments)) {
        body = m_builder.jsonStringBody(m_source, jsonString(arguments));
        subject = subjectOfArguments(decodeJsonString(jsonString(arguments)));
    } else if (!arguments.empty() && arguments != "null") {
        body = m_builder.jsonValueBody(m_source, arguments);
        subject = subjectOfArguments(arguments);
    }
    Block block = m_builder.makeBlock(BlockKind::ToolCall, body, m_builder.intern(decodeJsonString(name)));
    block.callId = m_builder.intern(decodeJsonString(id));
    block.subject = m_builder.intern(subject);
    return block;
}

/// A tool call in OpenAI's form (`function`, `custom`), Inspect's (`function` is the name) or LangChain's (`args`).
std::optional<Block> ChatParts::callOf(std::string_view raw)
{
    if (!isJsonObject(raw))
        return std::nullopt;
    const JsonMembers members(raw);
    const std::string_view id = firstString(members, { "id", "call_id" });
    for (const std::string_view key : { "function", "custom" }) {
        if (!isJsonObject(members.raw(key)))
            continue;
        const JsonMembers inner = members.object(key);
        return call(inner.string("name"), id, inner.has("arguments") ? inner.raw("arguments") : inner.raw("input"));
    }
    if (isJsonString(members.raw("function")))
        return call(members.string("function"), id, members.raw("arguments"));
    if (!members.has("name"))
        return std::nullopt;
    return call(members.string("name"), id, members.has("args") ? members.raw("args") : members.raw("arguments"));
}

void ChatParts::addCalls(ChatAssembly &message, const JsonMembers &fields)
{
    std::vector<Block> calls;
    const auto collect = [&](std::string_view array) {
        for (const std::string_view each : jsonElements(array).items) {
            if (auto block = callOf(each))
                calls.push_back(std::move(*block));
        }
    };
    const auto collectFunction = [&](const JsonMembers &function) {
        if (function.has("name"))
            calls.push_back(call(function.string("name"), {}, function.raw("arguments")));
    };
    collect(fields.raw("tool_calls"));
    collect(fields.raw("invalid_tool_calls"));
    if (calls.empty())
        collectFunction(fields.object("function_call"));
    const JsonMembers provider = fields.object("additional_kwargs");
    if (calls.empty()) {
        collect(provider.raw("tool_calls")); // early versions of LangChain kept only what OpenAI had sent
        if (calls.empty())
            collectFunction(provider.object("function_call"));
    } else {
        for (const std::string_view copy : jsonElements(provider.raw("tool_calls")).items) {
            const StringId id = m_builder.intern(decodeJsonString(JsonMembers(copy).string("id")));
            const auto original = std::ranges::find(calls, id, &Block::callId);
            if (original != calls.end())
                original->sideBytes += copy.size();
        }
        if (isJsonObject(provider.raw("function_call")))
            calls.front().sideBytes += provider.raw("function_call").size();
    }
    // Content blocks of the provider repeat the calls: what they hold counts once, at the place where it stands.
    for (Block &block : calls) {
        const auto echo = std::ranges::find_if(message.entries, [&](const ChatAssembly::Entry &entry) {
            return entry.isEcho && entry.block.callId == block.callId
                && (block.callId.isValid() || entry.block.name == block.name);
        });
        if (echo == message.entries.end()) {
            message.entries.push_back({ block, false, 0 });
            continue;
        }
        block.sideBytes += echo->rawSize;
        block.flags |= echo->block.flags;
        *echo = { block, false, 0 };
    }
}

/// Reasoning that stands beside the content. Writers repeat it: as a plain member, as `reasoning_details`, as
/// `thinking_blocks`. The first that says it counts; what cannot be read is taken wherever it stands.
void ChatParts::addThinking(ChatAssembly &message, const JsonMembers &fields)
{
    const JsonMembers provider = fields.object("additional_kwargs");
    bool isTold = message.hasThinking();
    uint64_t repeated = 0;
    const auto take = [&](std::string_view raw) {
        ChatAssembly told;
        if (isJsonString(raw))
            told.add(text(BlockKind::Thinking, jsonString(raw)));
        else if (isJsonObject(raw))
            addReasoning(told, JsonMembers(raw));
        for (const std::string_view part : jsonElements(raw).items)
            addReasoning(told, JsonMembers(part));
        const bool isRepeated = isTold && told.hasThinking();
        repeated += isRepeated ? raw.size() : 0;
        isTold = isTold || told.hasThinking();
        for (const ChatAssembly::Entry &entry : told.entries) {
            if (!isRepeated || entry.block.is(BlockFlag::Encrypted))
                message.thinking.push_back(entry.block);
        }
    };
    for (const std::string_view key : { "reasoning_content", "reasoning", "reasoning_details", "thinking_blocks" })
        take(fields.raw(key));
    for (const std::string_view key : { "reasoning_content", "reasoning" })
        take(provider.raw(key));
    if (message.thinking.empty())
        message.sideBytes += repeated;
    else
        message.thinking.front().sideBytes += repeated;
}

} // namespace core
