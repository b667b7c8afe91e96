// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/writing/splice_shapes.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/json/json_probe.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

std::string jsonOf(std::string_view text) { return "\"" + escapedJson(text) + "\""; }

/// `,"key":value` for those members that the example has.
std::string copied(const JsonMembers &example, std::initializer_list<std::string_view> keys)
{
    std::string text;
    for (const std::string_view key : keys) {
        if (example.has(key))
            text += ",\"" + std::string(key) + "\":" + std::string(example.raw(key));
    }
    return text;
}

std::string_view wordOf(Role role, std::string_view assistant, std::string_view system)
{
    return role == Role::Assistant ? assistant : role == Role::System ? system : "user";
}

std::string claudeMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const JsonMembers record(example);
    const bool isAnswer = message.role == Role::Assistant;
    std::string text = record.has("parentUuid") ? "{\"parentUuid\":" + message.parent + "," : "{";
    text += isAnswer ? R"("type":"assistant")" : R"("type":"user")";
    text += copied(record,
        { "isSidechain", "userType", "cwd", "sessionId", "session_id", "parent_tool_use_id", "version", "gitBranch",
            "agentId", "timestamp" });
    if (record.has("uuid"))
        text += ",\"uuid\":" + jsonOf(message.uuid);
    if (message.isSummary && !isAnswer)
        text += ",\"isCompactSummary\":true";
    if (isAnswer)
        text += R"(,"message":{"id":)" + jsonOf("msg_" + message.uuid)
            + R"(,"type":"message","role":"assistant","content":[{"type":"text","text":)" + jsonOf(message.text)
            + "}]}";
    else
        text += R"(,"message":{"role":"user","content":)" + jsonOf(message.text) + "}";
    return text + "}";
}

std::string anthropicMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + jsonOf(wordOf(message.role, "assistant", "user")) + ",\"content\":" + jsonOf(message.text)
        + "}";
}

std::string chatMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + jsonOf(wordOf(message.role, "assistant", "system")) + ",\"content\":" + jsonOf(message.text)
        + "}";
}

std::string responsesItem(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    const std::string_view part = message.role == Role::Assistant ? "output_text" : "input_text";
    return R"({"type":"message","role":)" + jsonOf(wordOf(message.role, "assistant", "developer"))
        + R"(,"content":[{"type":)" + jsonOf(part) + ",\"text\":" + jsonOf(message.text) + "}]}";
}

std::string codexItem(const NewMessage &message, std::string_view example, bool isLine)
{
    std::string item = responsesItem(message, example, isLine);
    const JsonMembers record(example);
    if (!isLine || !record.has("payload"))
        return item;
    std::string line = "{";
    if (record.has("timestamp"))
        line += "\"timestamp\":" + std::string(record.raw("timestamp")) + ",";
    return line + R"("type":"response_item","payload":)" + item + "}";
}

/// In the form in which the message before it is written: `dumpd`, `messages_to_dict`, `model_dump` or with a role.
std::string langChainMessage(const NewMessage &message, std::string_view example, bool isLine)
{
    const JsonMembers other(example);
    const std::string_view type = message.role == Role::Assistant ? "ai"
        : message.role == Role::System                            ? "system"
                                                                  : "human";
    const std::string_view name = message.role == Role::Assistant ? "AIMessage"
        : message.role == Role::System                            ? "SystemMessage"
                                                                  : "HumanMessage";
    // Deep Agents and LangChain's summarization mark theirs like this.
    const std::string source = message.isSummary && message.role == Role::User
        ? std::string(R"(,"additional_kwargs":{"lc_source":"summarization"})")
        : std::string();
    const std::string plain = "{\"content\":" + jsonOf(message.text) + source + ",\"type\":" + jsonOf(type) + "}";
    if (other.has("lc"))
        return R"({"lc":1,"type":"constructor","id":["langchain","schema","messages",)" + jsonOf(name)
            + "],\"kwargs\":" + plain + "}";
    if (isJsonObject(other.raw("data")) && other.has("type") && !other.has("content"))
        return "{\"type\":" + jsonOf(type) + ",\"data\":" + plain + "}";
    return other.has("role") && !other.has("type") ? chatMessage(message, example, isLine) : plain;
}

std::string genkitMessage(const NewMessage &message, std::string_view /*example*/, bool /*isLine*/)
{
    return "{\"role\":" + jsonOf(wordOf(message.role, "model", "system"))
        + ",\"content\":[{\"text\":" + jsonOf(message.text) + "}]}";
}

