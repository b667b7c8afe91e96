// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/shell_changes.h"
#include "core/json/json_probe.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The arguments of a tool call: a JSON object, or plain text if the tool takes text.
class ToolArguments final {
public:
    ToolArguments(const Session &session, const Block &call);
    ToolArguments(const ToolArguments &) = delete;
    ToolArguments &operator=(const ToolArguments &) = delete;

    [[nodiscard]] const JsonMembers &members() const { return m_members; }
    /// The text, if the arguments are not a JSON object.
    [[nodiscard]] std::string_view text() const { return m_members.all().empty() ? m_json : std::string_view(); }
    /// The first of these members that is a string, decoded.
    [[nodiscard]] std::optional<std::string> string(std::initializer_list<std::string_view> keys) const;
    /// The path of the file in question; empty if there is none.
    [[nodiscard]] std::string path() const;
    /// True for the `view` command of a text editor tool.
    [[nodiscard]] bool isToShow() const { return m_members.string("command") == "view"; }
    /// The script of a call that runs a command: `command` or `cmd`. Of `["bash", "-lc", …]` the last word; other lists
    /// of words are quoted and joined. nullopt if there is none.
    [[nodiscard]] std::optional<std::string> script() const;
    /// The folder in which the script runs; empty if not given.
    [[nodiscard]] std::string folder() const;

private:
    std::string m_decoded;
    std::string_view m_json;
    JsonMembers m_members;
};

/// Who makes a requested change.
enum class ChangeMaker : uint8_t {
    Tool,       ///< an edit or write tool
    Shell,      ///< a command that a shell runs
    ShellPatch, ///< `apply_patch`, run by a shell
};

/// A change that a call asks for.
struct AskedChange {
    FileChange change;
    ChangeMaker maker = ChangeMaker::Tool;
    RunCertainty certainty = RunCertainty::Run; ///< for shells
};

/// The changes that a tool call asks for. They are recognised by the shape of its arguments:
/// - `old_string`, `oldText` or `old_str` and a new text, also in a list of `edits` (Claude Code, Deep Agents, pi,
///   Gemini)
/// - `create`, `str_replace` and `insert` of the text editor tools
/// - a whole body as `content` or `file_text`
/// - notebooks
/// - `apply_patch` patches, as text or as the Responses API's `operation`
/// - shell commands (see shell_changes.h)
/// A call that names no file changes none. Costs O(arguments).
[[nodiscard]] std::vector<AskedChange> changesOf(const Session &session, const Block &call);

} // namespace core
