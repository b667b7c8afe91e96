// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/pi/pi_record.h"

#include "core/formats/reading/harness_words.h"
#include "core/json/json_probe.h"
#include "core/json/text_parts.h"

#include <algorithm>

namespace core {

namespace {

/// Reads one record; its bodies are ranges of the source.
class Reading final {
public:
    Reading(SessionBuilder &builder, const Record &record)
        : m_builder(builder)
        , m_record(record)
        , m_members(record.bytes)
    {
    }

    PiRecord read()
    {
        PiEntry &entry = m_result.entry;
        entry.line = m_record.line;
        entry.time = parseTime(m_members.string("timestamp"));
        entry.isLinear = !m_members.has("parentId");
        if (const std::string_view id = m_members.string("id"); !id.empty()) {
            entry.id = hashOf(id);
            entry.externalId = internString(m_builder, id);
        }
        if (const std::string_view parent = m_members.string("parentId"); !parent.empty())
            entry.parent = hashOf(parent);
        readByType(m_members.string("type"));
        if (entry.type == PiEntry::Type::Aside && !m_result.isHeader)
            m_result.sideBytes = m_record.bytes.size();
        for (Block &block : m_result.blocks) {
            block.recordLine = m_record.line;
            block.recordOffset = m_record.offset;
            block.recordSize = m_record.bytes.size();
        }
        return std::move(m_result);
    }

private:
    void readByType(std::string_view type)
    {
        if (type == "message")
            readMessage(m_members.object("message"));
        else if (type == "custom_message")
            readCustom(m_members);
        else if (type == "compaction")
            readCompaction();
        else if (type == "branch_summary")
            readBranchSummary();
        else if (type == "session")
            readHeader();
        else if (type == "session_info")
            m_result.name = decodeJsonString(m_members.string("name"));
    }

    void readHeader()
    {
        m_result.isHeader = true;
        m_result.entry.externalId = {};
        m_result.entry.id = {};
        m_result.sessionId = decodeJsonString(m_members.string("id"));
        m_result.workingFolder = decodeJsonString(m_members.string("cwd"));
        const std::string_view parent = m_members.string("parentSession");
        m_result.forkedFrom = decodeJsonString(parent.empty() ? m_members.string("branchedFrom") : parent);
    }

    void readCompaction()
    {
        PiEntry &entry = m_result.entry;
        entry.type = PiEntry::Type::Compaction;
        if (const std::string_view kept = m_members.string("firstKeptEntryId"); !kept.empty())
            entry.target = hashOf(kept);
        entry.firstKeptPlace = m_members.number("firstKeptEntryIndex");
        entry.tokensBefore = m_members.number("tokensBefore");
        if (m_members.isTrue("fromHook"))
            entry.trigger = m_builder.intern("extension");
        addString(m_members.raw("summary")).set(BlockFlag::Summary);
        m_result.sideBytes = m_members.raw("details").size();
    }

    void readBranchSummary()
    {
        PiEntry &entry = m_result.entry;
        entry.type = PiEntry::Type::BranchSummary;
        if (const std::string_view from = m_members.string("fromId"); !from.empty())
            entry.target = hashOf(from);
        if (!m_members.string("summary").empty()) // pi leaves out an empty one
            addString(m_members.raw("summary")).set(BlockFlag::Injected);
        m_result.sideBytes = m_members.raw("details").size();
    }

    void readMessage(const JsonMembers &message)
    {
        PiEntry &entry = m_result.entry;
        entry.type = PiEntry::Type::Message;
        const std::string_view role = message.string("role");
        if (role == "user") {
            addContent(message.raw("content"));
            markTyped();
        } else if (role == "assistant") {
            readAnswer(message);
        } else if (role == "toolResult") {
            readResult(message);
        } else if (role == "bashExecution") {
            readCommand(message);
        } else if (role == "custom" || role == "hookMessage") {
            readCustom(message);
        } else if (role == "branchSummary" || role == "compactionSummary") {
            addString(message.raw("summary")).set(role == "branchSummary" ? BlockFlag::Injected : BlockFlag::Summary);
        } else {
            entry.type = PiEntry::Type::Aside;
            m_result.unknownRole = role.empty() ? "no role" : "the role " + decodeJsonString(role);
        }
    }

    void readAnswer(const JsonMembers &message)
    {
        PiEntry &entry = m_result.entry;
        entry.role = Role::Assistant;
        entry.isResponse = true;
        entry.model = internString(m_builder, message.string("model"));
        entry.responseId = internString(m_builder, message.string("responseId"));
        const std::string_view stop = message.string("stopReason");
        entry.isStopped = stop == "aborted" || stop == "error";
        const JsonMembers figures = message.object("usage");
        const auto tokens = [&](std::string_view key) { return figures.number(key).value_or(0); };
        const Usage usage { tokens("input"), tokens("cacheRead"), tokens("cacheWrite"), tokens("output") };
        if (usage.prompt() > 0)
            entry.usage = usage;
        addContent(message.raw("content"));
    }

