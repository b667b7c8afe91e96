// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/openai/responses_items.h"

#include "core/base/text.h"
#include "core/formats/openai/item_builder.h"
#include "core/formats/reading/block_places.h"
#include "core/formats/reading/json_records.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

namespace ondemand = simdjson::ondemand;
using ondemand::json_type;
using namespace responses;

/// A string including its quotes in the source.
std::string_view withQuotes(std::string_view raw) { return { raw.data() - 1, raw.size() + 2 }; }

} // namespace

ResponsesItem ResponsesItems::read(ondemand::object object, const ItemPlace &place) const
{
    const RawItem raw = readRawItem(object);
    return buildItem(m_builder, raw, place);
}

void ResponsesItems::link(MessageDraft &draft)
{
    for (Block &block : draft.blocks) {
        if (!block.callId.isValid())
            continue;
        if (block.kind == BlockKind::ToolCall) {
            m_calls.insert_or_assign(block.callId, CallFacts { block.name, block.subject });
            continue;
        }
        const auto call = m_calls.find(block.callId);
        if (call == m_calls.end())
            continue;
        if (block.kind == BlockKind::ToolResult)
            block.name = call->second.name;
        block.subject = call->second.subject;
    }
}

/// The record of a block is that of its place, or else `json`, the value that contains it.
void ResponsesItems::setRecord(Block &block, const ItemPlace &place, std::string_view json) const
{
    const bool isOwn = place.recordSize == 0;
    const std::string_view bytes = m_builder.sourceBytes(place.source);
    block.recordLine = place.line;
    block.recordOffset = isOwn ? static_cast<uint64_t>(json.data() - bytes.data()) : place.recordOffset;
    block.recordSize = isOwn ? json.size() : place.recordSize;
    growToBody(block);
}

MessageDraft ResponsesItems::typedText(std::string_view raw, const ItemPlace &place) const
{
    MessageDraft draft;
    draft.role = Role::User;
    draft.line = place.line;
    draft.time = place.time;
    Block block = m_builder.makeBlock(BlockKind::Text, m_builder.jsonStringBody(place.source, raw));
    block.set(BlockFlag::Typed);
    setRecord(block, place, withQuotes(raw));
    draft.blocks.push_back(block);
    return draft;
}

void ResponsesItems::readInstructions(ondemand::value value, const ItemPlace &place, std::vector<Block> &prelude) const
{
    std::vector<RawPart> parts;
    const RawValue whole = readPartsValue(value, parts);
    const auto add = [&](const RawValue &text, std::string_view json) {
        if (text.isEmpty())
            return;
        Block block = m_builder.makeBlock(BlockKind::Text,
            text.isString() ? m_builder.jsonStringBody(place.source, text.raw)
                            : m_builder.jsonValueBody(place.source, text.raw));
        setRecord(block, place, json);
        prelude.push_back(block);
    };
    if (parts.empty())
        add(whole, whole.isString() ? withQuotes(whole.raw) : whole.raw);
    for (const RawPart &part : parts) {
        if (part.text.isEmpty())
            add({ RawValue::Form::Object, part.json }, part.json);
        else
            add(part.text, part.json.empty() ? withQuotes(part.text.raw) : part.json); // a string is no object
    }
}

void ResponsesItems::readTools(ondemand::value value, const ItemPlace &place, std::vector<Block> &prelude) const
{
    const auto add = [&](ondemand::object tool) {
        std::string_view name;
        std::string_view type;
        bool isDeferred = false;
        for (auto field : tool) {
            const std::string_view key = field.escaped_key();
            ondemand::value member = field.value();
            if (key == "name")
                name = stringIn(member);
            else if (key == "type")
                type = stringIn(member);
            else if (key == "deferLoading" || key == "defer_loading")
                isDeferred = isTrue(member);
        }
        tool.reset();
        const std::string_view json = tool.raw_json();
        if (isDeferred)
            return; // in context only once a tool search has found it
        Block block = m_builder.makeBlock(BlockKind::Opaque, m_builder.jsonValueBody(place.source, json),
            m_builder.intern(decodeJsonString(name.empty() ? type : name)));
        block.set(BlockFlag::Tools);
        setRecord(block, place, json);
        prelude.push_back(block);
    };
    if (value.type() == json_type::object) {
        add(value.get_object());
    } else if (value.type() == json_type::array) {
        for (ondemand::value tool : value.get_array()) {
            if (tool.type() == json_type::object)
                add(tool.get_object());
        }
    }
}

