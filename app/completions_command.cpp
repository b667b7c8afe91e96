// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Completions for shells, written from the tables of the commands.

#include "app/command_help.h"
#include "app/commands.h"
#include "core/compaction/policy.h"

#include <algorithm>
#include <cctype>

namespace app {

namespace {

/// What can stand for a value or a file.
struct Values {
    std::string words; ///< with blanks between them
    bool arePolicies = false;
    bool areFiles = false;
    bool areFolders = false;
};

std::string_view firstPart(std::string_view &rest, std::string_view separator)
{
    const size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + separator.size(), rest.size()));
    return part;
}

void addWord(std::string &words, std::string_view word) { words += (words.empty() ? "" : " ") + std::string(word); }

/// `heaviest, edits; for a folder: map, reach`: the last word of each part is a value.
std::string listedWords(std::string list)
{
    std::ranges::replace(list, ';', ',');
    std::string words;
    for (std::string_view rest = list; !rest.empty();) {
        const std::string_view part = firstPart(rest, ",");
        addWord(words, part.substr(part.find_last_of(' ') + 1));
    }
    return words;
}

/// What a placeholder of the help stands for: `FILE|DIR…`, `P`, or words in small letters, which are typed as they are.
Values valuesOf(std::string_view placeholder)
{
    Values values;
    values.arePolicies = placeholder == "P" || placeholder == "[NAME]";
    for (const std::string_view word : { "FILE", "OUT", "STORE", "BEFORE", "AFTER", "EXPORT" })
        values.areFiles = values.areFiles || placeholder.contains(word);
    values.areFiles = values.areFiles || placeholder == "P";
    values.areFolders = !values.areFiles && placeholder.contains("DIR");
    for (std::string_view rest = placeholder; !rest.empty();) {
        const std::string_view part = firstPart(rest, "|");
        if (std::ranges::all_of(part, [](unsigned char letter) { return std::islower(letter) != 0; }))
            addWord(values.words, part);
    }
    return values;
}

Values valuesOf(const Option &option)
{
    Values values = valuesOf(option.valueName);
    if (option.names != nullptr)
        addWord(values.words, listedWords(option.names()));
    return values;
}

std::string policyWords()
{
    std::string words;
    for (const core::PolicyPtr &policy : core::presets())
        addWord(words, policy->id);
    return words;
}

/// The first sentence, or what comes before its semicolon.
std::string_view shortHelp(std::string_view help) { return help.substr(0, std::min(help.find(". "), help.find("; "))); }

/// The text with a backslash before each of some letters.
std::string escaped(std::string_view text, std::string_view letters)
{
    std::string result;
    for (const char letter : text)
        result += (letters.contains(letter) ? "\\" : "") + std::string(1, letter);
    return result;
}

// --- bash -----------------------------------------------------------------------------------------------------------

/// The words of an option in a pattern: `-o | --output`.
std::string bashPattern(const Option &option)
{
    return (option.letter == '\0' ? "" : std::string("-") + option.letter + " | ") + "--" + std::string(option.name);
}

std::string bashValues(const Values &values)
{
    std::string text = values.arePolicies ? "words=$policies" : "words='" + values.words + "'";
    text += values.areFiles ? " kind=-f" : values.areFolders ? " kind=-d" : " kind=";
    return text;
}

std::string bashCase(std::string_view pattern, const Values &files, std::span<const Option> options)
{
    std::string text = "        " + std::string(pattern) + ")\n            " + bashValues(files) + " options='";
    for (const Option &option : options)
        text += "--" + std::string(option.name) + " ";
    text += "--help'\n            case $previous in\n";
    for (const Option &option : options) {
        if (!option.valueName.empty())
            text += "                " + bashPattern(option) + ") " + bashValues(valuesOf(option)) + " ;;\n";
    }
    return text + "                *) [[ $word != -* ]] || words=$options kind= ;;\n            esac\n            ;;\n";
}

std::string bashCompletions()
{
    std::string names = "sessions";
    std::string cases;
    for (const Command *command : commands()) {
        addWord(names, command->name);
        cases += bashCase(command->name, valuesOf(command->files), command->options);
    }
    cases += bashCase("*", { .words = {}, .areFiles = true }, programOptions());
    return "# Completions of palimpsest for bash, written by `palimpsest completions bash`.\n"
           "_palimpsest() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=\n"
           "    local words= kind= options= policies='"
        + policyWords()
        + "'\n"
          "    # `--policy=pi` is three words.\n"
          "    [[ $previous != = ]] || previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [[ $word != = ]] || word=\n"
          "    ((COMP_CWORD == 1)) || command=${COMP_WORDS[1]}\n"
          "    case $command in\n"
        + cases
        + "    esac\n"
          "    ((COMP_CWORD > 1)) || [[ $word == -* ]] || words='"
        + names
        + "'\n"
          "    [[ -z $kind ]] || compopt -o filenames 2>/dev/null\n"
          "    mapfile -t COMPREPLY < <(compgen $kind -W \"$words\" -- \"$word\")\n"
          "}\n"
          "complete -F _palimpsest palimpsest\n";
}

// --- zsh ------------------------------------------------------------------------------------------------------------