/// The envelope of an entry, with the time of the one beside it; version 1 has no ids.
std::string piEnvelope(
    std::string_view type, const std::string &id, const std::string &parent, const JsonMembers &beside)
{
    std::string text = "{\"type\":" + jsonOf(type);
    if (beside.has("parentId"))
        text += ",\"id\":" + jsonOf(id) + ",\"parentId\":" + parent;
    return text + copied(beside, { "timestamp" });
}

std::string piMessage(const NewMessage &message, std::string_view example, bool /*isLine*/)
{
    const bool isSummary = message.isSummary && message.role == Role::User;
    std::string body = "{\"role\":";
    if (isSummary)
        body += "\"compactionSummary\",\"summary\":" + jsonOf(message.text);
    else
        body += jsonOf(wordOf(message.role, "assistant", "user")) + R"(,"content":[{"type":"text","text":)"
            + jsonOf(message.text) + "}]";
    if (message.role == Role::Assistant)
        body += R"(,"stopReason":"stop")";
    return piEnvelope("message", message.uuid, message.parent, JsonMembers(example)) + ",\"message\":" + body + "}}";
}

std::string piCompaction(const NewCompaction &compaction, std::string_view last)
{
    const JsonMembers beside(last);
    const std::string kept = beside.has("parentId")
        ? ",\"firstKeptEntryId\":" + jsonOf(compaction.firstKept)
        : ",\"firstKeptEntryIndex\":" + std::to_string(compaction.firstKeptPlace);
    return piEnvelope("compaction", compaction.id, compaction.parent, beside) + ",\"summary\":"
        + jsonOf(compaction.summary) + kept + ",\"tokensBefore\":" + std::to_string(compaction.tokensBefore) + "}";
}

constexpr SpliceShape::Links kNoLinks;
constexpr SpliceShape::Links kClaudeLinks { "uuid", "parentUuid", "logicalParentUuid", {}, {}, {}, "progress" };
constexpr SpliceShape::Links kPiLinks { "id", "parentId", {}, "firstKeptEntryId", "firstKeptEntryIndex", "compaction",
    {} };

// clang-format off
constexpr std::array<SpliceShape, 9> kShapes { {
    //  format             links         repeats recording events message        no content  system compaction
    { "claude-code",        kClaudeLinks, false, false, true,  claudeMessage,    "[]",       false, nullptr },
    { "claude-sdk-stream",  kClaudeLinks, false, false, true,  claudeMessage,    "[]",       false, nullptr },
    { "codex",              kNoLinks,     false, false, true,  codexItem,        "[]",       true,  nullptr },
    { "pi",                 kPiLinks,     false, false, true,  piMessage,        "[]",       false, piCompaction },
    { "anthropic-messages", kNoLinks,     false, true,  false, anthropicMessage, "[]",       false, nullptr },
    { "openai-chat",        kNoLinks,     true,  true,  false, chatMessage,      "null",     true,  nullptr },
    { "openai-responses",   kNoLinks,     false, true,  false, responsesItem,    "[]",       true,  nullptr },
    { "langchain",          kNoLinks,     true,  true,  false, langChainMessage, "\"\"",     true,  nullptr },
    { "genkit",             kNoLinks,     false, true,  false, genkitMessage,    "[]",       true,  nullptr },
} };
// clang-format on

} // namespace

const SpliceShape *spliceShapeOf(std::string_view format)
{
    const auto *found = std::ranges::find(kShapes, format, &SpliceShape::format);
    return found == kShapes.end() ? nullptr : &*found;
}

std::string escapedJson(std::string_view text)
{
    std::string out;
    out.reserve(text.size() + text.size() / 16);
    size_t plain = 0; // where what need not be escaped begins
    const auto flush = [&](size_t end) { out += text.substr(plain, end - plain); };
    for (size_t i = 0; i < text.size();) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c >= 0x20 && c < 0x7F && c != '"' && c != '\\') {
            ++i;
            continue;
        }
        const CodePoint each = codePointAt(text, i);
        const bool isSurrogate = each.value >= 0xD800 && each.value < 0xE000;
        const bool isBroken = each.size == 1 && c >= 0x80;
        if (each.size > 1 && !isSurrogate) {
            i += each.size;
            continue;
        }
        flush(i);
        if (isBroken)
            out += "\xEF\xBF\xBD";
        else if (c == '"' || c == '\\')
            out += std::string("\\") + static_cast<char>(c);
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (c == '\r')
            out += "\\r";
        else if (c == 0x7F)
            out += '\x7F';
        else
            out += formatted("\\u{:04x}", each.value);
        i += each.size;
        plain = i;
    }
    flush(text.size());
    return out;
}

} // namespace core
