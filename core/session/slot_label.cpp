// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/slot_label.h"

#include "core/base/counted.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <array>
#include <set>

namespace core {

namespace {

constexpr size_t kTypedHead = 2000; ///< bytes: the harness writes about 250 before the words of the user
/// With more characters, a tool call contains a body, and a tagged user text is a body.
constexpr uint64_t kBodyCharacters = 800;
/// A tool result with at most this many characters is an acknowledgement.
constexpr uint64_t kAcknowledgementCharacters = 200;
constexpr uint64_t kImageCharacters = 4000;
constexpr size_t kSubjectCharacters = 120;

/// `<read_file path=…>` → `<read_file>`; empty if the text does not begin with a tag.
std::string openingTag(std::string_view text)
{
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos || text[first] != '<')
        return {};
    size_t end = first + 1;
    while (end < text.size()
        && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' || text[end] == '-'))
        ++end;
    const bool isTag = end > first + 1 && end < text.size() && (text[end] == '>' || text[end] == ' ');
    return isTag ? "<" + std::string(text.substr(first + 1, end - first - 1)) + ">" : std::string();
}

/// The value of `path="…"` in an opening tag.
std::string pathOfTag(std::string_view text)
{
    const std::string_view head = text.substr(0, text.find('>'));
    const size_t at = head.find("path=\"");
    if (at == std::string_view::npos)
        return {};
    const size_t end = head.find('"', at + 6);
    return end == std::string_view::npos ? std::string() : std::string(head.substr(at + 6, end - at - 6));
}

/// Shortens paths inside the session's working folder.
std::string shortSubject(const Session &session, std::string_view subject)
{
    std::string result(subject);
    if (session.workingFolder.size() > 1) {
        const std::string folder = session.workingFolder + "/";
        for (size_t at = result.find(folder); at != std::string::npos; at = result.find(folder, at))
            result.erase(at, folder.size());
    }
    return snippet(result, kSubjectCharacters);
}

/// Codex 0.34 to 0.77 wrote the output of a command as `{"output":"…","metadata":{…}}`: the words of the output.
std::string withoutWrapper(std::string head)
{
    constexpr std::string_view kWrapper = R"({"output":")";
    if (!head.starts_with(kWrapper))
        return head;
    std::string words;
    for (size_t i = kWrapper.size(); i < head.size() && head[i] != '"'; ++i) {
        const bool isEscaped = head[i] == '\\' && i + 1 < head.size();
        i += isEscaped ? 1 : 0;
        words += isEscaped && (head[i] == 'n' || head[i] == 't' || head[i] == 'r') ? ' ' : head[i];
    }
    return words;
}

} // namespace

std::string_view nameOf(Material material)
{
    static constexpr std::array<std::string_view, kMaterialCount> kNames { "prose", "tool_request", "bulk", "arguments",
        "thinking", "image", "system", "summary" };
    return kNames[static_cast<size_t>(material)];
}

std::string_view nameOf(Role role)
{
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "user";
    case Role::Assistant:
        return "model";
    case Role::Tool:
        return "tool";
    }
    return "user";
}

std::string_view nameOf(BlockKind kind)
{
    static constexpr auto kNames = std::to_array<std::string_view>(
        { "text", "thinking", "tool_call", "tool_result", "image", "document", "opaque" });
    return kNames[static_cast<size_t>(kind)];
}

Material materialOf(const Session &session, const Block &block)
{
    if (block.is(BlockFlag::Summary))
        return Material::Summary;
    switch (block.kind) {
    case BlockKind::Thinking:
        return Material::Thinking;
    case BlockKind::Image:
        return Material::Image;
    case BlockKind::Document:
        return Material::Bulk;
    case BlockKind::ToolCall:
        return block.lengths.codePoints > kBodyCharacters ? Material::Arguments : Material::ToolRequest;
    case BlockKind::ToolResult:
        return block.lengths.codePoints > kAcknowledgementCharacters ? Material::Bulk : Material::Prose;
    case BlockKind::Text:
    case BlockKind::Opaque:
        break;
    }
    const Role role = block.message.isValid() ? session.message(block.message).role : Role::System;
    if (role == Role::System)
        return Material::System;
    if (role == Role::User && block.lengths.codePoints > kBodyCharacters
        && !openingTag(session.textHead(block.body, 80)).empty())
        return block.is(BlockFlag::Injected) ? Material::System : Material::Bulk;
    return block.is(BlockFlag::Injected) ? Material::System : Material::Prose;
}

Material materialOf(const Transcript &transcript, const Slot &slot)
{
    std::array<uint64_t, kMaterialCount> sums {};
    for (const BlockId id : transcript.blocksOf(slot)) {
        const Block &block = transcript.block(id);
        const uint64_t size = block.kind == BlockKind::Image ? kImageCharacters : block.lengths.codePoints + 1;
        sums[static_cast<size_t>(materialOf(*transcript.session(), block))] += size;
    }
    return static_cast<Material>(std::ranges::max_element(sums) - sums.begin());
}

BlockId heaviestBlock(const Transcript &transcript, const Slot &slot)
{
    return *std::ranges::max_element(transcript.blocksOf(slot), {}, [&](BlockId id) {
        const Block &block = transcript.block(id);
        return block.kind == BlockKind::Image ? kImageCharacters : block.lengths.codePoints;
    });
}

