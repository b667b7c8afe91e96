// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/gemini/gemini_parts.h"

#include "core/base/text.h"
#include "core/formats/anthropic/anthropic_blocks.h"
#include "core/formats/reading/harness_words.h"
#include "core/formats/reading/orphan_results.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace core {

namespace {

constexpr size_t kHeadBytes = 400;

/// The member under its name in JavaScript or in Python.
std::string_view either(const JsonMembers &members, std::string_view camel, std::string_view snake)
{
    const std::string_view raw = members.raw(camel);
    return raw.empty() ? members.raw(snake) : raw;
}

} // namespace

void GeminiParts::add(std::string_view content, std::vector<Block> &blocks) const
{
    if (isJsonString(content)) {
        if (content.size() > 2) // "" is no text
            blocks.push_back(stringBlock(BlockKind::Text, jsonString(content)));
        return;
    }
    if (isJsonObject(content)) {
        addPart(content, blocks);
        return;
    }
    for (const std::string_view part : jsonElements(content).items) {
        if (!isJsonArray(part))
            add(part, blocks);
    }
}

Block GeminiParts::stringBlock(BlockKind kind, std::string_view raw, std::string_view name) const
{
    return m_builder.makeBlock(kind, m_builder.jsonStringBody(m_holder, raw), m_builder.intern(name));
}

Block GeminiParts::callBlock(std::string_view name, std::string_view id, std::string_view arguments) const
{
    Block block = m_builder.makeBlock(
        BlockKind::ToolCall, m_builder.jsonValueBody(m_holder, arguments), m_builder.intern(decodeJsonString(name)));
    block.callId = m_builder.intern(decodeJsonString(id));
    if (isJsonObject(arguments))
        block.subject = m_builder.intern(subjectOfArguments(arguments));
    return block;
}

void GeminiParts::addPart(std::string_view raw, std::vector<Block> &blocks) const
{
    constexpr std::array<std::string_view, 4> kCode { "executableCode", "executable_code", "codeExecutionResult",
        "code_execution_result" };
    const JsonMembers part(raw);
    if (const std::string_view call = either(part, "functionCall", "function_call"); isJsonObject(call)) {
        const JsonMembers members(call);
        blocks.push_back(callBlock(members.string("name"), members.string("id"), members.raw("args")));
    } else if (const auto response = either(part, "functionResponse", "function_response"); isJsonObject(response)) {
        addResponse(response, blocks);
    } else if (isJsonString(part.raw("text"))) {
        const BlockKind kind = part.isTrue("thought") ? BlockKind::Thinking : BlockKind::Text;
        blocks.push_back(stringBlock(kind, part.string("text")));
    } else if (const std::string_view data = either(part, "inlineData", "inline_data"); isJsonObject(data)) {
        blocks.push_back(mediaBlock(data, BlockKind::Document));
    } else if (const std::string_view file = either(part, "fileData", "file_data"); isJsonObject(file)) {
        blocks.push_back(mediaBlock(file, BlockKind::Document));
    } else {
        const auto *const kind = std::ranges::find_if(kCode, [&](std::string_view key) { return part.has(key); });
        const bool isCode = kind != kCode.end();
        blocks.push_back(m_builder.makeBlock(BlockKind::Opaque,
            m_builder.jsonValueBody(m_holder, isCode ? part.raw(*kind) : raw), m_builder.intern(isCode ? *kind : "")));
    }
}

/// The output or the error, where the response is one string; else the response as JSON. Media that the tool returned
/// beside it are separate blocks of the same call.
void GeminiParts::addResponse(std::string_view raw, std::vector<Block> &blocks) const
{
    const JsonMembers members(raw);
    const std::string_view whole = members.raw("response");
    const JsonMembers response(whole);
    // Gemini CLI takes the data of a binary file out of the response before it sends it.
    const size_t sent = response.all().size() - (response.has("__binary_injection__") ? 1 : 0);
    const std::string_view only = response.has("output") ? "output" : "error";
    const std::string_view key = sent == 1 && isJsonString(response.raw(only)) ? only : std::string_view();
    const Body body = !key.empty() ? m_builder.jsonStringBody(m_holder, response.string(key))
                                   : m_builder.jsonValueBody(m_holder, whole);
    Block block
        = m_builder.makeBlock(BlockKind::ToolResult, body, m_builder.intern(decodeJsonString(members.string("name"))));
    block.callId = m_builder.intern(decodeJsonString(members.string("id")));
    if (response.has("error"))
        block.set(BlockFlag::Error);
    blocks.push_back(block);
    const size_t first = blocks.size();
    for (const std::string_view part : jsonElements(members.raw("parts")).items) {
        if (const JsonMembers media(part); media.has("inlineData") || media.has("fileData"))
            addPart(part, blocks);
    }
    for (size_t i = first; i < blocks.size(); ++i)
        blocks[i].callId = block.callId;
}

Block GeminiParts::mediaBlock(std::string_view raw, BlockKind otherwise) const
{
    const JsonMembers members(raw);
    const std::string type = decodeJsonString(jsonString(either(members, "mimeType", "mime_type")));
    const BlockKind kind = type.starts_with("image/") ? BlockKind::Image : otherwise;
    const Body body = members.has("data")
        ? m_builder.base64Body(m_holder, members.string("data"))
        : m_builder.jsonStringBody(m_holder, jsonString(either(members, "fileUri", "file_uri")));
    return m_builder.makeBlock(kind, body, m_builder.intern(type));
}

void linkGeminiCalls(SessionBuilder &builder)
{
    Session &session = builder.session();
    std::map<StringId, std::vector<StringId>> open; // by name: ids given to calls without one, oldest first
    uint64_t count = 0;
    MessageId caller;
    for (Block &block : session.blocks) {
        if (block.callId.isValid())
            continue;
        if (block.kind == BlockKind::ToolCall) {
            if (std::exchange(caller, block.message) != block.message)
                open.clear();
            block.callId = builder.intern("call without id " + std::to_string(++count));
            open[block.name].push_back(block.callId);
        } else if (block.kind == BlockKind::ToolResult) {
            std::vector<StringId> &waiting = open[block.name];
            if (waiting.empty())
                continue;
            block.callId = waiting.front();
            waiting.erase(waiting.begin());
        }
    }
    linkToolResults(session);
    noteOrphanResults(builder);
}

void markGeminiUser(const SessionBuilder &builder, MessageDraft &draft)
{
    const bool isSummary = std::ranges::any_of(draft.blocks, [&](const Block &block) {
        return block.kind == BlockKind::Text
            && builder.session().textHead(block.body, kHeadBytes).contains("<state_snapshot>");
    });
    if (isSummary) {
        std::ranges::for_each(draft.blocks, [](Block &block) { block.set(BlockFlag::Summary); });
        return;
    }
    const bool isAnswer
        = std::ranges::any_of(draft.blocks, [](const Block &block) { return block.kind == BlockKind::ToolResult; });
    bool isReferenced = false;
    for (Block &block : draft.blocks) {
        if (block.kind != BlockKind::Text || block.callId.isValid())
            continue;
        const std::string head = builder.session().textHead(block.body, kHeadBytes);
        isReferenced = isReferenced || head.starts_with("\n--- Content from referenced files ---");
        if (isAnswer || isReferenced || looksInjected(head))
            block.set(BlockFlag::Injected);
        else
            block.set(BlockFlag::Typed);
    }
}

} // namespace core
