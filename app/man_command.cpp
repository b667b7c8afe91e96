// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The manual page, written from the tables of the commands.

#include "app/command_help.h"
#include "app/commands.h"

namespace app {

namespace {

/// Text that troff prints as it stands.
std::string roff(std::string_view text)
{
    std::string result;
    for (const char letter : text) {
        if (letter == '\\')
            result += "\\e";
        else if (letter == '-')
            result += "\\-";
        else if (letter == '~')
            result += "\\(ti";
        else
            result += letter;
    }
    return result.starts_with('.') || result.starts_with('\'') ? "\\&" + result : result;
}

std::string optionEntries(std::span<const Option> options)
{
    std::string text;
    for (const Option &option : options)
        text += ".TP\n.B " + roff(optionText(option)) + "\n" + roff(optionHelp(option)) + "\n";
    return text;
}

int runMan(const Arguments &)
{
    std::string text = ".\\\" Written by `palimpsest man`.\n"
                       ".TH PALIMPSEST 1 \"\" \"Palimpsest " PALIMPSEST_VERSION "\" \"User Commands\"\n"
                       ".SH NAME\npalimpsest \\- inspects the transcripts of coding agents\n.SH SYNOPSIS\n.nf\n";
    for (const std::string_view form : programForms())
        text += roff(form) + "\n";
    text += ".fi\n.SH DESCRIPTION\n" + roff(programSummary()) + "\n.SH OPTIONS\n" + optionEntries(programOptions())
        + ".SH COMMANDS\n";
    for (const Command *command : commands()) {
        text += ".SS palimpsest " + roff(command->name) + (command->files.empty() ? "" : " " + roff(command->files))
            + "\n" + roff(command->summary) + ".\n" + optionEntries(command->options);
    }
    text += ".SH EXIT STATUS\n" + roff(exitCodes()) + "\n.SH SEE ALSO\nThe manual, in the window: Help, Manual.\n";
    return print(text);
}

} // namespace

const Command kMan { "man", "", 0, 0, "prints the manual page", {}, runMan };

} // namespace app