/// In single quotes, `:` and `[` of `_arguments` escaped.
std::string zshText(std::string_view text)
{
    std::string result;
    for (const char letter : escaped(text, "\\:[]"))
        result += letter == '\'' ? "'\\''" : std::string(1, letter);
    return result;
}

std::string zshAction(const Values &values)
{
    if (values.arePolicies)
        return values.areFiles ? "_palimpsest_policies_and_files" : "_palimpsest_policies";
    if (!values.words.empty())
        return "(" + values.words + ")";
    return values.areFiles ? "_files" : values.areFolders ? "_files -/" : " ";
}

std::string zshOption(const Option &option)
{
    const bool hasValue = !option.valueName.empty();
    std::string end = "[" + zshText(shortHelp(option.help)) + "]";
    if (hasValue)
        end += ":" + zshText(option.valueName) + ":" + zshAction(valuesOf(option));
    std::string text = "        '*--" + std::string(option.name) + (hasValue ? "=" : "") + end + "' \\\n";
    if (option.letter != '\0')
        text += std::string("        '*-") + option.letter + (hasValue ? "+" : "") + end + "' \\\n";
    return text;
}

std::string zshCompletions()
{
    std::string names = "        'sessions:lists the sessions of folders in a window'\n";
    std::string cases;
    for (const Command *command : commands()) {
        names += "        '" + std::string(command->name) + ":" + zshText(shortHelp(command->summary)) + "'\n";
        cases += "    " + std::string(command->name)
            + ")\n        shift words\n        ((CURRENT--))\n        _arguments \\\n";
        for (const Option &option : command->options)
            cases += zshOption(option);
        cases += "        '(-)--help[explains the options]'";
        if (!command->files.empty())
            cases += " \\\n        '*:" + zshText(command->files) + ":" + zshAction(valuesOf(command->files)) + "'";
        cases += "\n        ;;\n";
    }
    std::string options;
    for (const Option &option : programOptions())
        options += zshOption(option);
    return "#compdef palimpsest\n"
           "# Completions of palimpsest for zsh, written by `palimpsest completions zsh`.\n"
           "_palimpsest_policies() { compadd -- "
        + policyWords()
        + " }\n"
          "_palimpsest_policies_and_files() { _palimpsest_policies; _files }\n"
          "_palimpsest_first() {\n    local -a commands\n    commands=(\n"
        + names
        + "    )\n    ((CURRENT > 2)) || _describe -t commands command commands\n    _files\n}\n"
          "_palimpsest() {\n    local command=${words[2]}\n    ((CURRENT > 2)) || command=\n    case $command in\n"
        + cases + "    *)\n        _arguments \\\n" + options
        + "        '*:FILE:_palimpsest_first'\n        ;;\n    esac\n}\n"
          "_palimpsest \"$@\"\n";
}

// --- fish -----------------------------------------------------------------------------------------------------------

std::string fishText(std::string_view text) { return "'" + escaped(text, "\\'") + "'"; }

std::string fishValues(const Values &values)
{
    const std::string words = values.arePolicies ? policyWords() : values.words;
    const std::string folders = values.areFolders ? "(__fish_complete_directories)" : "";
    std::string text = values.areFiles ? " -F" : " -f";
    if (!words.empty() || !folders.empty())
        text += " -a " + fishText(words + folders);
    return text;
}

std::string fishOption(const std::string &start, const Option &option)
{
    std::string text = start + " -l " + std::string(option.name);
    if (option.letter != '\0')
        text += std::string(" -s ") + option.letter;
    if (!option.valueName.empty())
        text += " -r" + fishValues(valuesOf(option));
    return text + " -d " + fishText(shortHelp(option.help)) + "\n";
}

std::string fishCompletions()
{
    const std::string start = "complete -c palimpsest -n ";
    const std::string first = start + "__fish_use_subcommand";
    std::string text = "# Completions of palimpsest for fish, written by `palimpsest completions fish`.\n" + first
        + " -a sessions -d 'lists the sessions of folders in a window'\n";
    for (const Command *command : commands()) {
        text += first + " -a " + std::string(command->name) + " -d " + fishText(shortHelp(command->summary)) + "\n";
    }
    for (const Option &option : programOptions())
        text += fishOption(first, option);
    for (const Command *command : commands()) {
        const std::string here = start + "'__fish_seen_subcommand_from " + std::string(command->name) + "'";
        text += here + fishValues(valuesOf(command->files)) + "\n";
        for (const Option &option : command->options)
            text += fishOption(here, option);
    }
    return text;
}

int runCompletions(const Arguments &arguments)
{
    const std::string &shell = arguments.files.front();
    if (shell == "bash")
        return print(bashCompletions());
    if (shell == "zsh")
        return print(zshCompletions());
    if (shell == "fish")
        return print(fishCompletions());
    return report(
        { core::ErrorKind::Usage, "There are completions for bash, zsh and fish, not for “" + shell + "”.", {} });
}

} // namespace

const Command kCompletions { "completions", "bash|zsh|fish", 1, 1,
    "prints a script that makes a shell complete commands, options and the names of policies", {}, runCompletions };

} // namespace app
