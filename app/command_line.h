// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum ExitCode : int {
    Done = 0,
    InputProblem = 1, ///< a missing, unusable or unrecognised file; output that cannot be written
    WrongUsage = 2,   ///< wrong arguments, or a call or thread that the session does not have
    FindingsFail = 3, ///< a session has more findings than `--fail-on` allows
};

/// One option of a command: `--call N`, `-o, --output DIR`, `--json`.
struct Option {
    std::string_view name;      ///< without dashes
    std::string_view valueName; ///< placeholder of the value in the help; empty for a switch
    std::string_view help;
    char letter = '\0';               ///< short form, if any
    std::string (*names)() = nullptr; ///< the possible values; the help lists them after its sentence
};

/// The parsed arguments of a command, according to its table.
class Arguments final {
public:
    std::vector<std::string> files;

    [[nodiscard]] bool has(std::string_view option) const { return m_options.contains(option); }
    /// The last value given, or nullopt.
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    /// All values given, in order.
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    void set(std::string_view option, std::string value) { m_options[std::string(option)].push_back(std::move(value)); }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> m_options;
};

/// A command: `palimpsest NAME …`. Its options are parsed and its help is written from this table; `run` executes it
/// and returns an ExitCode. Commands without a window make no QApplication.
struct Command {
    std::string_view name;
    std::string_view files; ///< placeholder of its files in the help: `FILE`, `FILE…`; empty if it takes none
    size_t minFiles = 0;
    size_t maxFiles = 0;
    std::string_view summary; ///< one line
    std::span<const Option> options;
    int (*run)(const Arguments &arguments) = nullptr;
    bool isHook = false; ///< never exits with WrongUsage: Claude Code would stop what it is doing
};

/// The arguments of a command line without a command: opens a window for each file.
struct WindowRequest {
    std::vector<std::string> files;
    std::string after; ///< shown as the `after` array, beside the one file; empty for none
    std::map<std::string, uint32_t, std::less<>>
        places;                        ///< where the one file opens: `call`, `message`, `edit`, `thread`
    bool isList = false;               ///< `sessions`: lists the sessions of the folders in `files`
    std::optional<std::string> latest; ///< opens the newest session of this project
};

/// Parses files, `--after` and places; leaves options of the window system alone. Fails with Usage and names the wrong
/// word.
[[nodiscard]] core::Result<WindowRequest> parseWindowWords(std::span<const char *const> words);

/// Runs the command that the command line names, or `--help` and `--version`. nullopt if it names no command and
/// `parseWindowWords` succeeds: then the window opens.
[[nodiscard]] std::optional<int> runCommandLine(std::span<const char *const> words);

/// Parses the words behind a command's name. Fails with Usage and names the wrong word.
[[nodiscard]] core::Result<Arguments> parseArguments(const Command &command, std::span<const char *const> words);

/// Parses a non-negative integer. Fails and names the option.
[[nodiscard]] core::Result<size_t> parseNumber(std::string_view option, std::string_view value);

/// Writes one line `palimpsest: PLACE: sentence` to standard error; returns the exit code for the error.
int report(const core::Error &error);

/// Prints a sentence to standard error that does not report a failure.
void note(const std::string &sentence);

/// Writes to standard output; reports failures (a full disk) and returns the exit code.
[[nodiscard]] int print(std::string_view text);
/// The same for a terminal: characters that it would obey are replaced by marks. Line feeds stay.
[[nodiscard]] int printVisibly(std::string_view text);
/// Writes a document and a line end in the same way.
[[nodiscard]] int printJson(const nlohmann::ordered_json &document);

} // namespace app
