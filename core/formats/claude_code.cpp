// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic_blocks.h"
#include "core/formats/claude_tree.h"
#include "core/formats/json_records.h"

#include <chrono>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr std::string_view kSummaryOpening = "This session is being continued from a previous conversation";

bool isString(ondemand::value value) { return value.type() == ondemand::json_type::string; }
bool isObject(ondemand::value value) { return value.type() == ondemand::json_type::object; }

/// One record while it is being read; handed to the tree once it is whole.
struct Draft {
    ClaudeRecord record;
    std::vector<Block> blocks;
    std::string_view type;
    std::string_view subtype;
    std::string_view version;
    std::string_view cwd;
    std::string_view role;
    bool hasMessage = false;
    bool hasBrokenMessage = false; ///< a message that is no object
    bool hasParent = false;        ///< the member is there, be it null
    uint64_t sideBytes = 0;
};

/// Reads Claude Code's own session files and the SDK stream, which holds the same messages in thinner envelopes.
class ClaudeReader final {
public:
    ClaudeReader(const ReadContext &context, const Format &format)
        : m_context(context)
        , m_format(format)
        , m_tree(m_builder)
    {
        m_source = m_builder.addSource(context.source);
    }

    Result<SessionPtr> read()
    {
        auto lastPublished = std::chrono::steady_clock::now();
        auto assemblyTime = std::chrono::steady_clock::duration::zero();
        const auto publish = [&](double) {
            if (!m_context.publish)
                return;
            const auto now = std::chrono::steady_clock::now();
            // Assembling costs time in the size of what was read: never more than a tenth of the whole.
            if (now - lastPublished
                < std::max<std::chrono::steady_clock::duration>(std::chrono::milliseconds(100), assemblyTime * 10))
                return;
            m_context.publish(assemble(false));
            lastPublished = std::chrono::steady_clock::now();
            assemblyTime = lastPublished - now;
        };
        const bool isDone = forEachRecord(
            m_builder, m_source, m_context,
            [this](ondemand::object &object, const Record &record) { visit(object, record); }, publish);
        if (!isDone)
            return failure(ErrorKind::Cancelled, "Loading was cancelled.", m_context.source->name());
        SessionPtr session = assemble(true);
        if (session->blocks.empty() && session->recordCount == 0)
            return failure(
                ErrorKind::Malformed, "Not one record of this file could be read.", m_context.source->name());
        return session;
    }

private:
    void visit(ondemand::object &object, const Record &record)
    {
        Draft draft;
        draft.record.line = record.line;
        draft.record.source = record.source;
        draft.record.offset = record.offset;
        m_isWrapped = false;
        m_agentRecord.reset(); // of a record that could not be read to its end
        readEnvelope(object, record, draft);
        accept(draft, record);
    }

