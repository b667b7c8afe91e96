// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/chat_messages.h"

#include "core/base/text.h"
#include "core/formats/reading/harness_words.h"

#include <algorithm>

namespace core {

namespace {

/// Decoded bytes needed to judge a text by its beginning.
constexpr size_t kBeginning = 512;
/// The beginning of the summary message of LangChain's summarisation middleware.
constexpr std::string_view kSummaryBeginning = "Here is a summary of the conversation to date";

/// mini-swe-agent ends when the model runs a command that prints this. The next message is what the command printed.
constexpr std::string_view kSubmission = "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";

bool submits(const SessionBuilder &builder, const MessageDraft &message)
{
    return message.role == Role::Assistant && std::ranges::any_of(message.blocks, [&](const Block &block) {
        return block.kind == BlockKind::Text && builder.session().rawBody(block.body).contains(kSubmission);
    });
}

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
    return lowered(type);
}

uint64_t orNone(const std::optional<uint64_t> &number) { return number.value_or(0); }

} // namespace

ChatReader::ChatReader(SessionBuilder &builder, SourceId source, LineCursor lines)
    : m_builder(builder)
    , m_source(source)
    , m_parts(builder, source)
    , m_lines(lines)
{
}

void ChatReader::warn(std::string_view place, std::string reason)
{
    m_diagnostics.push_back({ Severity::Warning, m_lines.lineOf(place), std::move(reason) });
}

void ChatReader::report()
{
    for (const Diagnostic &each : takeDiagnostics())
        m_builder.warn(each.line, each.reason);
}

/// Removes LangChain's wrapping of a message; nullopt, with a diagnostic, if it is not a message.
std::optional<ChatReader::Opened> ChatReader::open(std::string_view raw)
{
    if (!isJsonObject(raw)) {
        warn(raw, "An element of the messages is not an object and was skipped.");
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
                "An element of the messages was not serialised by LangChain (" + decodeJsonString(fields.string("type"))
                    + ") and was skipped.");
            return std::nullopt;
        }
        message.type = shortTypeOf(jsonString(names.back()));
        fields = fields.object("kwargs");
    } else if (isJsonObject(fields.raw("data")) && fields.has("type") && !fields.has("content")) {
        fields = fields.object("data");
    }
    if (message.type == "remove") {
        warn(raw, "A RemoveMessage changes the state and is not a message; it was skipped.");
        return std::nullopt;
    }
    if (!isWhole || !fields.isWhole())
        warn(raw, "A message is cut off or damaged; its readable part was kept.");
    return message;
}

/// The role given by `role` or by the LangChain type.
std::optional<Role> ChatReader::roleOf(const Opened &message, std::string_view raw)
{
    auto role = roleOfWord(message.fields.string("role"));
    if (!role)
        role = roleOfWord(message.type);
    if (role)
        return role;
    const std::string told
        = message.fields.has("role") ? decodeJsonString(message.fields.string("role")) : std::string(message.type);
    if (told.empty()) {
        warn(raw, "A message has no role and was skipped (" + groupedNumber(raw.size()) + " bytes).");
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
    ChatAssembly message;
    message.role = *role;
    if (*role == Role::Tool)
        m_parts.addResultContent(message, fields.raw("content"));
    else
        m_parts.addContent(message, fields.raw("content"));
    if (*role == Role::Assistant) {
        m_parts.addThinking(message, fields);
        m_parts.addCalls(message, fields);
        message.add(m_parts.text(BlockKind::Text, fields.string("refusal")));
        if (isJsonObject(fields.raw("audio")))
            m_parts.addDocumentPart(message, fields.object("audio"), fields.raw("audio"));
    }
    message.hasCacheMark = isJsonObject(fields.raw("cache_control"));

    ChatMessage result = finished(message, raw);
    result.draft.externalId = m_builder.intern(decodeJsonString(fields.string("id")));
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

/// Reads the id of the answered call, whether it failed, and the size of the program's own data.
void ChatReader::addResultFacts(ChatMessage &message, const JsonMembers &fields)
{
    const StringId id = m_builder.intern(decodeJsonString(fields.string("tool_call_id")));
    const StringId name = m_builder.intern(decodeJsonString(fields.string("name")));
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

/// Reads the model and the usage of a response.
void ChatReader::addAnswerFacts(ChatMessage &message, const JsonMembers &fields)
{
    const JsonMembers response = fields.object("response_metadata");
    message.draft.model
        = m_builder.intern(decodeJsonString(firstString(response, { "model_name", "model", "model_id" })));
    message.usage = chatUsage(fields.raw("usage_metadata"));
    for (const std::string_view key : { "token_usage", "usage" }) {
        if (!message.usage)
            message.usage = chatUsage(response.raw(key));
    }
}

/// Orders the blocks and sets their record. A message without content gets an empty block, because it is still an
/// element of the array.
ChatMessage ChatReader::finished(ChatAssembly &message, std::string_view record)
{
    ChatMessage result;
    result.sideBytes = message.sideBytes;
    result.draft.role = message.role;
    result.draft.line = m_lines.lineOf(record);
    result.draft.blocks = std::move(message.thinking);
    for (ChatAssembly::Entry &entry : message.entries)
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
        auto message = read(each);
        if (!message)
            continue;
        if (!messages.empty() && submits(m_builder, messages.back().draft)) {
            for (Block &block : message->draft.blocks) {
                if (block.is(BlockFlag::Typed)) {
                    block.flags = static_cast<uint16_t>(block.flags & ~static_cast<uint16_t>(BlockFlag::Typed));
                    block.set(BlockFlag::Injected);
                }
            }
        }
        messages.push_back(std::move(*message));
    }
    if (!elements.isWhole && isJsonArray(array))
        warn(elements.items.empty() ? array : elements.items.back(),
            "The array of messages is damaged here; nothing after this place was read.");
    return messages;
}

ChatMessage ChatReader::readContent(Role role, std::string_view content, std::string_view record)
{
    ChatAssembly message;
    message.role = role;
    if (role == Role::Tool)
        m_parts.addResultContent(message, content);
    else
        m_parts.addContent(message, content);
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
            return decodeJsonString(name);
    }
    return decodeJsonString(firstString(members, { "name", "type" }));
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
    // langchain-anthropic writes `cache_creation` as 0 if it writes both lifetimes separately.
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
    // Some proxies write 0 for reasoning that they do not count.
    for (const auto &number : { usage.object("completion_tokens_details").number("reasoning_tokens"),
             usage.object("output_tokens_details").number("reasoning_tokens"),
             usage.object("output_token_details").number("reasoning") }) {
        if (number.value_or(0) > 0)
            result.reasoning = number;
    }
    return result;
}

} // namespace core
