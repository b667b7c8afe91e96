// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/chat_messages.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace core {

namespace {

/// Enough decoded bytes to judge a text by how it begins.
constexpr size_t kBeginning = 512;
/// How LangChain's summarization middleware begins the message that stands for what it removed.
constexpr std::string_view kSummaryBeginning = "Here is a summary of the conversation to date";

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

std::string decoded(std::string_view rawBetweenQuotes) { return decodeJsonString(rawBetweenQuotes); }

/// The first of these members that is a string with something in it, between its quotes.
std::string_view firstString(const JsonMembers &members, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys) {
        const std::string_view found = members.string(key);
        if (!found.empty())
            return found;
    }
    return {};
}

bool isEmptyObject(std::string_view raw) { return isJsonObject(raw) && JsonMembers(raw).all().empty(); }

std::optional<Role> roleOfWord(std::string_view word)
{
    if (isOneOf(word, { "system", "developer" }))
        return Role::System;
    if (isOneOf(word, { "user", "human" }))
        return Role::User;
    if (isOneOf(word, { "assistant", "ai" }))
        return Role::Assistant;
    if (isOneOf(word, { "tool", "function" }))
        return Role::Tool;
    return std::nullopt;
}

/// `HumanMessage`, `AIMessageChunk` as `human`, `ai`.
std::string shortTypeOf(std::string_view type)
{
    for (const std::string_view ending : { std::string_view("Chunk"), std::string_view("Message") }) {
        if (type.ends_with(ending))
            type.remove_suffix(ending.size());
    }
    std::string lower(type);
    std::ranges::transform(
        lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return lower;
}

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

uint64_t orNone(const std::optional<uint64_t> &number) { return number.value_or(0); }

} // namespace

/// A message while its members are being collected.
struct ChatReader::Assembly {
    struct Entry {
        Block block;
        bool isEcho = false;  ///< a content part that may only repeat one of the message's tool calls
        uint64_t rawSize = 0; ///< of the part
    };

    std::vector<Block> thinking; ///< reasoning that stands beside the content
    std::vector<Entry> entries;  ///< the content, in order
    Role role = Role::User;
    bool hasCacheMark = false;
    uint64_t sideBytes = 0; ///< repeated by the message outside its blocks

    void add(Block block)
    {
        if (block.body.coding != Coding::Empty)
            entries.push_back({ std::move(block), false, 0 });
    }
    [[nodiscard]] bool hasThinking() const
    {
        return std::ranges::any_of(entries, [](const Entry &entry) {
            return entry.block.kind == BlockKind::Thinking && !entry.block.is(BlockFlag::Encrypted);
        });
    }
};

ChatReader::ChatReader(SessionBuilder &builder, SourceId source, LineCursor lines)
    : m_builder(builder)
    , m_source(source)
    , m_lines(lines)
{
}

void ChatReader::warn(std::string_view place, std::string reason)
{
    m_diagnostics.push_back({ Severity::Warning, m_lines.lineOf(place), std::move(reason) });
}

Block ChatReader::text(BlockKind kind, std::string_view rawBetweenQuotes)
{
    return m_builder.makeBlock(kind, m_builder.jsonStringBody(m_source, rawBetweenQuotes));
}

Block ChatReader::value(BlockKind kind, std::string_view raw)
{
    return m_builder.makeBlock(kind, m_builder.jsonValueBody(m_source, raw));
}

void ChatReader::addContent(Assembly &message, std::string_view raw)
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

void ChatReader::addPart(Assembly &message, std::string_view raw)
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
        opaque.name = m_builder.intern(decoded(type));
        message.add(opaque);
    }
    if (isJsonObject(part.raw("cache_control")) && message.entries.size() > before)
        message.entries.back().block.set(BlockFlag::CacheMark);
}

/// OpenAI's `image_url`, Anthropic's `source`, LangChain's `base64`, `data` or `url`.
void ChatReader::addImagePart(Assembly &message, const JsonMembers &part, std::string_view raw)
{
    const JsonMembers source = part.object("source");
    std::string_view url = firstString(part.object("image_url"), { "url" });
    if (url.empty())
        url = firstString(part, { "image_url" });
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
void ChatReader::addDocumentPart(Assembly &message, const JsonMembers &part, std::string_view raw)
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
    block.name = m_builder.intern(decoded(mediaType));
    block.subject = m_builder.intern(decoded(firstString(holder, { "filename", "name", "title" })));
    message.add(block);
}