    void readEnvelope(ondemand::object &object, const Record &record, Draft &draft)
    {
        ClaudeRecord &into = draft.record;
        for (auto field : object) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "message") {
                readMessageField(value, record, draft);
            } else if (key == "toolUseResult") {
                draft.sideBytes += rawJson(value).size();
            } else if (key == "data") {
                if (isObject(value))
                    readProgress(value.get_object(), record, draft);
            } else if (key == "compactMetadata" || key == "compact_metadata") {
                if (isObject(value))
                    readCompactMetadata(value.get_object(), into);
            } else if (key == "microcompactMetadata") {
                if (isObject(value))
                    readMicrocompactMetadata(value.get_object(), into);
            } else if (key == "attachment") {
                if (isObject(value))
                    draft.blocks.push_back(
                        m_builder.makeBlock(BlockKind::Text, m_builder.jsonValueBody(record.source, rawJson(value))));
            } else if (key == "parentUuid") {
                draft.hasParent = true;
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
                readEnvelopeString(key, rawString(value), draft);
            }
        }
    }

    void readEnvelopeString(std::string_view key, std::string_view raw, Draft &draft)
    {
        ClaudeRecord &into = draft.record;
        if (key == "type")
            draft.type = raw;
        else if (key == "uuid")
            into.uuid = hashOf(raw);
        else if (key == "logicalParentUuid")
            into.logicalParent = hashOf(raw);
        else if (key == "timestamp")
            into.time = parseTime(raw);
        else if (key == "subtype")
            draft.subtype = raw;
        else if (key == "version" || key == "claude_code_version")
            draft.version = raw;
        else if (key == "cwd")
            draft.cwd = raw;
        else if (key == "agentId")
            into.agent = internString(m_builder, raw);
        else if (key == "parentToolUseID" || key == "parent_tool_use_id")
            into.parentTool = internString(m_builder, raw);
    }

    /// `message` is the API message; in the stream as some programs log it, it is the whole payload once more.
    void readMessageField(ondemand::value value, const Record &record, Draft &draft)
    {
        if (!isObject(value)) {
            draft.hasBrokenMessage = true;
            return;
        }
        ondemand::object message = value.get_object();
        if (!m_isWrapped && isPayload(message)) {
            m_isWrapped = true;
            readEnvelope(message, record, draft);
            return;
        }
        readMessage(message, record, draft);
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

    void readMessage(ondemand::object message, const Record &record, Draft &draft)
    {
        ClaudeRecord &into = draft.record;
        draft.hasMessage = true;
        for (auto field : message) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "content") {
                readAnthropicContent(m_builder, record.source, value, draft.blocks);
            } else if (key == "usage") {
                if (isObject(value))
                    into.usage = readAnthropicUsage(value);
            } else if (isString(value)) {
                const std::string_view raw = rawString(value);
                if (key == "id")
                    into.messageId = internString(m_builder, raw);
                else if (key == "model")
                    into.model = internString(m_builder, raw);
                else if (key == "role")
                    draft.role = raw;
            }
        }
    }

    /// `progress` records of a running subagent repeat its messages: they are the subagent's thread.
    void readProgress(ondemand::object data, const Record &record, Draft &draft)
    {
        ClaudeRecord inner;
        std::vector<Block> blocks;
        std::string_view type;
        std::string_view role;
        bool isAgent = false;
        for (auto field : data) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "message" && isObject(value)) {
                for (auto part : value.get_object()) {
                    const std::string_view partKey = part.escaped_key();
                    ondemand::value partValue = part.value();
                    if (partKey == "message" && isObject(partValue)) {
                        Draft nested;
                        nested.record.source = record.source;
                        readMessage(partValue.get_object(), record, nested);
                        inner.messageId = nested.record.messageId;
                        inner.model = nested.record.model;
                        inner.usage = nested.record.usage;
                        role = nested.role;
                        blocks = std::move(nested.blocks);
                    } else if (partKey == "toolUseResult") {
                        draft.sideBytes += rawJson(partValue).size();
                    } else if (isString(partValue)) {
                        const std::string_view raw = rawString(partValue);
                        if (partKey == "type")
                            type = raw;
                        else if (partKey == "uuid")
                            inner.uuid = hashOf(raw);
                        else if (partKey == "timestamp")
                            inner.time = parseTime(raw);
                    }
                }
            } else if (isString(value)) {
                const std::string_view raw = rawString(value);
                if (key == "type")
                    isAgent = raw == "agent_progress";
                else if (key == "agentId")
                    inner.agent = internString(m_builder, raw);
            }
        }
        if (!isAgent || blocks.empty())
            return;
        if (type.empty())
            type = role;
        inner.type = type == "assistant" ? ClaudeRecord::Type::Assistant : ClaudeRecord::Type::User;
        inner.isLinear = true;
        inner.isSidechain = true;
        inner.line = record.line;
        inner.source = record.source;
        inner.offset = record.offset;
        m_agentRecord = inner;
        m_agentBlocks = std::move(blocks);
    }

    void readCompactMetadata(ondemand::object metadata, ClaudeRecord &into)
    {
        for (auto field : metadata) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "trigger" && isString(value))
                into.trigger = internString(m_builder, rawString(value));
            else if (key == "preTokens" || key == "pre_tokens")
                into.preTokens = unsignedOf(value);
        }
    }

    void readMicrocompactMetadata(ondemand::object metadata, ClaudeRecord &into)
    {
        for (auto field : metadata) {
            const std::string_view key = field.escaped_key();
            ondemand::value value = field.value();
            if (key == "trigger" && isString(value)) {
                into.trigger = internString(m_builder, rawString(value));
            } else if (key == "preTokens") {
                into.preTokens = unsignedOf(value);
            } else if (key == "compactedToolIds" && value.type() == ondemand::json_type::array) {
                for (ondemand::value id : value.get_array()) {
                    if (isString(id))
                        into.clearedCalls.push_back(internString(m_builder, rawString(id)));
                }
            }
        }
    }

    /// The record was read whole: it goes into the tree.
    void accept(Draft &draft, const Record &record)
    {
        ++m_records;
        // The visitor sees what is left of the line; the record itself ends where its object ends.
        ClaudeRecord &into = draft.record;
        into.size = record.bytes.size();
        m_sideBytes += draft.sideBytes;
        if (!draft.version.empty())
            m_version = decodeJsonString(draft.version);
        if (!draft.cwd.empty() && m_cwd.empty())
            m_cwd = decodeJsonString(draft.cwd);
        if (m_agentRecord) {
            m_agentRecord->parentTool = into.parentTool;
            m_agentRecord->size = into.size;
            m_tree.add(std::move(*m_agentRecord), std::move(m_agentBlocks));
            m_agentRecord.reset();
            m_agentBlocks.clear();
        }
        into.isLinear = into.uuid.isNull() || !draft.hasParent;
        if (m_format.id == kClaudeSdkStream.id)
            into.isLinear = true;
        const bool isTalk = draft.type == "user" || draft.type == "assistant";
        if (isTalk && !draft.hasMessage && draft.hasBrokenMessage)
            m_builder.warn(record.line, "The message of this record is no object; it was left out.");
        if (isTalk && draft.hasMessage) {
            into.type = draft.type == "user" ? ClaudeRecord::Type::User : ClaudeRecord::Type::Assistant;
            if (into.parentTool.isValid() && into.isLinear)
                into.isSidechain = true;
            markUserBlocks(draft, record);
        } else if (draft.type == "attachment") {
            into.type = ClaudeRecord::Type::User;
            for (Block &block : draft.blocks)
                block.set(BlockFlag::Injected);
        } else if (draft.type == "system" && draft.subtype == "compact_boundary") {
            into.type = ClaudeRecord::Type::Boundary;
            draft.blocks.clear();
        } else if (draft.type == "system" && draft.subtype == "microcompact_boundary") {
            into.type = ClaudeRecord::Type::Clearing;
            draft.blocks.clear();
        } else {
            if (into.uuid.isNull())
                return; // metadata: titles, snapshots, queue operations
            into.type = ClaudeRecord::Type::Link;
            draft.blocks.clear();
        }
        if (!draft.blocks.empty())
            draft.blocks.back().sideBytes = draft.sideBytes;
        m_tree.add(std::move(into), std::move(draft.blocks));
    }

    /// Tells typed text from what the harness put in.
    void markUserBlocks(Draft &draft, const Record &record)
    {
        if (draft.type != "user")
            return;
        const std::string_view bytes = m_builder.sourceBytes(record.source);
        for (Block &block : draft.blocks) {
            if (block.kind != BlockKind::Text)
                continue; // not typed, or a part of a result
            const std::string_view raw = bytes.substr(block.body.offset, std::min<uint64_t>(block.body.size, 200));
            if (draft.record.isSummary || raw.starts_with(kSummaryOpening)) {
                draft.record.isSummary = true;
                block.set(BlockFlag::Summary);
            } else if (draft.record.isMeta || looksInjected(raw)) {
                block.set(BlockFlag::Injected);
            } else {
                block.set(BlockFlag::Typed);
            }
        }
    }

    /// A session out of what has been read so far; the last one takes everything along.
    SessionPtr assemble(bool isLast)
    {
        Session &session = m_builder.session();
        session.format = m_format.id;
        session.harness = m_version.empty() ? "Claude Code" : "Claude Code " + m_version;
        session.workingFolder = m_cwd;
        session.merging = SlotMerging::ConsecutiveUsers;
        session.recordCount = m_records;
        session.sideBytes = m_sideBytes;
        session.isComplete = isLast;
        return m_tree.assemble(isLast ? ClaudeTree::Keep::Nothing : ClaudeTree::Keep::Everything);
    }

    const ReadContext &m_context;
    const Format &m_format;
    SessionBuilder m_builder;
    ClaudeTree m_tree;
    SourceId m_source;
    std::string m_version;
    std::string m_cwd;
    uint64_t m_records = 0;
    uint64_t m_sideBytes = 0;
    bool m_isWrapped = false;
    std::optional<ClaudeRecord> m_agentRecord;
    std::vector<Block> m_agentBlocks;
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Whether the record holds `key` with `value`, both with their quotes, at any depth and with any blanks around the
/// colon.
bool hasMember(std::string_view record, std::string_view key, std::string_view value)
{
    for (size_t at = record.find(key); at != std::string_view::npos; at = record.find(key, at + 1)) {
        std::string_view rest = record.substr(at + key.size());
        rest.remove_prefix(std::min(rest.find_first_not_of(" \t:"), rest.size()));
        if (rest.starts_with(value))
            return true;
    }
    return false;
}

