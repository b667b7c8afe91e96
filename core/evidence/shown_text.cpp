// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/shown_text.h"

#include "core/base/text.h"
#include "core/json/json_probe.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace core {

namespace {

constexpr auto kOldTextKeys
    = std::to_array<std::string_view>({ "old_string", "oldText", "old_str", "oldString", "old_text" });

/// Calls `visit` with the key and the raw text of each string value in a JSON text.
template <typename Visitor>
void forEachStringValue(std::string_view json, const Visitor &visit)
{
    std::string_view key;
    for (size_t at = json.find('"'); at != std::string_view::npos; at = json.find('"', at)) {
        const auto end = skipJsonString(json, at);
        if (!end)
            return;
        const std::string_view raw = json.substr(at + 1, *end - at - 2);
        at = *end;
        const size_t next = json.find_first_not_of(" \t\r\n", at);
        if (next != std::string_view::npos && json[next] == ':')
            key = raw;
        else
            visit(key, raw);
    }
}

/// The body if it is JSON, else the empty text.
std::string_view jsonOf(const Session &session, const Block &block, std::string &decoded)
{
    if (block.body.coding == Coding::JsonValue)
        return session.rawBody(block.body);
    if (block.kind != BlockKind::ToolCall)
        return {};
    decoded = session.text(block.body);
    return decoded.starts_with('{') || decoded.starts_with('[') ? std::string_view(decoded) : std::string_view();
}

/// Size of grep's prefix of a line: `12:`, `12-`, `a.py:12:`, `a.py-12-`.
size_t numberOfFinding(std::string_view line)
{
    constexpr size_t kLongest = 300;
    const size_t end = std::min(line.size(), kLongest);
    for (size_t at = 0; at < end; ++at) {
        const bool mayBegin = at == 0 || line[at - 1] == ':' || line[at - 1] == '-';
        if (!mayBegin || !isDigit(line[at]))
            continue;
        size_t behind = at;
        while (behind < end && isDigit(line[behind]))
            ++behind;
        if (behind < end && (line[behind] == ':' || line[behind] == '-') && (at == 0 || line[at - 1] == line[behind]))
            return behind + 1;
        at = behind;
    }
    return 0;
}

/// The text without line prefixes; nullopt if fewer than half of the lines have one.
template <typename Number>
std::optional<std::string> withoutNumbers(std::string_view text, const Number &numberOf)
{
    size_t numbered = 0;
    size_t others = 0;
    std::string bare;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const size_t number = numberOf(line);
        numbered += number > 0 ? 1 : 0;
        others += number == 0 && !line.empty() ? 1 : 0;
        bare += line.substr(number);
        if (end == std::string_view::npos)
            break;
        bare += '\n';
        text.remove_prefix(end + 1);
        // In long texts the first lines decide.
        constexpr size_t kEnough = 200;
        if (others > kEnough && numbered == 0)
            return std::nullopt;
    }
    return numbered > 0 && numbered >= others ? std::optional(std::move(bare)) : std::nullopt;
}

bool showsText(const Block &block)
{
    return block.kind != BlockKind::Image && block.kind != BlockKind::Document && !block.is(BlockFlag::Encrypted)
        && block.body.coding != Coding::Base64 && block.body.coding != Coding::Empty;
}

} // namespace

ShownText shownText(const Session &session, const Block &block)
{
    ShownText shown;
    if (!showsText(block))
        return shown;
    std::string decoded;
    const std::string_view json = jsonOf(session, block, decoded);
    if (json.empty()) {
        shown.text = block.kind == BlockKind::ToolCall ? std::move(decoded) : session.text(block.body);
    } else {
        forEachStringValue(json, [&](std::string_view, std::string_view raw) {
            if (!shown.text.empty())
                shown.text += '\0';
            shown.text += decodeJsonString(raw);
        });
    }
    if (block.kind == BlockKind::ToolCall)
        return shown;
    auto bare = withoutNumbers(shown.text, lineNumberSize);
    if (!bare && block.kind == BlockKind::ToolResult)
        bare = withoutNumbers(shown.text, numberOfFinding);
    if (bare) {
        shown.text += '\0';
        shown.bareBegin = shown.text.size();
        shown.text += *bare;
    }
    return shown;
}

std::vector<std::string> oldTexts(const Session &session, const Block &call)
{
    std::vector<std::string> texts;
    if (call.kind != BlockKind::ToolCall || toolDeed(session, call) != ToolDeed::Edit)
        return texts;
    std::string decoded;
    forEachStringValue(jsonOf(session, call, decoded), [&](std::string_view key, std::string_view raw) {
        if (!raw.empty() && std::ranges::find(kOldTextKeys, key) != kOldTextKeys.end())
            texts.push_back(decodeJsonString(raw));
    });
    return texts;
}

std::string_view withoutReminders(std::string_view text)
{
    for (;;) {
        const std::string_view seen = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
        const size_t begin = seen.rfind("\n\n<system-reminder>");
        if (!seen.ends_with("</system-reminder>") || begin == std::string_view::npos)
            return text;
        text = text.substr(0, begin);
    }
}

} // namespace core
