// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/anthropic/anthropic_stream.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"

#include <map>

namespace core {

namespace {

/// A content block during streaming.
struct StreamedBlock {
    std::string_view start; ///< the block as announced: an object with empty values
    std::string text;       ///< additions to `text` or `thinking`
    std::string input;      ///< JSON of tool arguments
    std::string signature;
};

void addMember(std::string &json, std::string_view key, std::string_view value)
{
    json += json.ends_with('{') ? "\"" : ",\"";
    json.append(key).append("\":").append(value);
}

std::string jsonOf(const StreamedBlock &block)
{
    std::string json = "{";
    const JsonMembers start(block.start);
    for (const JsonMembers::Member &each : start.all()) {
        const bool isGrown = (!block.text.empty() && (each.key == "text" || each.key == "thinking"))
            || (!block.input.empty() && each.key == "input") || (!block.signature.empty() && each.key == "signature");
        if (!isGrown)
            addMember(json, each.key, each.value);
    }
    const bool isThinking = start.string("type") == "thinking";
    if (!block.text.empty())
        addMember(json, isThinking ? "thinking" : "text", quoteJson(block.text));
    if (!block.input.empty()) // a truncated stream may end inside the arguments
        addMember(json, "input", skipJson(block.input, 0) == block.input.size() ? block.input : quoteJson(block.input));
    if (!block.signature.empty())
        addMember(json, "signature", quoteJson(block.signature));
    return json + "}";
}

} // namespace

std::optional<std::string> messageOfEventStream(std::string_view events)
{
    JsonMembers message;
    std::string_view usage;
    std::map<uint64_t, StreamedBlock> blocks;
    constexpr std::string_view kData = "data:";
    for (size_t at = 0; at < events.size();) {
        const size_t end = std::min(events.find('\n', at), events.size());
        const std::string_view line = events.substr(at, end - at);
        at = end + 1;
        if (!line.starts_with(kData))
            continue;
        const JsonMembers event(line.substr(kData.size()));
        const std::string_view type = event.string("type");
        StreamedBlock *block = event.has("index") ? &blocks[event.number("index").value_or(0)] : nullptr;
        if (type == "message_start") {
            message = event.object("message");
        } else if (type == "message_delta" && event.has("usage")) {
            usage = event.raw("usage");
        } else if (type == "content_block_start" && block != nullptr) {
            block->start = event.raw("content_block");
        } else if (type == "content_block_delta" && block != nullptr) {
            const JsonMembers delta = event.object("delta");
            block->text += decodeJsonString(delta.string("text")) + decodeJsonString(delta.string("thinking"));
            block->input += decodeJsonString(delta.string("partial_json"));
            block->signature += decodeJsonString(delta.string("signature"));
        }
    }
    if (message.all().empty())
        return std::nullopt;

    std::string content = "[";
    for (const auto &[index, block] : blocks) {
        content += content.size() > 1 ? "," : "";
        content += jsonOf(block);
    }
    content += "]";
    // The last token counts replace the first, member by member.
    std::string counts = "{";
    const JsonMembers first = message.object("usage");
    const JsonMembers last(usage);
    for (const JsonMembers::Member &each : first.all()) {
        if (!last.has(each.key))
            addMember(counts, each.key, each.value);
    }
    for (const JsonMembers::Member &each : last.all())
        addMember(counts, each.key, each.value);
    counts += "}";
    std::string json = "{";
    for (const JsonMembers::Member &each : message.all()) {
        if (each.key != "content" && each.key != "usage")
            addMember(json, each.key, each.value);
    }
    addMember(json, "content", content);
    addMember(json, "usage", counts);
    return json + "}";
}

} // namespace core
