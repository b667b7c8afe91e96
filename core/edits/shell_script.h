// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A word of a shell command with its quotes taken off.
struct ShellWord {
    std::string text;
    bool isLiteral = true;  ///< nothing in it is expanded by the shell: variables, substitutions, globs outside quotes
    bool isPattern = false; ///< only wildcards are expanded in it: it names files that match
};

enum class RedirectionKind : uint8_t { Write, Append, HereDocument, Other };

struct Redirection {
    RedirectionKind kind = RedirectionKind::Other;
    ShellWord target; ///< of a here-document or here-string its text
};

/// What stands between a command and the one before it.
enum class Joint : uint8_t {
    Sequence, ///< `;`, a line end, `&`, or nothing
    And,
    Or,
    Pipe,
};

struct ShellCommand {
    Joint joint = Joint::Sequence;
    bool isWithin = false;        ///< an `if`, `case` or loop: it may be run or not
    std::vector<ShellWord> words; ///< without leading assignments
    std::vector<Redirection> redirections;
};

[[nodiscard]] inline bool isFlag(const ShellWord &word) { return word.text.size() > 1 && word.text.front() == '-'; }
/// The program that a command runs, without its folder; empty where it only redirects.
[[nodiscard]] std::string_view nameOf(const ShellCommand &command);
/// `path` behind `folder`, where it is relative.
[[nodiscard]] std::string pathBehind(std::string_view folder, std::string_view path);

/// The simple commands of a POSIX shell script in the order in which they are written, those within parentheses,
/// braces and compound statements too; nothing is expanded and nothing executed. Commands within substitutions are part
/// of a word. Costs one pass.
[[nodiscard]] std::vector<ShellCommand> parseShell(std::string_view script);

} // namespace core