Likeness sniffClaudeCode(const Sample &sample)
{
    if (sample.isSingleValue && sample.records.size() == 1 && sample.records.front().starts_with("["))
        return Likeness::No;
    Likeness best = Likeness::No;
    for (const std::string_view record : sample.records) {
        if (!record.starts_with("{"))
            continue;
        // `message.parts` under the same envelope is Qwen Code's.
        if (hasMember(record, "\"parts\"", "[") && contains(record, "\"parentUuid\""))
            return Likeness::No;
        if (contains(record, "\"parentUuid\"")
            && (contains(record, "\"isSidechain\"") || contains(record, "\"userType\"")))
            return Likeness::Certain;
        const bool isOwnMetadata = (hasMember(record, "\"type\"", "\"summary\"") && contains(record, "\"leafUuid\""))
            || hasMember(record, "\"type\"", "\"file-history-snapshot\"")
            || (hasMember(record, "\"type\"", "\"queue-operation\"") && contains(record, "\"sessionId\""));
        if (isOwnMetadata)
            best = std::max(best, Likeness::Likely);
        const bool isConversation
            = (hasMember(record, "\"type\"", "\"user\"") || hasMember(record, "\"type\"", "\"assistant\""))
            && contains(record, "\"sessionId\"") && contains(record, "\"uuid\"") && contains(record, "\"message\"");
        if (isConversation)
            best = std::max(best, Likeness::Likely);
    }
    return best;
}