/// A tool call among the content, as Anthropic (`input`, while streaming `partial_json`), Responses (`arguments`) and
/// LangChain (`args`) write it. It may only repeat one of the message's `tool_calls`.
void ChatReader::addCallPart(Assembly &message, const JsonMembers &part, std::string_view raw)
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
void ChatReader::addImage(Assembly &message, std::string_view url, std::string_view mediaType)
{
    SourceId holder = m_source;
    if ((url.starts_with("data:") || !mediaType.empty()) && url.find('\\') != std::string_view::npos) {
        // Some writers escape every slash, and base64 is full of them.
        holder = m_builder.addSource(Source::own(decoded(url), "image"));
        url = m_builder.sourceBytes(holder);
    }
    Block block;
    if (const auto data = dataUrlOf(url))
        block = m_builder.makeBlock(
            BlockKind::Image, m_builder.base64Body(holder, data->data), m_builder.intern(data->mediaType));
    else if (!mediaType.empty())
        block = m_builder.makeBlock(
            BlockKind::Image, m_builder.base64Body(holder, url), m_builder.intern(decoded(mediaType)));
    else if (holder != m_source)
        block = m_builder.makeBlock(BlockKind::Image, m_builder.plainBody(holder, url));
    else
        block = text(BlockKind::Image, url);
    message.add(block);
}

void ChatReader::addReasoning(Assembly &message, const JsonMembers &part)
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

void ChatReader::addToolResultPart(Assembly &message, const JsonMembers &part)
{
    Assembly result;
    addResultContent(result, part.has("output") ? part.raw("output") : part.raw("content"));
    const StringId id = m_builder.intern(decoded(firstString(part, { "tool_use_id", "call_id", "tool_call_id" })));
    const bool isError = part.isTrue("is_error") || part.string("status") == "error";
    for (Assembly::Entry &entry : result.entries) {
        entry.block.callId = id;
        if (isError && entry.block.kind == BlockKind::ToolResult)
            entry.block.set(BlockFlag::Error);
        message.entries.push_back(std::move(entry));
    }
}

/// What a tool returned: one block of its text, or, if it has several parts, of their JSON; images follow it as blocks
/// of their own.
void ChatReader::addResultContent(Assembly &message, std::string_view raw)
{
    Assembly parts;
    addContent(parts, raw);
    const auto isMedia = [](const Assembly::Entry &entry) {
        return entry.block.kind == BlockKind::Image || entry.block.kind == BlockKind::Document;
    };
    const auto words = static_cast<size_t>(parts.entries.size())
        - static_cast<size_t>(std::ranges::count_if(parts.entries, isMedia));
    if (words == 0)
        message.entries.push_back({ m_builder.makeBlock(BlockKind::ToolResult, {}), false, 0 });
    else if (words > 1 && words == parts.entries.size())
        parts.entries.assign(1, { value(BlockKind::Text, raw), false, 0 });
    for (Assembly::Entry &entry : parts.entries) {
        if (!isMedia(entry)) {
            entry.block.kind = BlockKind::ToolResult;
            entry.block.name = {};
        }
        message.entries.push_back(std::move(entry));
    }
}

Block ChatReader::call(std::string_view name, std::string_view id, std::string_view arguments)
{
    Body body;
    std::string subject;
    if (isJsonString(arguments)) {
        body = m_builder.jsonStringBody(m_source, jsonString(arguments));
        subject = subjectOfArguments(decoded(jsonString(arguments)));
    } else if (!arguments.empty() && arguments != "null") {
        body = m_builder.jsonValueBody(m_source, arguments);
        subject = subjectOfArguments(arguments);
    }
    Block block = m_builder.makeBlock(BlockKind::ToolCall, body, m_builder.intern(decoded(name)));
    block.callId = m_builder.intern(decoded(id));
    block.subject = m_builder.intern(subject);
    return block;
}

