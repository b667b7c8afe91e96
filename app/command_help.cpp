// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_help.h"

#include "app/commands.h"
#include "core/base/visible.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

constexpr auto kForms = std::to_array<std::string_view>({
    "palimpsest [FILE…|DIR…]",
    "palimpsest sessions DIR…",
    "palimpsest --latest [DIR]",
    "palimpsest --after AFTER FILE",
    "palimpsest --call N|--message N|--edit N FILE",
    "palimpsest COMMAND …",
});

constexpr std::string_view kSummary
    = "Shows what fills the context of a coding agent, call by call, and what a compaction policy would change. "
      "Without a command, the program opens a window for each session file. Without any argument, its window lists the "
      "sessions that the known harnesses have stored on this computer; for folders, it lists the sessions in them. "
      "There you can also tune a policy over all of them. `sessions DIR` is the same as DIR, and takes only folders.";

constexpr auto kProgramOptions = std::to_array<Option>({
    { "latest", "", "opens the newest session of the project in the folder DIR. Default: the current folder" },
    { "after", "AFTER", "shows the array of the file AFTER beside that of FILE" },
    { "call", "N", "opens FILE at call N, counted from 0" },
    { "message", "N", "opens FILE at message #N" },
    { "edit", "N", "opens FILE at edit N, counted from 0" },
    { "thread", "N", "opens FILE at thread N, counted from 0; --call N is then a call of this thread" },
    { "help", "", "shows this help, or explains the options of a command", 'h' },
    { "version", "", "prints the version", 'v' },
});

/// On as many lines as needed, the first of which begins at `indent`.
std::string wrapped(std::string_view words, size_t indent)
{
    constexpr size_t kWidth = 100;
    std::string text;
    size_t column = indent;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(' '));
        words.remove_prefix(std::min(word.size() + 1, words.size()));
        const size_t width = core::columnsOf(word);
        if (column > indent && column + 1 + width > kWidth) {
            text += "\n" + std::string(indent, ' ');
            column = indent;
        } else if (column > indent) {
            text += ' ';
            ++column;
        }
        text += word;
        column += width;
    }
    return text + "\n";
}

/// Two columns: the typed words and their effect.
std::string helpLines(std::string_view left, std::string_view right)
{
    constexpr size_t kColumn = 30;
    std::string text = "  " + std::string(left);
    const size_t column = core::columnsOf(text);
    text += column + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - column, ' ');
    return text + wrapped(right, kColumn);
}

} // namespace

std::span<const Option> programOptions() { return kProgramOptions; }

std::string_view programSummary() { return kSummary; }

std::span<const std::string_view> programForms() { return kForms; }

std::string_view exitCodes()
{
    return "0 done, 1 a problem in the input, 2 wrong usage, 3 findings that --fail-on names or report --review lists.";
}

std::string optionText(const Option &option)
{
    std::string text;
    if (option.letter != '\0')
        text += std::string("-") + option.letter + ", ";
    text += "--" + std::string(option.name);
    if (!option.valueName.empty())
        text += " " + std::string(option.valueName);
    return text;
}

std::string optionHelp(const Option &option)
{
    return std::string(option.help) + (option.names == nullptr ? "" : ": " + option.names());
}

std::string programHelp()
{
    std::string text;
    for (const std::string_view form : kForms)
        text += (text.empty() ? "Usage: " : "       ") + std::string(form) + "\n";
    text += "\n" + wrapped(kSummary, 0) + "\nCommands, for the terminal:\n";
    for (const Command *command : commands())
        text += helpLines(std::string(command->name) + " " + std::string(command->files), command->summary);
    text += "\n";
    for (const Option &option : kProgramOptions)
        text += helpLines(optionText(option), option.help);
    return text + "\nExit code: " + std::string(exitCodes()) + "\n";
}

std::string sessionsHelp()
{
    return "Usage: palimpsest sessions DIR…\n\n"
        + wrapped(
            "Opens a window that lists the sessions in each DIR and all folders below it, newest first. Without an "
            "argument, `palimpsest` lists the sessions of the known harnesses. `palimpsest list DIR` prints the "
            "same list.",
            0);
}

std::string commandHelp(const Command &command)
{
    std::string text = "Usage: palimpsest " + std::string(command.name);
    if (!command.files.empty())
        text += " " + std::string(command.files);
    text += command.options.empty() ? "\n" : " [OPTION…]\n";
    text += "\n" + wrapped(command.summary, 0);
    if (!command.options.empty())
        text += "\n";
    for (const Option &option : command.options)
        text += helpLines(optionText(option), optionHelp(option));
    return text;
}

} // namespace app
