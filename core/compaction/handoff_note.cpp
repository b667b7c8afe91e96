// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/handoff_note.h"

#include "core/compaction/texts.h"
#include "core/session/tool_deed.h"

#include <algorithm>
#include <map>

namespace core {

namespace {

std::string_view genkitRole(Role role)
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

std::string_view langChainType(Role role)
{
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "human";
    case Role::Assistant:
        return "ai";
    case Role::Tool:
        return "tool";
    }
    return "human";
}

std::string escaped(std::string_view text, bool isAttribute = false)
{
    std::string result;
    for (const char c : text) {
        if (c == '&')
            result += "&amp;";
        else if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '"' && isAttribute)
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

std::string genkitText(const Session &session, const ArchivedMessage &message)
{
    std::string text;
    for (const BlockId id : message.blocks) {
        if (session.block(id).kind == BlockKind::Text)
            text += session.text(session.block(id).body);
    }
    const std::string_view body = stripped(text);
    return body.empty() ? std::string() : "[" + std::string(genkitRole(message.role)) + "] " + std::string(body);
}

std::string xmlText(const Session &session, const ArchivedMessage &message)
{
    std::string content;
    std::string calls;
    for (const BlockId id : message.blocks) {
        const Block &block = session.block(id);
        const auto reference = message.references.find(id);
        if (reference != message.references.end()) {
            content += reference->second;
        } else if (block.kind == BlockKind::ToolCall) {
            calls += "  <tool_call id=\"" + escaped(session.string(block.callId), true) + "\" name=\""
                + escaped(session.string(block.name), true) + "\">" + escaped(session.text(block.body))
                + "</tool_call>\n";
        } else if (block.body.coding != Coding::Base64) {
            content += session.text(block.body);
        }
    }
    const std::string type(langChainType(message.role));
    if (calls.empty())
        return "<message type=\"" + type + "\">" + escaped(content) + "</message>";
    std::string result = "<message type=\"" + type + "\">\n";
    if (!content.empty())
        result += "  <content>" + escaped(content) + "</content>\n";
    return result + calls + "</message>";
}

constexpr size_t kMostCommands = 12;
constexpr size_t kMostFiles = 40;

/// Distinct paths in order of first occurrence.
class Names final {
public:
    void add(std::string_view name)
    {
        if (!name.empty() && std::ranges::find(m_names, name) == m_names.end())
            m_names.emplace_back(name);
    }
    void remove(std::string_view name) { std::erase(m_names, name); }
    [[nodiscard]] std::string lines() const
    {
        std::string text;
        for (size_t i = 0; i < std::min(m_names.size(), kMostFiles); ++i)
            text += "- " + m_names[i] + "\n";
        if (m_names.size() > kMostFiles)
            text += "- and " + groupedNumber(m_names.size() - kMostFiles) + " more\n";
        return text.empty() ? "none\n" : text;
    }
    [[nodiscard]] const std::vector<std::string> &all() const { return m_names; }

private:
    std::vector<std::string> m_names;
};

struct Command {
    std::string text;
    std::string outcome;
};

} // namespace

std::string archiveText(const Session &session, const std::vector<ArchivedMessage> &messages, ArchiveFormat format)
{
    std::string result;
    for (const ArchivedMessage &message : messages) {
        const std::string text
            = format == ArchiveFormat::Genkit ? genkitText(session, message) : xmlText(session, message);
        if (text.empty())
            continue;
        if (!result.empty())
            result += format == ArchiveFormat::Genkit ? "\n\n" : "\n";
        result += text;
    }
    return result;
}

std::string structuralNote(const Draft &draft, std::span<const Draft::Message> evicted)
{
    std::string goal;
    std::string last;
    std::string open;
    Names read;
    Names modified;
    std::vector<Command> commands;
    std::map<StringId, size_t> commandOf;
    std::map<StringId, std::string> unanswered;
    for (const Draft::Message &message : evicted) {
        for (const Draft::Element &element : draft.elementsOf(message)) {
            if (element.isGone)
                continue;
            const Block &block = draft.block(element.block);
            const std::string_view subject = draft.string(block.subject);
            if (block.kind == BlockKind::Text && (block.is(BlockFlag::Typed) || block.is(BlockFlag::Summary))) {
                if (goal.empty())
                    goal = snippet(draft.pool().textHead(element.block, 1200), 300);
                last = snippet(draft.pool().textHead(element.block, 1200), 300);
            } else if (block.kind == BlockKind::ToolCall) {
                unanswered[block.callId] = std::string(draft.string(block.name)) + " " + snippet(subject, 80);
                switch (toolDeed(draft.string(block.name))) {
                case ToolDeed::Read:
                    if (std::ranges::find(modified.all(), subject) == modified.all().end())
                        read.add(subject);
                    break;
                case ToolDeed::Write:
                case ToolDeed::Edit:
                    modified.add(subject);
                    read.remove(subject);
                    break;
                case ToolDeed::Run:
                    commandOf[block.callId] = commands.size();
                    commands.push_back({ snippet(subject, 120), "no result" });
                    break;
                case ToolDeed::Search:
                case ToolDeed::Other:
                    break;
                }
            } else if (block.kind == BlockKind::ToolResult) {
                unanswered.erase(block.callId);
                if (const auto command = commandOf.find(block.callId); command != commandOf.end()) {
                    commands[command->second].outcome = (block.is(BlockFlag::Error) ? "failed" : "done")
                        + std::string(", ") + groupedNumber(block.lengths.codePoints) + " characters of output";
                }
            }
        }
    }
    for (const auto &[id, call] : unanswered)
        open += "- no result yet: " + call + "\n";
    std::string note = "### Goal\n" + (goal.empty() ? "none" : goal) + "\n\n### Files read\n" + read.lines()
        + "\n### Files modified\n" + modified.lines() + "\n### Commands and outcomes\n";
    const size_t first = commands.size() > kMostCommands ? commands.size() - kMostCommands : 0;
    if (first > 0)
        note += "- " + groupedNumber(first) + " earlier ones\n";
    for (size_t i = first; i < commands.size(); ++i)
        note += "- " + commands[i].text + ": " + commands[i].outcome + "\n";
    if (commands.empty())
        note += "none\n";
    note += "\n### Open items\n";
    if (!last.empty() && last != goal)
        note += "- last request: " + last + "\n";
    note += open;
    if ((last.empty() || last == goal) && open.empty())
        note += "none\n";
    return note;
}

} // namespace core