SlotLabel labelOf(const Session &session, const Block &block)
{
    SlotLabel label;
    const Role role = block.message.isValid() ? session.message(block.message).role : Role::System;
    label.role = nameOf(role);
    const std::string name(session.string(block.name));
    const std::string subject = shortSubject(session, session.string(block.subject));
    const auto firstWords = [&](size_t skip = 0) {
        const std::string head = withoutWrapper(session.textHead(block.body, kSubjectCharacters * 4 + skip));
        return snippet(std::string_view(head).substr(std::min(skip, head.size())), kSubjectCharacters);
    };
    switch (block.kind) {
    case BlockKind::ToolCall:
        label.what = name.empty() ? "tool_call" : "tool_call " + name;
        label.subject = subject;
        return label;
    case BlockKind::ToolResult: {
        if (role == Role::User)
            label.role = "tool";
        label.what = block.is(BlockFlag::Stub) ? "cleared" : block.is(BlockFlag::Error) ? "error" : "result";
        if (!name.empty())
            label.what += " " + name;
        const bool isShort = block.lengths.codePoints <= kAcknowledgementCharacters;
        label.subject = block.is(BlockFlag::TypedPart)
            ? snippet(typedPartOf(session.textHead(block.body, kTypedHead)), kSubjectCharacters)
            : subject.empty() || isShort ? firstWords()
                                         : subject;
        return label;
    }
    case BlockKind::Thinking:
        label.what = block.is(BlockFlag::Encrypted) ? "thinking, encrypted" : "thinking";
        label.subject = block.is(BlockFlag::Encrypted) ? std::string() : firstWords();
        return label;
    case BlockKind::Image:
        label.what = name.empty() ? "image" : "image " + name;
        return label;
    case BlockKind::Document:
        label.what = name.empty() ? "document" : "document " + name;
        return label;
    case BlockKind::Opaque:
        label.what = block.is(BlockFlag::Tools) ? "tool " + name : name.empty() ? "other" : name;
        return label;
    case BlockKind::Text:
        break;
    }
    if (block.is(BlockFlag::Summary)) {
        label.what = "summary";
        label.subject = firstWords();
        return label;
    }
    const std::string head = session.textHead(block.body, 600);
    const std::string tag = role == Role::User ? openingTag(head) : std::string();
    if (!tag.empty()) {
        label.what = tag + " body";
        label.subject = snippet(pathOfTag(head), kSubjectCharacters);
        if (label.subject.empty()) {
            const size_t end = head.find('>');
            label.subject = end == std::string::npos ? std::string() : firstWords(end + 1);
        }
        return label;
    }
    label.what = "text";
    label.subject = firstWords();
    return label;
}

SlotLabel labelOf(const Transcript &transcript, const Slot &slot)
{
    const Session &session = *transcript.session();
    const auto blocks = transcript.blocksOf(slot);
    const Block &main = transcript.block(heaviestBlock(transcript, slot));
    SlotLabel label = labelOf(session, main);
    const auto isSummary = [&](BlockId id) { return transcript.block(id).is(BlockFlag::Summary); };
    if (const auto summary = std::ranges::find_if(blocks, isSummary); summary != blocks.end()) {
        label = labelOf(session, transcript.block(*summary)); // files put back with it may be larger
        const auto typed = std::ranges::count_if(
            blocks, [&](BlockId id) { return transcript.block(id).is(BlockFlag::Typed) && id != *summary; });
        if (typed > 0)
            label.what += " and " + counted(static_cast<uint64_t>(typed), "typed message");
        return label;
    }
    const bool isFirst = transcript.slots().data() == &slot;
    if (isFirst && main.kind == BlockKind::Text && label.what == "text" && slot.role == Role::User)
        label.what = "task";
    if (blocks.size() == 1)
        return label;
    // Several blocks: name the tools once each, then say how many there are of which kind.
    size_t calls = 0;
    size_t results = 0;
    std::vector<std::string_view> names;
    for (const BlockId id : blocks) {
        const Block &block = transcript.block(id);
        calls += block.kind == BlockKind::ToolCall ? 1 : 0;
        results += block.kind == BlockKind::ToolResult ? 1 : 0;
        const std::string_view name = session.string(block.name);
        const bool isTool = block.kind == BlockKind::ToolCall || block.kind == BlockKind::ToolResult;
        if (isTool && !name.empty() && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    if (calls == 0 && results == 0)
        return label;
    const auto isCallOfSlot = [&](BlockId id) { return transcript.block(id).kind == BlockKind::ToolCall; };
    const size_t count = calls > 0 ? calls : results;
    label.role = calls > 0 ? nameOf(slot.role) : "tool";
    label.what = calls > 0 ? "tool_call" : "result";
    for (size_t i = 0; i < names.size() && i < 3; ++i)
        label.what += (i == 0 ? " " : ", ") + std::string(names[i]);
    if (count > 1)
        label.what += " ×" + std::to_string(count);
    if (calls > 0) {
        const auto call = std::ranges::find_if(blocks, isCallOfSlot);
        label.subject = shortSubject(session, session.string(transcript.block(*call).subject));
    }
    return label;
}

} // namespace core
