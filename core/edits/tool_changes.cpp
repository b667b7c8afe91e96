// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/tool_changes.h"

#include "core/base/text.h"
#include "core/edits/apply_patch.h"
#include "core/session/format_traits.h"
#include "core/session/tool_deed.h"

#include <array>

namespace core {

namespace {

/// Member names for the old and the new text of an edit.
struct TextKeys {
    std::string_view before;
    std::string_view after;
};
constexpr auto kTextKeys = std::to_array<TextKeys>({ { "old_string", "new_string" }, { "oldText", "newText" },
    { "old_str", "new_str" }, { "oldString", "newString" }, { "old_text", "new_text" } });

/// The replacement from neighbouring members of an object; a missing new text is empty.
std::optional<Replacement> replacementOf(const JsonMembers &members)
{
    for (const TextKeys &keys : kTextKeys) {
        if (!isJsonString(members.raw(keys.before)))
            continue;
        return Replacement { .before = decodeJsonString(members.string(keys.before)),
            .after = decodeJsonString(members.string(keys.after)),
            .isEverywhere = members.isTrue("replace_all") || members.isTrue("replaceAll") };
    }
    return std::nullopt;
}

AskedChange asked(ChangeKind kind, std::string path, std::string text = {})
{
    AskedChange made;
    made.change.kind = kind;
    made.change.path = std::move(path);
    made.change.text = std::move(text);
    return made;
}

/// Replaces old texts by new ones. An edit whose only old text is empty creates the file.
AskedChange replaced(std::string path, std::vector<Replacement> replacements)
{
    if (replacements.size() == 1 && replacements.front().before.empty()) {
        AskedChange made = asked(ChangeKind::Write, std::move(path), std::move(replacements.front().after));
        made.change.isNewFile = true;
        return made;
    }
    AskedChange made = asked(ChangeKind::Replace, std::move(path));
    made.change.replacements = std::move(replacements);
    return made;
}

std::vector<AskedChange> patched(std::string_view text)
{
    std::vector<AskedChange> changes;
    for (FileChange &change : parsePatch(text))
        changes.push_back({ .change = std::move(change) });
    return changes;
}

/// The `operation` of the Responses API's hosted `apply_patch`.
std::vector<AskedChange> operationOf(const JsonMembers &operation)
{
    const std::string_view type = operation.string("type");
    std::string path = decodeJsonString(operation.string("path"));
    if (path.empty())
        return {};
    if (type == "delete_file")
        return { asked(ChangeKind::Delete, std::move(path)) };
    std::vector<PatchHunk> hunks = parseHunks(decodeJsonString(operation.string("diff")));
    AskedChange made = asked(type == "create_file" ? ChangeKind::Write : ChangeKind::Patch, std::move(path));
    made.change.isNewFile = made.change.kind == ChangeKind::Write;
    for (const PatchHunk &hunk : hunks) {
        for (const std::string &line : hunk.after)
            made.change.text += line + "\n";
    }
    if (made.change.kind == ChangeKind::Patch) {
        made.change.hunks = std::move(hunks);
        made.change.text.clear();
    }
    return { std::move(made) };
}

std::vector<AskedChange> writesOf(const ToolArguments &arguments)
{
    std::string path = arguments.path();
    auto text = arguments.string({ "content", "file_text", "contents", "file_content", "text" });
    if (path.empty() || !text)
        return {};
    return { asked(ChangeKind::Write, std::move(path), std::move(*text)) };
}

std::vector<AskedChange> editsOf(const ToolArguments &arguments)
{
    const JsonMembers &members = arguments.members();
    if (members.has("operation"))
        return operationOf(members.object("operation"));
    if (members.has("path") && members.string("type").ends_with("_file"))
        return operationOf(members);
    // Tools with several commands name the command.
    if (arguments.isToShow())
        return {};
    if (members.string("command") == "create")
        return writesOf(arguments);
    for (const std::string_view key : { "input", "patch", "diff" }) {
        if (auto changes = patched(decodeJsonString(members.string(key))); !changes.empty())
            return changes;
    }
    std::string path = arguments.path();
    if (path.empty())
        return {};
    std::vector<Replacement> replacements;
    if (const auto line = members.number("insert_line")) {
        AskedChange made = asked(ChangeKind::Insert, std::move(path),
            arguments.string({ "new_str", "insert_text", "text" }).value_or(std::string()));
        made.change.line = *line;
        return { std::move(made) };
    }
    if (auto single = replacementOf(members))
        replacements.push_back(std::move(*single));
    for (const std::string_view item : jsonElements(members.raw("edits")).items) {
        if (auto each = replacementOf(JsonMembers(item)))
            replacements.push_back(std::move(*each));
    }
    if (!replacements.empty())
        return { replaced(std::move(path), std::move(replacements)) };
    // A notebook cell or a body under another member name: the file changes all the same.
    return { asked(
        ChangeKind::Rewrite, std::move(path), arguments.string({ "new_source", "content" }).value_or(std::string())) };
}

std::vector<AskedChange> runsOf(const ToolArguments &arguments)
{
    std::vector<AskedChange> changes;
    const auto script = arguments.script();
    if (!script)
        return changes;
    for (ShellChange &each : shellChanges(*script, arguments.folder()))
        changes.push_back(
            { std::move(each.change), each.isPatch ? ChangeMaker::ShellPatch : ChangeMaker::Shell, each.certainty });
    return changes;
}

std::string quoteShell(std::string_view word)
{
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace

ToolArguments::ToolArguments(const Session &session, const Block &call)
{
    m_json = session.rawBody(call.body);
    if (call.body.coding != Coding::JsonValue) {
        m_decoded = session.text(call.body);
        m_json = m_decoded;
    }
    if (const size_t first = m_json.find_first_not_of(" \t\r\n");
        first != std::string_view::npos && m_json[first] == '{')
        m_members = JsonMembers(m_json.substr(first));
}

std::optional<std::string> ToolArguments::string(std::initializer_list<std::string_view> keys) const
{
    for (const std::string_view key : keys) {
        if (const std::string_view raw = m_members.raw(key); isJsonString(raw))
            return decodeJsonString(jsonString(raw));
    }
    return std::nullopt;
}

std::string ToolArguments::path() const
{
    return string({ "file_path", "path", "filePath", "notebook_path", "target_file", "filename", "file" })
        .value_or(std::string());
}

std::optional<std::string> ToolArguments::script() const
{
    if (auto text = string({ "command", "cmd", "script" }))
        return text;
    const JsonMembers action = m_members.object("action");
    const std::string_view list
        = isJsonArray(m_members.raw("command")) ? m_members.raw("command") : action.raw("command");
    std::vector<std::string> words;
    for (const std::string_view item : jsonElements(list).items)
        words.push_back(decodeJsonString(jsonString(item)));
    if (words.empty())
        return std::nullopt;
    const std::string_view shell = std::string_view(words.front()).substr(words.front().rfind('/') + 1);
    if (words.size() == 3 && (shell == "bash" || shell == "sh" || shell == "zsh"))
        return words.back();
    std::string script;
    for (const std::string &word : words)
        script += (script.empty() ? "" : " ") + quoteShell(word);
    return script;
}

std::string ToolArguments::folder() const { return string({ "workdir", "cwd" }).value_or(std::string()); }

namespace {

std::vector<AskedChange> askedOf(const Session &session, const Block &call)
{
    const ToolDeed deed = toolDeed(session, call);
    if (deed != ToolDeed::Edit && deed != ToolDeed::Write && deed != ToolDeed::Run)
        return {};
    const ToolArguments arguments(session, call);
    if (!arguments.text().empty())
        return deed == ToolDeed::Edit ? patched(arguments.text()) : std::vector<AskedChange>();
    if (deed == ToolDeed::Edit)
        return editsOf(arguments);
    return deed == ToolDeed::Write ? writesOf(arguments) : runsOf(arguments);
}

} // namespace

std::vector<AskedChange> changesOf(const Session &session, const Block &call)
{
    if (call.kind != BlockKind::ToolCall)
        return {};
    std::vector<AskedChange> changes = askedOf(session, call);
    const std::string_view name = session.string(call.name);
    for (AskedChange &each : changes) {
        each.change.settlesEnd = session.traits->settlesFileEnd;
        for (Replacement &replacement : each.change.replacements)
            replacement.takesLineEnd = name == "Edit" || name == "MultiEdit"; // Claude Code's tools
    }
    return changes;
}

} // namespace core
