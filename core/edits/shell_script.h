// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// A word of a shell command without its quotes.
struct ShellWord {
    std::string text;
    bool isLiteral = true;  ///< the shell expands nothing in it: no variables, substitutions, or globs outside of
                            ///< quotes
    bool isPattern = false; ///< the shell expands only wildcards in it
};

enum class RedirectionKind : uint8_t { Write, Append, HereDocument, Other };

struct Redirection {
    RedirectionKind kind = RedirectionKind::Other;
    ShellWord target; ///< the text, for a here-document or here-string
};

/// The operator between a command and the command before it.
enum class Joint : uint8_t {
    Sequence, ///< `;`, a line end, `&`, or none
    And,
    Or,
    Pipe,
};

struct ShellCommand {
    Joint joint = Joint::Sequence;
    bool isWithin = false;        ///< inside an `if`, `case` or loop, so it may not run
    std::vector<ShellWord> words; ///< without leading assignments
    std::vector<Redirection> redirections;
};

[[nodiscard]] inline bool isFlag(const ShellWord &word) { return word.text.size() > 1 && word.text.front() == '-'; }
/// The program that a command runs, without its folder; empty for a bare redirection.
[[nodiscard]] std::string_view nameOf(const ShellCommand &command);
/// `path` resolved by `folder` if it is relative.
[[nodiscard]] std::string pathBehind(std::string_view folder, std::string_view path);

/// The simple commands of a POSIX shell script in source order, also those inside parentheses, braces and compound
/// statements. Expands and executes nothing. Command substitutions stay part of their word. One pass.
[[nodiscard]] std::vector<ShellCommand> parseShell(std::string_view script);

} // namespace core
