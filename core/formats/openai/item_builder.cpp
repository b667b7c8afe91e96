// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/item_builder.h"

#include "core/base/text.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/json_records.h"
#include "core/json/text_parts.h"

#include <algorithm>
#include <array>
#include <span>

namespace core {

namespace {

using Kind = ResponsesItem::Kind;
using namespace responses;

/// How much of a text is looked at to tell who wrote it or how a command ended.
constexpr size_t kHead = 400;

/// What Codex puts into user and developer messages (openai/codex, codex-rs/core/src/context and event_mapping.rs),
/// beyond what `looksInjected` knows.
constexpr std::array<std::string_view, 20> kCodexFragments { "<permissions", "<skill>", "<user_shell_command>",
    "<subagent_notification>", "<additional_context>", "<goal_context>", "<hook_prompt", "<codex_internal_context",
    "<model_switch>", "<collaboration_mode", "<multi_agent_mode", "<realtime_conversation>", "<skills_instructions>",
    "<apps_instructions>", "<plugins_instructions>", "<personality_spec>", "<token_budget", "<context_window",
    "<rollout_budget>", "Warning: apply_patch was requested via" };

/// How the summaries of Codex's own compaction begin (templates/compact/summary_prefix.md and, before October 2025,
/// history_bridge.md).
constexpr std::array<std::string_view, 2> kSummaryOpenings {
    "Another language model started to solve this problem and produced a summary",
    "You were originally given instructions from a user over one or more turns. Here were the user messages:"
};

/// Outputs that say that the tool failed (codex-rs/core/src/tools and function_tool.rs).
constexpr std::array<std::string_view, 8> kFailureOpenings { "failed in sandbox",
    "execution error:", "failed to parse function arguments",
    "unsupported call:", "unsupported custom tool call:", "aborted by user", "apply_patch verification failed",
    "exec_command failed" };

bool startsWithOneOf(std::string_view text, std::span<const std::string_view> beginnings)
{
    return std::ranges::any_of(beginnings, [&](std::string_view each) { return text.starts_with(each); });
}

std::string_view withoutLeadingBlanks(std::string_view text)
{
    const size_t first = text.find_first_not_of(" \t\r\n");
    return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

/// The media type of base64 data by its first bytes; empty if they are not known.
std::string_view mediaTypeOf(std::string_view base64)
{
    if (base64.starts_with("iVBOR"))
        return "image/png";
    if (base64.starts_with("/9j/"))
        return "image/jpeg";
    if (base64.starts_with("UklGR"))
        return "image/webp";
    if (base64.starts_with("R0lG"))
        return "image/gif";
    if (base64.starts_with("JVBERi"))
        return "application/pdf";
    return {};
}

/// `Exit code: 1` and `Process exited with code 1` in the head of an output, `"exit_code":1` at the end of one that is
/// JSON in a string: anything but 0 is a failure.
bool saysFailure(const SessionBuilder &builder, const Body &body)
{
    const std::string head = builder.session().textHead(body, kHead);
    if (startsWithOneOf(head, kFailureOpenings))
        return true;
    const auto isNonZero = [](std::string_view text, size_t at) {
        return at < text.size() && ((text[at] >= '1' && text[at] <= '9') || text[at] == '-');
    };
    constexpr std::string_view kExitCode = "Exit code: ";
    if (head.starts_with(kExitCode))
        return isNonZero(head, kExitCode.size());
    constexpr std::string_view kExited = "\nProcess exited with code ";
    const size_t exited = head.find(kExited);
    const bool hasHead = head.starts_with("Chunk ID: ") || head.starts_with("Wall time: ");
    if (hasHead && exited != std::string::npos && exited < head.find("\nOutput:"))
        return isNonZero(head, exited + kExited.size());
    if (head.starts_with("{\"output\":")) {
        constexpr std::string_view kMember = "exit_code\\\":";
        const std::string_view raw = builder.session().rawBody(body);
        const std::string_view tail = raw.substr(raw.size() - std::min<size_t>(raw.size(), 200));
        const size_t at = tail.rfind(kMember);
        return at != std::string_view::npos && isNonZero(tail, at + kMember.size());
    }
    return false;
}

/// Builds the blocks of one item.
class ItemBuilder final {
public:
    ItemBuilder(SessionBuilder &builder, const RawItem &raw, const ItemPlace &place)
        : m_builder(builder)
        , m_raw(raw)
        , m_place(place)
    {
        const std::string_view bytes = builder.sourceBytes(place.source);
        const bool isOwn = place.recordSize == 0;
        m_recordOffset = isOwn ? static_cast<uint64_t>(raw.json.data() - bytes.data()) : place.recordOffset;
        m_recordSize = isOwn ? raw.json.size() : place.recordSize;
        m_item.draft.line = place.line;
        m_item.draft.time = place.time;
        m_item.draft.model = place.model;
        m_item.draft.externalId = internString(builder, raw.id);
    }

    ResponsesItem build()
    {
        const std::string_view type = m_raw.type.empty() ? "message" : m_raw.type;
        if (type == "message")
            buildMessage();
        else if (type == "reasoning")
            buildReasoning();
        else if (type == "agent_message")
            buildAgentMessage();
        else if (type == "compaction" || type == "compaction_summary" || type == "context_compaction")
            buildCompaction();
        else if (type == "ghost_snapshot")
            m_item.kind = Kind::Snapshot;
        else if (type == "item_reference")
            buildReference();
        else if (type == "mcp_list_tools" || type == "additional_tools")
            buildToolList();
        else if (type.ends_with("_output"))
            buildResult();
        else if (type.ends_with("_call"))
            buildCall(type.substr(0, type.size() - std::string_view("_call").size()));
        else
            buildOther();
        if (m_item.draft.blocks.empty() && m_item.kind != Kind::Snapshot)
            add(BlockKind::Text, {});
        return std::move(m_item);
    }

private:
    Block &add(BlockKind kind, const Body &body, std::string_view name = {})
    {
        Block block = m_builder.makeBlock(kind, body, m_builder.intern(name));
        block.body.source = m_place.source; // an empty body, too, stands in a record
        block.recordLine = m_place.line;
        block.recordOffset = m_recordOffset;
        block.recordSize = m_recordSize;
        growToBody(block);
        return m_item.draft.blocks.emplace_back(block);
    }

    [[nodiscard]] Body bodyOf(const RawValue &value) const
    {
        if (value.isEmpty())
            return {};
        return value.isString() ? m_builder.jsonStringBody(m_place.source, value.raw)
                                : m_builder.jsonValueBody(m_place.source, value.raw);
    }

    /// Text that only the provider can read weighs as bytes, not as characters.
    Block &addEncrypted(BlockKind kind, std::string_view ciphertext)
    {
        Block &block = add(kind, m_builder.base64Body(m_place.source, ciphertext));
        block.set(BlockFlag::Encrypted);
        return block;
    }

    void addMedia(BlockKind kind, const RawValue &value, std::string_view mediaType, std::string_view callId = {})
    {
        std::string_view data = value.raw;
        const bool isData = value.isString() && data.starts_with("data:");
        const size_t comma = data.find(";base64,");
        if (isData && comma != std::string_view::npos) {
            const std::string_view declared = data.substr(5, comma - 5);
            mediaType = declared.substr(0, declared.find(';'));
            data.remove_prefix(comma + std::string_view(";base64,").size());
        }
        // A slash may be written `\/`: then the data is the decoded string, else the range itself.
        const bool isBase64 = data.find('\\') == std::string_view::npos
            && ((isData && comma != std::string_view::npos) || !mediaType.empty());
        Block &block = add(
            kind, isBase64 ? m_builder.base64Body(m_place.source, data) : bodyOf(value), decodeJsonString(mediaType));
        block.callId = m_builder.intern(callId);
    }

    /// Images and files of any part; false if the part is none.
    bool addMediaPart(const RawPart &part, std::string_view callId = {})
    {
        if (part.type == "input_image" || part.type == "image_url" || part.type == "output_image"
            || part.type == "computer_screenshot") {
            addMedia(BlockKind::Image, part.mediaUrl, {}, callId);
        } else if (part.type == "input_file") {
            const bool hasData = !part.data.isEmpty();
            addMedia(BlockKind::Document, hasData ? part.data : part.mediaUrl,
                hasData ? mediaTypeOf(part.data.raw) : std::string_view(), callId);
            m_item.draft.blocks.back().subject = m_builder.intern(decodeJsonString(part.fileName));
        } else if (part.type == "input_audio") {
            addMedia(BlockKind::Document, part.data,
                part.format.empty() ? "audio" : "audio/" + std::string(part.format), callId);
        } else {
            return false;
        }
        return true;
    }

    static bool isTextPart(const RawPart &part) { return part.text.isString(); }

    void addContentPart(const RawPart &part)
    {
        if (addMediaPart(part))
            return;
        if (isTextPart(part)) {
            add(BlockKind::Text, bodyOf(part.text));
        } else if (!part.encrypted.empty()) {
            addEncrypted(BlockKind::Text, part.encrypted);
        } else if (part.type == "tool_use") {
            // Converters put Anthropic calls into these messages.
            addCall(decodeJsonString(part.name), part.input, part.id);
        } else {
            add(BlockKind::Opaque, bodyOf({ RawValue::Form::Object, part.json }), part.type);
        }
    }

    void addContent()
    {
        if (m_raw.content.isString())
            add(BlockKind::Text, bodyOf(m_raw.content));
        for (const RawPart &part : m_raw.contentParts)
            addContentPart(part);
    }

    void buildMessage()
    {
        m_item.kind = Kind::Message;
        m_item.isCommentary = m_raw.phase == "commentary";
        addContent();
        if (!m_raw.encrypted.empty())
            addEncrypted(BlockKind::Text, m_raw.encrypted);
        if (m_raw.role == "assistant") {
            m_item.draft.role = Role::Assistant;
            m_item.isModelOutput = true;
        } else if (m_raw.role == "tool" || m_raw.role == "function") {
            m_item.draft.role = Role::Tool;
        } else {
            m_item.draft.role = m_raw.role == "system" || m_raw.role == "developer" ? Role::System : Role::User;
            markWriter();
        }
    }

    /// Tells typed text from what the harness put in. Codex takes a user message with any part of its own for its own.
    void markWriter()
    {
        const bool isUser = m_item.draft.role == Role::User;
        bool hasInjected = false;
        for (Block &block : m_item.draft.blocks) {
            if (block.kind != BlockKind::Text || block.is(BlockFlag::Encrypted))
                continue;
            const std::string head = m_builder.session().textHead(block.body, kHead);
            const std::string_view text = withoutLeadingBlanks(head);
            if (startsWithOneOf(text, kSummaryOpenings)) {
                block.set(BlockFlag::Summary);
            } else if (looksInjected(text) || startsWithOneOf(text, kCodexFragments)) {
                block.set(BlockFlag::Injected);
                hasInjected = true;
            } else if (isUser && !isImageTag(text)) {
                block.set(BlockFlag::Typed);
            }
        }
        m_item.beginsTurn = isUser && !hasInjected;
    }

    /// `<image name=[Image #1]>` and `</image>` are put around an image that was pasted.
    static bool isImageTag(std::string_view text)
    {
        return text.size() < 120
            && (text.starts_with("<image") || text.starts_with("</image>") || text.starts_with("<local_image")
                || text.starts_with("</local_image"));
    }

    /// A message from one agent to another: input, though nobody typed it.
    void buildAgentMessage()
    {
        m_item.kind = Kind::Message;
        m_item.draft.role = Role::User;
        m_item.beginsTurn = true;
        addContent();
        for (Block &block : m_item.draft.blocks)
            block.set(BlockFlag::Injected);
    }

    void buildReasoning()
    {
        m_item.kind = Kind::Reasoning;
        m_item.draft.role = Role::Assistant;
        m_item.isModelOutput = true;
        for (const std::vector<RawPart> *parts : { &m_raw.summaryParts, &m_raw.contentParts }) {
            for (const RawPart &part : *parts)
                add(BlockKind::Thinking,
                    isTextPart(part) ? bodyOf(part.text) : bodyOf({ RawValue::Form::Object, part.json }));
        }
        if (m_raw.content.isString())
            add(BlockKind::Thinking, bodyOf(m_raw.content));
        if (!m_raw.encrypted.empty())
            addEncrypted(BlockKind::Thinking, m_raw.encrypted);
        if (m_item.draft.blocks.empty())
            add(BlockKind::Thinking, {});
    }

    void buildCompaction()
    {
        m_item.kind = Kind::Compaction;
        m_item.draft.role = Role::Assistant;
        addContent();
        if (!m_raw.encrypted.empty() || m_item.draft.blocks.empty())
            addEncrypted(BlockKind::Text, m_raw.encrypted);
        for (Block &block : m_item.draft.blocks)
            block.set(BlockFlag::Summary);
    }

    void buildReference()
    {
        m_item.kind = Kind::Reference;
        m_item.draft.role = Role::User;
        add(BlockKind::Opaque, wholeItem(), m_raw.type);
    }

    /// Tool definitions that stand in the array itself.
    void buildToolList()
    {
        m_item.draft.role = m_raw.role.empty() ? Role::Assistant : Role::System;
        m_item.isModelOutput = m_raw.role.empty();
        add(BlockKind::Opaque, m_raw.tools.isEmpty() ? wholeItem() : bodyOf(m_raw.tools), m_raw.serverLabel)
            .set(BlockFlag::Tools);
    }

    void buildOther()
    {
        m_item.isModelOutput = m_raw.role == "assistant" || m_raw.type.ends_with("_request");
        m_item.draft.role = m_item.isModelOutput                  ? Role::Assistant
            : m_raw.role == "system" || m_raw.role == "developer" ? Role::System
                                                                  : Role::User;
        add(BlockKind::Opaque, wholeItem(), m_raw.type);
    }

    [[nodiscard]] Body wholeItem() const { return m_builder.jsonValueBody(m_place.source, m_raw.json); }

    // --- calls
    // --------------------------------------------------------------------------------------------------------

    Block &addCall(std::string_view name, const RawValue &arguments, std::string_view callId)
    {
        Block &block = add(BlockKind::ToolCall, bodyOf(arguments), name);
        block.callId = m_builder.intern(callId);
        block.subject = m_builder.intern(subjectOf(arguments));
        return block;
    }

    static std::string subjectOf(const RawValue &arguments)
    {
        if (arguments.isEmpty())
            return {};
        const std::string text = arguments.isString() ? decodeJsonString(arguments.raw) : std::string(arguments.raw);
        const std::string_view path = firstPathOfPatch(text);
        if (!path.empty())
            return text.starts_with("{") ? decodeJsonString(path) : std::string(path);
        if (text.starts_with("{"))
            return subjectOfArguments(text);
        return arguments.isString() ? snippet(text, 120) : std::string();
    }

    /// `type` without its `_call`.
    void buildCall(std::string_view type)
    {
        m_item.draft.role = Role::Assistant;
        m_item.isModelOutput = true;
        m_item.kind = Kind::Call;
        const std::string_view callId = m_raw.callId.empty() ? m_raw.id : m_raw.callId;
        if (type == "function") {
            addCall(decodeJsonString(m_raw.name), m_raw.arguments, callId);
        } else if (type == "custom_tool") {
            addCall(decodeJsonString(m_raw.name), m_raw.input, callId);
        } else if (type == "mcp") {
            addHosted(
                decodeJsonString(m_raw.name), m_raw.arguments, m_raw.error.isEmpty() ? m_raw.output : m_raw.error);
        } else if (type == "web_search") {
            addHosted(type, m_raw.action, {});
        } else if (type == "file_search") {
            addHosted(type, m_raw.queries, m_raw.results);
        } else if (type == "code_interpreter") {
            addHosted(type, m_raw.code, m_raw.outputs);
        } else if (type == "image_generation") {
            addHosted(type, m_raw.revisedPrompt, {});
            addGeneratedImage();
        } else if (type == "apply_patch") {
            addCall(type, m_raw.operation, callId);
        } else if (type == "tool_search") {
            addCall(type, m_raw.arguments, m_raw.callId); // without a call id the provider runs it
        } else {
            // local_shell, shell, computer, and what is yet to come
            const RawValue whole { RawValue::Form::Object, m_raw.json };
            const RawValue &arguments = !m_raw.action.isEmpty() ? m_raw.action
                : !m_raw.arguments.isEmpty()                    ? m_raw.arguments
                                                                : whole;
            addCall(m_raw.name.empty() ? std::string(type) : decodeJsonString(m_raw.name), arguments, callId);
        }
    }

    /// A call that the provider ran: no other item answers it, so it has no call id.
    void addHosted(std::string_view name, const RawValue &arguments, const RawValue &result)
    {
        m_item.kind = Kind::HostedCall;
        const StringId subject = addCall(name, arguments, {}).subject;
        if (result.isEmpty())
            return;
        Block &block = add(BlockKind::ToolResult, bodyOf(result), name);
        block.subject = subject;
        if (!m_raw.error.isEmpty())
            block.set(BlockFlag::Error);
    }

    void addGeneratedImage()
    {
        if (m_raw.result.isEmpty())
            return;
        const std::string_view known = mediaTypeOf(m_raw.result.raw);
        const std::string declared = m_raw.imageFormat.empty() ? "image" : "image/" + std::string(m_raw.imageFormat);
        addMedia(BlockKind::Image, m_raw.result, known.empty() ? declared : known);
    }

    // --- results
    // ------------------------------------------------------------------------------------------------------

    void buildResult()
    {
        m_item.kind = Kind::Result;
        m_item.draft.role = Role::Tool;
        const auto isMedia = [](const RawPart &part) { return !part.mediaUrl.isEmpty() || !part.data.isEmpty(); };
        const auto isText = [](const RawPart &part) { return isTextPart(part) || !part.encrypted.empty(); };
        const auto mediaCount = std::ranges::count_if(m_raw.outputParts, isMedia);
        const auto textCount = std::ranges::count_if(m_raw.outputParts, isText);
        if (mediaCount == 0 && textCount != 1) {
            addResult(isListOfTexts(m_raw.output.raw) ? m_builder.textPartsBody(m_place.source, m_raw.output.raw)
                                                      : bodyOf(m_raw.output.isEmpty() ? m_raw.tools : m_raw.output));
        } else {
            if (textCount == 0)
                addResult({}); // images alone: the result that they belong to
            for (const RawPart &part : m_raw.outputParts)
                addResultPart(part);
        }
        if (m_raw.status == "failed" || m_raw.status == "incomplete")
            m_item.draft.blocks.front().set(BlockFlag::Error);
    }

    Block &addResult(const Body &body)
    {
        Block &block = add(BlockKind::ToolResult, body);
        const bool isNamedById = m_raw.callId.empty() && m_raw.type == "local_shell_call_output";
        block.callId = m_builder.intern(isNamedById ? m_raw.id : m_raw.callId);
        if (body.coding != Coding::JsonValue && saysFailure(m_builder, body))
            block.set(BlockFlag::Error);
        return block;
    }

    void addResultPart(const RawPart &part)
    {
        if (addMediaPart(part, m_raw.callId))
            return;
        if (isTextPart(part)) {
            if (Block &block = addResult(bodyOf(part.text)); part.isFailure)
                block.set(BlockFlag::Error);
        } else if (!part.encrypted.empty()) {
            addResult(m_builder.base64Body(m_place.source, part.encrypted)).set(BlockFlag::Encrypted);
        } else {
            addResult(bodyOf({ RawValue::Form::Object, part.json }));
        }
    }

    SessionBuilder &m_builder;
    const RawItem &m_raw;
    const ItemPlace &m_place;
    uint64_t m_recordOffset = 0;
    uint64_t m_recordSize = 0;
    ResponsesItem m_item;
};

} // namespace

ResponsesItem buildItem(SessionBuilder &builder, const RawItem &raw, const ItemPlace &place)
{
    return ItemBuilder(builder, raw, place).build();
}

} // namespace core