Likeness sniffClaudeSdkStream(const Sample &sample)
{
    bool hasInit = false;
    bool hasMessages = false;
    for (const std::string_view record : sample.records) {
        if (contains(record, "\"parentUuid\""))
            return Likeness::No;
        const bool isInit = hasMember(record, "\"subtype\"", "\"init\"") && contains(record, "\"session_id\"");
        hasInit = hasInit || (isInit && contains(record, "\"tools\""));
        hasMessages = hasMessages
            || ((hasMember(record, "\"type\"", "\"assistant\"") || hasMember(record, "\"type\"", "\"user\""))
                && contains(record, "\"session_id\"") && contains(record, "\"message\""));
    }
    if (hasInit)
        return Likeness::Certain;
    return hasMessages ? Likeness::Likely : Likeness::No;
}

Result<SessionPtr> readClaudeCode(const ReadContext &context) { return ClaudeReader(context, kClaudeCode).read(); }
Result<SessionPtr> readClaudeSdkStream(const ReadContext &context)
{
    return ClaudeReader(context, kClaudeSdkStream).read();
}

} // namespace

const Format kClaudeCode { "claude-code", "Claude Code JSONL",
    "~/.claude/projects/*/*.jsonl, versions 1.0 to 2.1; subagents in the file become threads", sniffClaudeCode,
    readClaudeCode };
const Format kClaudeSdkStream { "claude-sdk-stream", "Claude SDK stream",
    "output of --output-format stream-json, also wrapped as {type,message,timestamp}", sniffClaudeSdkStream,
    readClaudeSdkStream };

} // namespace core