    void readResult(const JsonMembers &message)
    {
        m_result.entry.role = Role::Tool;
        const std::string_view content = message.raw("content");
        const std::vector<std::string_view> parts = jsonElements(content).items;
        size_t images = 0;
        for (const std::string_view part : parts)
            images += JsonMembers(part).string("type") == "image" ? 1 : 0;
        std::vector<Block> &blocks = m_result.blocks;
        if (isJsonString(content)) {
            blocks.push_back(m_builder.makeBlock(BlockKind::ToolResult, stringBody(content)));
        } else if (images == 0 && parts.size() > 1) {
            blocks.push_back(m_builder.makeBlock(BlockKind::ToolResult,
                isListOfTexts(content) ? m_builder.textPartsBody(m_record.source, content)
                                       : m_builder.jsonValueBody(m_record.source, content)));
        } else {
            addContent(content);
            const auto text = std::ranges::find(blocks, BlockKind::Text, &Block::kind);
            const bool isOne = std::ranges::count(blocks, BlockKind::Text, &Block::kind) == 1;
            const Body body = text == blocks.end() ? Body()
                : isOne                            ? text->body
                                                   : m_builder.textPartsBody(m_record.source, content);
            std::erase_if(blocks, [](const Block &block) { return block.kind == BlockKind::Text; });
            blocks.insert(blocks.begin(), m_builder.makeBlock(BlockKind::ToolResult, body));
        }
        const StringId call = internString(m_builder, message.string("toolCallId"));
        for (Block &block : blocks)
            block.callId = call;
        blocks.front().name = internString(m_builder, message.string("toolName"));
        if (message.isTrue("isError"))
            blocks.front().set(BlockFlag::Error);
        m_result.sideBytes = message.raw("details").size();
        blocks.front().sideBytes = m_result.sideBytes;
    }

    void readCommand(const JsonMembers &message)
    {
        if (message.isTrue("excludeFromContext")) {
            m_result.entry.type = PiEntry::Type::Aside;
            return;
        }
        for (const std::string_view key : { "command", "output" }) {
            if (!message.string(key).empty())
                addString(message.raw(key)).set(BlockFlag::Injected);
        }
    }

    void readCustom(const JsonMembers &message)
    {
        m_result.entry.type = PiEntry::Type::Message;
        addContent(message.raw("content"));
        for (Block &block : m_result.blocks)
            block.set(BlockFlag::Injected);
        m_result.sideBytes = message.raw("details").size();
    }

    // --- blocks ----------------------------------------------------------------------------------------------------

    [[nodiscard]] Body stringBody(std::string_view raw) const
    {
        return isJsonString(raw) ? m_builder.jsonStringBody(m_record.source, jsonString(raw))
                                 : m_builder.jsonValueBody(m_record.source, raw);
    }

    Block &addString(std::string_view raw)
    {
        return m_result.blocks.emplace_back(
            m_builder.makeBlock(BlockKind::Text, raw.empty() ? Body() : stringBody(raw)));
    }

    void markTyped()
    {
        for (Block &block : m_result.blocks) {
            if (block.kind == BlockKind::Text)
                markUserText(m_builder, block);
        }
    }

    void addContent(std::string_view content)
    {
        if (isJsonString(content)) {
            addString(content);
            return;
        }
        for (const std::string_view part : jsonElements(content).items)
            addPart(part);
    }

    void addPart(std::string_view raw)
    {
        const JsonMembers part(raw);
        const std::string_view type = part.string("type");
        std::vector<Block> &blocks = m_result.blocks;
        if (type == "text")
            addString(part.raw("text"));
        else if (type == "thinking")
            addThinking(part);
        else if (type == "toolCall")
            addCall(part);
        else if (type == "image")
            blocks.push_back(
                m_builder.makeBlock(BlockKind::Image, m_builder.base64Body(m_record.source, part.string("data")),
                    internString(m_builder, part.string("mimeType"))));
        else
            blocks.push_back(m_builder.makeBlock(BlockKind::Opaque, m_builder.jsonValueBody(m_record.source, raw)));
    }

    /// Encrypted thinking is in the signature: base64, or a Responses item as JSON.
    void addThinking(const JsonMembers &part)
    {
        const std::string_view text = part.string("thinking");
        const std::string_view signature = part.string("thinkingSignature");
        const bool isHidden = (text.empty() || part.isTrue("redacted")) && !signature.empty();
        if (!isHidden) {
            if (!text.empty())
                m_result.blocks.push_back(m_builder.makeBlock(BlockKind::Thinking, stringBody(part.raw("thinking"))));
            return;
        }
        const bool isJson = signature.front() == '{';
        Block &block = m_result.blocks.emplace_back(m_builder.makeBlock(BlockKind::Thinking,
            isJson ? stringBody(part.raw("thinkingSignature")) : m_builder.base64Body(m_record.source, signature)));
        block.set(BlockFlag::Encrypted);
    }

    void addCall(const JsonMembers &part)
    {
        const std::string_view arguments = part.raw("arguments");
        Block &block = m_result.blocks.emplace_back(m_builder.makeBlock(BlockKind::ToolCall,
            arguments.empty() ? Body() : stringBody(arguments), internString(m_builder, part.string("name"))));
        block.callId = internString(m_builder, part.string("id"));
        if (isJsonObject(arguments))
            block.subject = m_builder.intern(subjectOfArguments(arguments));
    }

    SessionBuilder &m_builder;
    const Record &m_record;
    JsonMembers m_members;
    PiRecord m_result;
};

} // namespace

PiRecord readPiRecord(SessionBuilder &builder, const Record &record) { return Reading(builder, record).read(); }

} // namespace core
