// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/claude_record.h"

#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/harness_words.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

/// Whether a version such as `2.1.330` is `least` or later.
bool isSince(std::string_view version, std::array<unsigned, 3> least)
{
    std::array<unsigned, 3> parts {};
    for (unsigned &part : parts) {
        const size_t end = std::min(version.find('.'), version.size());
        std::from_chars(version.begin(), version.begin() + end, part);
        version.remove_prefix(std::min(end + 1, version.size()));
    }
    return parts >= least;
}

/// Collects the fields of one record in order, and decides at the end what kind of record it is.
class Parsing final {
public:
    Parsing(SessionBuilder &names, const Record &record, bool isStream, ClaudeDraft &draft, std::vector<Block> &blocks)
        : m_names(names)
        , m_record(record)
        , m_isStream(isStream)
        , m_draft(draft)
        , m_blocks(blocks)
        , m_firstBlock(blocks.size())
    {
        m_draft.record.line = record.line;
        m_draft.record.source = record.source;
        m_draft.record.offset = record.offset;
        m_draft.record.size = record.bytes.size();
    }

    void read(ondemand::object &object)
    {
        readEnvelope(object);
        conclude();
    }

private:
    void readEnvelope(ondemand::object &object)
    {
        ClaudeRecord &into = m_draft.record;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "message") {
                readMessageField(value);
            } else if (key == "toolUseResult") {
                m_draft.sideBytes += rawJson(value).size();
            } else if (key == "data") {
                if (isObject(value))
                    readProgress(value.get_object());
            } else if (key == "compactMetadata" || key == "compact_metadata") {
                if (isObject(value))
                    readCompactMetadata(value.get_object(), into);
            } else if (key == "microcompactMetadata") {
                if (isObject(value))
                    readMicrocompactMetadata(value.get_object(), into);
            } else if (key == "attachment") {
                if (isObject(value))
                    readAttachment(rawJson(value));
            } else if (key == "rendered") {
                readRendered(rawJson(value));
            } else if (key == "parentUuid") {
                m_hasParent = true;
                if (isString(value))
                    into.parent = hashOf(rawString(value));
            } else if (key == "isSidechain") {
                into.isSidechain = isTrue(value);
            } else if (key == "isMeta") {
                into.isMeta = isTrue(value);
            } else if (key == "isCompactSummary") {
                into.isSummary = isTrue(value);
            } else if (key == "isApiErrorMessage") {
                into.isApiError = isTrue(value);
            } else if (key == "usage" && isObject(value)) {
                (void)rawJson(value);
            } else if (isString(value)) {
                readEnvelopeString(key, rawString(value));
            }
        }
    }

    /// Text beside the conversation. Claude Code 2.1.330 keeps the system prompt and the tools as attachments, too;
    /// they are no part of the messages.
    void readAttachment(std::string_view raw)
    {
        const JsonMembers members(raw);
        const std::string_view prompt = members.raw("prompt");
        if (members.string("type") == "queued_command" && isJsonString(prompt)) {
            m_draft.queueStep = QueueStep::Logged;
            m_draft.record.isMeta = members.isTrue("isMeta");
            addQueued(jsonString(prompt));
        } else if (members.string("type") == "prompt_snapshot") {
            m_draft.sideBytes += raw.size();
        } else {
            m_blocks.push_back(m_names.makeBlock(BlockKind::Text, m_names.jsonValueBody(m_record.source, raw)));
        }
    }

    void addQueued(std::string_view rawText)
    {
        const std::string text = decodeJsonString(rawText);
        m_draft.queuedText = hashOf(text);
        m_draft.isPrompt = !text.starts_with('/') && !looksInjected(text);
        m_blocks.push_back(m_names.makeBlock(BlockKind::Text, m_names.jsonStringBody(m_record.source, rawText)));
    }

    /// The texts that the attachment became in the request, `[{"content": …}]`. Claude Code 2.1.330 writes them.
    void readRendered(std::string_view raw)
    {
        for (const std::string_view each : jsonElements(raw).items) {
            const std::string_view content = JsonMembers(each).raw("content");
            if (isJsonString(content))
                m_rendered.push_back(
                    m_names.makeBlock(BlockKind::Text, m_names.jsonStringBody(m_record.source, jsonString(content))));
        }
    }

    void readEnvelopeString(std::string_view key, std::string_view raw)
    {
        ClaudeRecord &into = m_draft.record;
        if (key == "type")
            m_type = raw;
        else if (key == "uuid")
            setUuid(raw);
        else if (key == "logicalParentUuid")
            into.logicalParent = hashOf(raw);
        else if (key == "timestamp")
            into.time = parseTime(raw);
        else if (key == "subtype")
            m_subtype = raw;
        else if (key == "operation")
            m_operation = raw;
        else if (key == "content")
            m_content = raw;
        else if (key == "version" || key == "claude_code_version")
            m_draft.version = internString(m_names, raw);
        else if (key == "cwd")
            m_draft.cwd = internString(m_names, raw);
        else if (key == "gitBranch")
            m_draft.branch = internString(m_names, raw);
        else if (key == "agentId")
            into.agent = internString(m_names, raw);
        else if (key == "parentToolUseID" || key == "parent_tool_use_id")
            into.parentTool = internString(m_names, raw);
    }

    void setUuid(std::string_view raw)
    {
        m_uuid = raw;
        m_draft.record.uuid = hashOf(raw);
    }

    /// `message` is the API message. Some programs log the stream with the whole payload in `message`.
    void readMessageField(ondemand::value value)
    {
        if (!isObject(value)) {
            m_hasBrokenMessage = true;
            return;
        }
        ondemand::object message = value.get_object();
        if (!m_isWrapped && isPayload(message)) {
            m_isWrapped = true;
            readEnvelope(message);
            return;
        }
        m_hasMessage = true;
        readMessage(message, m_draft.record, m_blocks);
    }

    static bool isPayload(ondemand::object &message)
    {
        bool found = false;
        for (auto field : message) {
            const std::string_view key = field.escaped_key();
            if (key == "session_id" || key == "sessionId" || key == "message" || key == "subtype") {
                found = true;
                break;
            }
            if (key == "content" || key == "role")
                break;
        }
        message.reset();
        return found;
    }

    /// Returns the role.
    std::string_view readMessage(ondemand::object message, ClaudeRecord &into, std::vector<Block> &blocks)
    {
        std::string_view role;
        for (auto field : message) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "content") {
                readAnthropicContent(m_names, m_record.source, value, blocks);
            } else if (key == "usage") {
                if (isObject(value))
                    into.usage = readAnthropicUsage(value);
            } else if (isString(value)) {
                const std::string_view raw = rawString(value);
                if (key == "id")
                    into.messageId = internString(m_names, raw);
                else if (key == "model")
                    into.model = internString(m_names, raw);
                else if (key == "role")
                    role = raw;
            }
        }
        return role;
    }

    /// `progress` records of a running subagent repeat its messages: they are the subagent's thread.
    void readProgress(ondemand::object data)
    {
        ClaudeRecord inner;
        std::vector<Block> blocks;
        std::string_view type;
        std::string_view role;
        std::string_view uuid;
        bool isAgent = false;
        for (auto field : data) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "message" && isObject(value)) {
                for (auto part : value.get_object()) {
                    const std::string_view partKey = part.escaped_key();
                    ondemand::value partValue = part.value();
                    if (partKey == "message" && isObject(partValue)) {
                        ClaudeRecord nested;
                        blocks.clear();
                        role = readMessage(partValue.get_object(), nested, blocks);
                        inner.messageId = nested.messageId;
                        inner.model = nested.model;
                        inner.usage = nested.usage;
                    } else if (partKey == "toolUseResult") {
                        m_draft.sideBytes += rawJson(partValue).size();
                    } else if (isString(partValue)) {
                        const std::string_view raw = rawString(partValue);
                        if (partKey == "type")
                            type = raw;
                        else if (partKey == "uuid")
                            uuid = raw;
                        else if (partKey == "timestamp")
                            inner.time = parseTime(raw);
                    }
                }
            } else if (isString(value)) {
                const std::string_view raw = rawString(value);
                if (key == "type")
                    isAgent = raw == "agent_progress";
                else if (key == "agentId")
                    inner.agent = internString(m_names, raw);
            }
        }
        if (!isAgent || blocks.empty())
            return;
        if (type.empty())
            type = role;
        inner.type = type == "assistant" ? ClaudeRecord::Type::Assistant : ClaudeRecord::Type::User;
        if (!uuid.empty()) {
            inner.uuid = hashOf(uuid);
            if (!inner.messageId.isValid())
                inner.recordId = internString(m_names, uuid);
        }
        inner.isLinear = true;
        inner.isSidechain = true;
        inner.line = m_record.line;
        inner.source = m_record.source;
        inner.offset = m_record.offset;
        inner.size = m_record.bytes.size();
        m_draft.agent = std::make_unique<ClaudeRecord>(std::move(inner));
        m_agentBlocks = std::move(blocks);
    }

    void readCompactMetadata(ondemand::object metadata, ClaudeRecord &into)
    {
        for (auto field : metadata) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if ((key == "preservedSegment" || key == "preservedMessages") && isObject(value))
                readKept(value.get_object());
            else
                readCompactionField(key, value, into);
        }
        if (!m_kept.anchor.isNull())
            into.kept = std::make_shared<const KeptMessages>(std::move(m_kept));
    }

    /// Either names the messages that stay in the context: the first and the last one, or all.
    void readKept(ondemand::object object)
    {
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "uuids" && value.type() == ondemand::json_type::array) {
                m_kept.hasList = true;
                for (ondemand::value uuid : value.get_array())
                    m_kept.list.push_back(isString(uuid) ? hashOf(rawString(uuid)) : Hash());
            } else if (isString(value)) {
                const Hash hash = hashOf(rawString(value));
                if (key == "anchorUuid")
                    m_kept.anchor = hash;
                else if (key == "headUuid")
                    m_kept.head = hash;
                else if (key == "tailUuid")
                    m_kept.tail = hash;
            }
        }
    }

    void readMicrocompactMetadata(ondemand::object metadata, ClaudeRecord &into)
    {
        for (auto field : metadata) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            const bool isCalls = key == "compactedToolIds";
            const bool isList = value.type() == ondemand::json_type::array;
            if (!isList || (!isCalls && key != "clearedAttachmentUUIDs")) {
                readCompactionField(key, value, into);
                continue;
            }
            uint64_t count = 0;
            for (ondemand::value id : value.get_array()) {
                ++count;
                if (isCalls && isString(id))
                    into.clearedCalls.push_back(internString(m_names, rawString(id)));
            }
            if (isCalls || count > 0)
                into.figures.push_back({ std::string(key), count });
        }
    }

    void readCompactionField(std::string_view key, ondemand::value value, ClaudeRecord &into)
    {
        if (key == "trigger" && isString(value)) {
            into.trigger = internString(m_names, rawString(value));
            return;
        }
        const bool isBefore = key == "preTokens" || key == "pre_tokens";
        if (!isBefore && key != "postTokens" && key != "post_tokens" && key != "tokensSaved")
            return;
        const std::optional<uint64_t> tokens = unsignedOf(value);
        if (tokens)
            into.figures.push_back({ std::string(key), *tokens });
        if (isBefore)
            into.preTokens = tokens;
    }

    /// Decides the kind of record from its fields.
    void conclude()
    {
        ClaudeRecord &record = m_draft.record;
        record.isLinear = m_isStream || record.uuid.isNull() || !m_hasParent;
        const bool isTalk = m_type == "user" || m_type == "assistant";
        bool hasBlocks = false;
        const std::string_view version
            = m_draft.version.isValid() ? m_names.string(m_draft.version) : std::string_view();
        record.dropsBareThinking = isSince(version, { 2, 1, 33 });
        m_draft.hasBrokenMessage = isTalk && !m_hasMessage && m_hasBrokenMessage;
        m_draft.isInTree = true;
        if (isTalk && m_hasMessage) {
            record.type = m_type == "user" ? ClaudeRecord::Type::User : ClaudeRecord::Type::Assistant;
            if (record.parentTool.isValid() && record.isLinear)
                record.isSidechain = true;
            hasBlocks = true;
            if (m_type == "user")
                markUserBlocks();
        } else if (m_type == "attachment") {
            record.type = ClaudeRecord::Type::User;
            hasBlocks = true;
            if (!m_rendered.empty()) {
                m_blocks.resize(m_firstBlock);
                m_blocks.insert(m_blocks.end(), m_rendered.begin(), m_rendered.end());
            }
            if (m_draft.queueStep == QueueStep::Logged)
                markUserBlocks();
            else
                std::ranges::for_each(ownBlocks(), [](Block &block) { block.set(BlockFlag::Injected); });
        } else if (m_type == "queue-operation") {
            readQueueStep();
            m_draft.isInTree = false;
            hasBlocks = m_draft.queueStep == QueueStep::Enqueue;
        } else if (m_type == "system" && m_subtype == "local_command" && isSince(version, { 2, 1, 63 })) {
            // A command of the harness's own, or what it printed. Earlier versions do not send it.
            record.type = ClaudeRecord::Type::User;
            hasBlocks = true;
            m_blocks.push_back(m_names.makeBlock(BlockKind::Text, m_names.jsonStringBody(m_record.source, m_content)));
            markUserBlocks();
        } else if (m_type == "system" && m_subtype == "compact_boundary") {
            record.type = ClaudeRecord::Type::Boundary;
        } else if (m_type == "system" && m_subtype == "microcompact_boundary") {
            record.type = ClaudeRecord::Type::Clearing;
        } else {
            record.type = ClaudeRecord::Type::Link;
            m_draft.isInTree = !record.uuid.isNull(); // others are metadata: titles, snapshots
        }
        if (!hasBlocks)
            m_blocks.resize(m_firstBlock);
        else if (!record.messageId.isValid() && !m_uuid.empty())
            record.recordId = internString(m_names, m_uuid);
        record.firstBlock = static_cast<uint32_t>(m_firstBlock);
        record.blockCount = static_cast<uint32_t>(m_blocks.size() - m_firstBlock);
        if (record.blockCount > 0)
            m_blocks.back().sideBytes = m_draft.sideBytes;
        if (m_draft.agent) {
            m_draft.agent->parentTool = record.parentTool;
            m_draft.agent->firstBlock = static_cast<uint32_t>(m_blocks.size());
            m_draft.agent->blockCount = static_cast<uint32_t>(m_agentBlocks.size());
            m_blocks.insert(m_blocks.end(), m_agentBlocks.begin(), m_agentBlocks.end());
        }
    }

    /// The text is missing where the message has images.
    void readQueueStep()
    {
        static constexpr std::array<std::pair<std::string_view, QueueStep>, 4> kSteps {
            { { "enqueue", QueueStep::Enqueue }, { "dequeue", QueueStep::Dequeue }, { "remove", QueueStep::Remove },
                { "popAll", QueueStep::Clear } }
        };
        const auto *step = std::ranges::find(kSteps, m_operation, [](const auto &each) { return each.first; });
        m_draft.queueStep = step != kSteps.end() ? step->second : QueueStep::None;
        if (m_draft.queueStep != QueueStep::Enqueue)
            return;
        m_draft.record.type = ClaudeRecord::Type::User;
        m_draft.record.uuid = hashOf(m_record.bytes); // a copy in a resumed session is the same message
        if (!m_content.empty()) {
            addQueued(m_content);
            markUserBlocks();
        }
    }

    [[nodiscard]] std::span<Block> ownBlocks() { return std::span(m_blocks).subspan(m_firstBlock); }

    /// Distinguishes typed text from the harness's text.
    void markUserBlocks()
    {
        const std::string_view bytes = m_names.sourceBytes(m_record.source);
        for (Block &block : ownBlocks()) {
            if (block.kind == BlockKind::ToolResult && block.is(BlockFlag::Error))
                markTypedPart(m_names, block);
            if (block.kind != BlockKind::Text)
                continue; // not typed, or a part of a result
            const std::string_view raw = bytes.substr(block.body.offset, std::min<uint64_t>(block.body.size, 200));
            if (m_draft.record.isSummary || raw.starts_with(kSummaryOpening)) {
                m_draft.record.isSummary = true;
                block.set(BlockFlag::Summary);
            } else if (m_draft.record.isMeta || looksInjected(raw)) {
                block.set(BlockFlag::Injected);
                if (raw.starts_with("<command-") || raw.starts_with("[Request")
                    || m_draft.queueStep == QueueStep::Logged)
                    markTypedPart(m_names, block);
            } else {
                block.set(BlockFlag::Typed);
            }
        }
    }

    SessionBuilder &m_names;
    const Record &m_record;
    bool m_isStream;
    ClaudeDraft &m_draft;
    std::vector<Block> &m_blocks;
    size_t m_firstBlock;
    std::vector<Block> m_agentBlocks;
    std::string_view m_type;
    std::string_view m_subtype;
    std::string_view m_uuid;
    std::string_view m_operation; ///< of the queue
    std::string_view m_content;   ///< of a `system` record
    KeptMessages m_kept;
    bool m_isWrapped = false;
    std::vector<Block> m_rendered; ///< of an attachment
    bool m_hasMessage = false;
    bool m_hasBrokenMessage = false; ///< a message that is no object
    bool m_hasParent = false;        ///< the member exists, even if it is null
};

} // namespace

void ClaudeRecordParser::parse(
    ondemand::object &object, const Record &record, ClaudeDraft &draft, std::vector<Block> &blocks)
{
    Parsing(m_names, record, m_isStream, draft, blocks).read(object);
}

void NameMap::adopt(ClaudeRecord &record, std::span<Block> blocks, uint64_t bytesBefore)
{
    record.offset += bytesBefore;
    adopt(record.messageId);
    adopt(record.recordId);
    adopt(record.model);
    adopt(record.agent);
    adopt(record.parentTool);
    adopt(record.trigger);
    for (StringId &id : record.clearedCalls)
        adopt(id);
    for (Block &block : blocks) {
        adopt(block.name);
        adopt(block.callId);
        adopt(block.subject);
        const bool standsSomewhere = block.body.size > 0 || block.body.offset > 0;
        if (standsSomewhere)
            block.body.offset += bytesBefore;
    }
}

void NameMap::adopt(StringId &id)
{
    if (!id.isValid())
        return;
    StringId &known = m_known[id.index()];
    if (!known.isValid())
        known = m_to.intern(m_from.string(id));
    id = known;
}

} // namespace core