/// A tool call in OpenAI's form (`function`, `custom`) or LangChain's (`args`).
std::optional<Block> ChatReader::callOf(std::string_view raw)
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
    if (!members.has("name"))
        return std::nullopt;
    return call(members.string("name"), id, members.has("args") ? members.raw("args") : members.raw("arguments"));
}

void ChatReader::addCalls(Assembly &message, const JsonMembers &fields)
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
            const StringId id = m_builder.intern(decoded(JsonMembers(copy).string("id")));
            const auto original = std::ranges::find(calls, id, &Block::callId);
            if (original != calls.end())
                original->sideBytes += copy.size();
        }
        if (isJsonObject(provider.raw("function_call")))
            calls.front().sideBytes += provider.raw("function_call").size();
    }
    // Content blocks of the provider repeat the calls: what they hold counts once, at the place where it stands.
    for (Block &block : calls) {
        const auto echo = std::ranges::find_if(message.entries, [&](const Assembly::Entry &entry) {
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
void ChatReader::addThinking(Assembly &message, const JsonMembers &fields)
{
    const JsonMembers provider = fields.object("additional_kwargs");
    bool isTold = message.hasThinking();
    uint64_t repeated = 0;
    const auto take = [&](std::string_view raw) {
        Assembly told;
        if (isJsonString(raw))
            told.add(text(BlockKind::Thinking, jsonString(raw)));
        else if (isJsonObject(raw))
            addReasoning(told, JsonMembers(raw));
        for (const std::string_view part : jsonElements(raw).items)
            addReasoning(told, JsonMembers(part));
        const bool isRepeated = isTold && told.hasThinking();
        repeated += isRepeated ? raw.size() : 0;
        isTold = isTold || told.hasThinking();
        for (const Assembly::Entry &entry : told.entries) {
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

/// A message without what LangChain wraps around it; nothing, with a diagnostic, if it is none.
std::optional<ChatReader::Opened> ChatReader::open(std::string_view raw)
{
    if (!isJsonObject(raw)) {
        warn(raw, "An element of the messages is no object and was skipped.");
        return std::nullopt;
    }
    Opened message { JsonMembers(raw), {} };
    JsonMembers &fields = message.fields;
    const bool isWhole = fields.isWhole();
    message.type = shortTypeOf(fields.string("type"));
    if (fields.has("lc")) {
        const auto names = jsonElements(fields.raw("id")).items;
        if (fields.string("type") != "constructor" || names.empty() || !isJsonObject(fields.raw("kwargs"))) {
            warn(raw,
                "An element of the messages was not serialised by LangChain (" + decoded(fields.string("type"))
                    + ") and was skipped.");
            return std::nullopt;
        }
        message.type = shortTypeOf(jsonString(names.back()));
        fields = fields.object("kwargs");
    } else if (isJsonObject(fields.raw("data")) && fields.has("type") && !fields.has("content")) {
        fields = fields.object("data");
    }
    if (message.type == "remove") {
        warn(raw, "A RemoveMessage is an order to the state, not a message, and was skipped.");
        return std::nullopt;
    }
    if (!isWhole || !fields.isWhole())
        warn(raw, "A message is cut off or damaged; what could be read of it was kept.");
    return message;
}

/// The role that a message tells by `role` or by its LangChain type.
std::optional<Role> ChatReader::roleOf(const Opened &message, std::string_view raw)
{
    auto role = roleOfWord(message.fields.string("role"));
    if (!role)
        role = roleOfWord(message.type);
    if (role)
        return role;
    const std::string told
        = message.fields.has("role") ? decoded(message.fields.string("role")) : std::string(message.type);
    if (told.empty()) {
        warn(raw, "A message does not tell its role and was skipped (" + groupedNumber(raw.size()) + " bytes).");
        return std::nullopt;
    }
    warn(raw, "A message of the unknown role \"" + told + "\" is shown as a user's.");
    return Role::User;
}

std::optional<ChatMessage> ChatReader::read(std::string_view raw)
{
    const auto opened = open(raw);
    const auto role = opened ? roleOf(*opened, raw) : std::nullopt;
    if (!role)
        return std::nullopt;
    const JsonMembers &fields = opened->fields;
    Assembly message;
    message.role = *role;
    if (*role == Role::Tool)
        addResultContent(message, fields.raw("content"));
    else
        addContent(message, fields.raw("content"));
    if (*role == Role::Assistant) {
        addThinking(message, fields);
        addCalls(message, fields);
        message.add(text(BlockKind::Text, fields.string("refusal")));
        if (isJsonObject(fields.raw("audio")))
            addDocumentPart(message, fields.object("audio"), fields.raw("audio"));
    }
    message.hasCacheMark = isJsonObject(fields.raw("cache_control"));

    ChatMessage result = finished(message, raw);
    result.draft.externalId = m_builder.intern(decoded(fields.string("id")));
    if (*role == Role::Tool)
        addResultFacts(result, fields);
    if (*role == Role::Assistant)
        addAnswerFacts(result, fields);
    result.isSummary = *role == Role::User && fields.object("additional_kwargs").string("lc_source") == "summarization";
    setFlags(result);
    for (const Block &block : result.draft.blocks)
        result.sideBytes += block.sideBytes;
    return result;
}

/// Which call it answers, whether that failed, and how much the program kept for itself.
void ChatReader::addResultFacts(ChatMessage &message, const JsonMembers &fields)
{
    const StringId id = m_builder.intern(decoded(fields.string("tool_call_id")));
    const StringId name = m_builder.intern(decoded(fields.string("name")));
    for (Block &block : message.draft.blocks) {
        if (id.isValid())
            block.callId = id;
        if (block.kind != BlockKind::ToolResult)
            continue;
        block.name = name;
        if (fields.string("status") == "error")
            block.set(BlockFlag::Error);
    }
    const std::string_view artifact = fields.raw("artifact");
    if (!artifact.empty() && artifact != "null")
        message.draft.blocks.front().sideBytes += artifact.size();
}

/// The model that wrote it, and what the call cost.
void ChatReader::addAnswerFacts(ChatMessage &message, const JsonMembers &fields)
{
    const JsonMembers response = fields.object("response_metadata");
    message.draft.model = m_builder.intern(decoded(firstString(response, { "model_name", "model", "model_id" })));
    message.usage = chatUsage(fields.raw("usage_metadata"));
    for (const std::string_view key : { "token_usage", "usage" }) {
        if (!message.usage)
            message.usage = chatUsage(response.raw(key));
    }
}

/// Puts the blocks in order and gives them the record that they stand in. A message without any content keeps one empty
/// block: it is an element of the array all the same.
ChatMessage ChatReader::finished(Assembly &message, std::string_view record)
{
    ChatMessage result;
    result.sideBytes = message.sideBytes;
    result.draft.role = message.role;
    result.draft.line = m_lines.lineOf(record);
    result.draft.blocks = std::move(message.thinking);
    for (Assembly::Entry &entry : message.entries)
        result.draft.blocks.push_back(std::move(entry.block));
    std::vector<Block> &blocks = result.draft.blocks;
    if (blocks.empty())
        blocks.push_back(m_builder.makeBlock(BlockKind::Text, {}));
    const auto start = static_cast<uint64_t>(record.data() - m_builder.sourceBytes(m_source).data());
    for (Block &block : blocks) {
        if (!block.body.source.isValid())
            block.body.source = m_source;
        block.recordLine = result.draft.line;
        const bool isOwn = block.body.source != m_source;
        block.recordOffset = isOwn ? 0 : start;
        block.recordSize = isOwn ? m_builder.sourceBytes(block.body.source).size() : record.size();
    }
    if (message.hasCacheMark)
        blocks.back().set(BlockFlag::CacheMark);
    return result;
}

void ChatReader::setFlags(ChatMessage &message) const
{
    if (message.draft.role != Role::User)
        return;
    for (Block &block : message.draft.blocks) {
        if (block.kind != BlockKind::Text)
            continue;
        const std::string beginning = m_builder.session().textHead(block.body, kBeginning);
        message.isSummary = message.isSummary || beginning.starts_with(kSummaryBeginning);
        if (message.isSummary)
            block.set(BlockFlag::Summary);
        else
            block.set(looksInjected(beginning) ? BlockFlag::Injected : BlockFlag::Typed);
    }
}

std::vector<ChatMessage> ChatReader::readAll(std::string_view array)
{
    std::vector<ChatMessage> messages;
    const JsonElements elements = jsonElements(array);
    messages.reserve(elements.items.size());
    for (const std::string_view each : elements.items) {
        if (auto message = read(each))
            messages.push_back(std::move(*message));
    }
    if (!elements.isWhole && isJsonArray(array))
        warn(elements.items.empty() ? array : elements.items.back(),
            "The array of messages is damaged here; nothing behind this place was read.");
    return messages;
}

ChatMessage ChatReader::readContent(Role role, std::string_view content, std::string_view record)
{
    Assembly message;
    message.role = role;
    if (role == Role::Tool)
        addResultContent(message, content);
    else
        addContent(message, content);
    ChatMessage result = finished(message, record);
    setFlags(result);
    return result;
}

std::vector<Block> ChatReader::readTools(std::string_view array)
{
    std::vector<Block> blocks;
    const auto *base = m_builder.sourceBytes(m_source).data();
    for (const std::string_view each : jsonElements(array).items) {
        Block block = m_builder.makeBlock(
            BlockKind::Opaque, m_builder.jsonValueBody(m_source, each), m_builder.intern(toolNameOf(each)));
        block.set(BlockFlag::Tools);
        block.recordLine = m_lines.lineOf(each);
        block.recordOffset = static_cast<uint64_t>(each.data() - base);
        block.recordSize = each.size();
        blocks.push_back(block);
    }
    return blocks;
}

std::string toolNameOf(std::string_view definition)
{
    const JsonMembers members(definition);
    for (const std::string_view key : { "function", "custom" }) {
        const std::string_view name = members.object(key).string("name");
        if (!name.empty())
            return decoded(name);
    }
    return decoded(firstString(members, { "name", "type" }));
}

std::optional<Usage> chatUsage(std::string_view raw)
{
    const JsonMembers usage(raw);
    const auto prompt = usage.number("prompt_tokens");
    const auto input = usage.number("input_tokens");
    const auto output
        = usage.has("completion_tokens") ? usage.number("completion_tokens") : usage.number("output_tokens");
    if (!prompt && !input)
        return std::nullopt;
    Usage result;
    const JsonMembers promptDetails = usage.object("prompt_tokens_details");
    const JsonMembers responsesDetails = usage.object("input_tokens_details");
    const JsonMembers langChainDetails = usage.object("input_token_details");
    const JsonMembers langSmithDetails = usage.object("prompt_token_details");
    for (const auto &number : { promptDetails.number("cached_tokens"), responsesDetails.number("cached_tokens"),
             langChainDetails.number("cache_read"), langSmithDetails.number("cache_read"),
             usage.number("cache_read_input_tokens"), usage.number("prompt_cache_hit_tokens") })
        result.cacheRead = std::max(result.cacheRead, number.value_or(0));
    // langchain-anthropic writes `cache_creation` 0 where it writes the two lifetimes apart.
    const uint64_t lifetimes = orNone(langChainDetails.number("ephemeral_5m_input_tokens"))
        + orNone(langChainDetails.number("ephemeral_1h_input_tokens"));
    for (const uint64_t number : { orNone(promptDetails.number("cache_write_tokens")),
             orNone(langChainDetails.number("cache_creation")), orNone(langSmithDetails.number("cache_creation")),
             orNone(usage.number("cache_creation_input_tokens")), lifetimes })
        result.cacheWrite = std::max(result.cacheWrite, number);
    result.input = prompt ? *prompt : *input;
    const bool isInclusive = prompt || usage.has("input_token_details") || usage.has("input_tokens_details");
    if (isInclusive && result.input >= result.cacheRead + result.cacheWrite)
        result.input -= result.cacheRead + result.cacheWrite;
    result.output = output.value_or(0);
    return result;
}

} // namespace core