Usage ResponsesItems::readUsage(ondemand::object figures)
{
    uint64_t input = 0;
    Usage usage;
    for (auto field : figures) {
        const std::string_view key = field.escaped_key();
        ondemand::value member = field.value();
        if (key == "input_tokens") {
            input = unsignedOf(member).value_or(0);
        } else if (key == "output_tokens") {
            usage.output = unsignedOf(member).value_or(0);
        } else if (key == "cached_input_tokens") {
            usage.cacheRead = unsignedOf(member).value_or(0);
        } else if (key == "cache_write_input_tokens") {
            usage.cacheWrite = unsignedOf(member).value_or(0);
        } else if (key == "input_tokens_details" && member.type() == json_type::object) {
            for (auto detail : member.get_object()) {
                const std::string_view name = detail.escaped_key();
                if (name == "cached_tokens")
                    usage.cacheRead = unsignedOf(detail.value()).value_or(0);
                else if (name == "cache_write_tokens")
                    usage.cacheWrite = unsignedOf(detail.value()).value_or(0);
            }
        } else if (key == "reasoning_output_tokens") {
            usage.reasoning = unsignedOf(member);
        } else if (key == "output_tokens_details" && member.type() == json_type::object) {
            for (auto detail : member.get_object()) {
                const std::string_view name = detail.escaped_key();
                if (name == "reasoning_tokens")
                    usage.reasoning = unsignedOf(detail.value());
            }
        }
    }
    const uint64_t cached = usage.cacheRead + usage.cacheWrite;
    usage.input = input > cached ? input - cached : 0;
    return usage;
}

bool looksLikeResponsesItem(std::string_view json)
{
    static constexpr std::array<std::string_view, 22> kTypes { "reasoning", "function_call", "function_call_output",
        "custom_tool_call", "custom_tool_call_output", "local_shell_call", "local_shell_call_output", "shell_call",
        "shell_call_output", "apply_patch_call", "apply_patch_call_output", "web_search_call", "file_search_call",
        "computer_call", "computer_call_output", "image_generation_call", "code_interpreter_call", "mcp_call",
        "mcp_list_tools", "compaction", "item_reference", "ghost_snapshot" };
    std::string_view type;
    std::string_view role;
    std::string_view content;
    std::string_view callId;
    bool hasSummary = false;
    const JsonMembers members(json);
    for (const auto &[key, value] : members.all()) {
        if (key == "type")
            type = jsonString(value);
        else if (key == "role")
            role = jsonString(value);
        else if (key == "content")
            content = value;
        else if (key == "call_id")
            callId = value;
        hasSummary = hasSummary || key == "summary" || key == "encrypted_content";
    }
    if (type == "reasoning")
        return hasSummary;
    if (type.starts_with("function_call") || type.starts_with("custom_tool_call"))
        return !callId.empty();
    if (std::ranges::find(kTypes, type) != kTypes.end())
        return true;
    if (role.empty() || (!type.empty() && type != "message"))
        return false;
    for (const std::string_view part : jsonElements(content, 8).items) {
        const std::string_view partType = JsonMembers(part).string("type");
        if (partType == "input_text" || partType == "output_text" || partType == "input_image"
            || partType == "input_file")
            return true;
    }
    return type == "message" && !content.empty();
}

std::string_view firstPathOfPatch(std::string_view text)
{
    static constexpr std::array<std::string_view, 3> kMarks {
        "*** Update File: ", "*** Add File: ", "*** Delete File: "
    };
    if (text.find("*** Begin Patch") == std::string_view::npos)
        return {};
    size_t first = std::string_view::npos;
    size_t begin = 0;
    for (const std::string_view mark : kMarks) {
        const size_t at = text.find(mark);
        if (at < first) {
            first = at;
            begin = at + mark.size();
        }
    }
    if (first == std::string_view::npos)
        return {};
    // In a patch inside of JSON the escape `\n` ends a line; other escapes are part of the path.
    size_t end = begin;
    while (end < text.size() && text[end] != '\n' && text[end] != '"') {
        if (text[end] == '\\' && end + 1 < text.size()) {
            if (text[end + 1] == 'n' || text[end + 1] == 'r')
                break;
            ++end;
        }
        ++end;
    }
    return text.substr(begin, std::min(end, text.size()) - begin);
}

} // namespace core
