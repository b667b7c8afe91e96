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
    InputProblem
    = 1, ///< a file that is missing, damaged beyond use, or of no known format; output that cannot be written
    WrongUsage = 2, ///< the words of the command line, a call or thread that the session does not have
};

/// One option of a command: `--call N`, `-o, --output DIR`, `--json`.
struct Option {
    std::string_view name;      ///< without its dashes
    std::string_view valueName; ///< what stands for its value in the help; empty for a switch
    std::string_view help;
    char letter = '\0'; ///< one-letter form, if it has one
};

/// The words behind the name of a command, taken apart as the command's table says.
class Arguments final {
public:
    std::vector<std::string> files;

    [[nodiscard]] bool has(std::string_view option) const { return m_options.contains(option); }
    /// The value given last, or nothing.
    [[nodiscard]] std::optional<std::string> value(std::string_view option) const;
    /// All values given, in order.
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
    void set(std::string_view option, std::string value) { m_options[std::string(option)].push_back(std::move(value)); }

private:
    std::map<std::string, std::vector<std::string>, std::less<>> m_options;
};

/// A command: `palimpsest NAME …`. Its options are parsed and its help is written from this table; `run` does the work
/// and returns an ExitCode. A command that needs no window makes no QApplication.
struct Command {
    std::string_view name;
    std::string_view files; ///< what the help calls its files: `FILE`, `FILE…`; empty if it takes none
    size_t minFiles = 0;
    size_t maxFiles = 0;
    std::string_view summary; ///< one line
    std::span<const Option> options;
    int (*run)(const Arguments &arguments) = nullptr;
};

/// Every command there is; a new one is added to the table in command_line.cpp.
[[nodiscard]] std::span<const Command *const> commands();

/// What a command line without a command asks for: a window for each file.
struct WindowRequest {
    std::vector<std::string> files;
    std::string after; ///< the array after, beside the one file; empty for none
};

/// Files and `--after` among options of the window system, which are left to it; an error of kind Usage says which word
/// is wrong and why.
[[nodiscard]] core::Result<WindowRequest> parseWindowWords(std::span<const char *const> words);

/// Runs the command that the command line names, or `--help` and `--version`. Nothing is returned when no command is
/// named, and `parseWindowWords` has nothing to say: then the window opens.
[[nodiscard]] std::optional<int> runCommandLine(std::span<const char *const> words);

/// Takes the words behind a command's name apart; an error of kind Usage says which word is wrong and why.
[[nodiscard]] core::Result<Arguments> parseArguments(const Command &command, std::span<const char *const> words);

/// A whole number that is not negative, or an error that names the option.
[[nodiscard]] core::Result<size_t> parseNumber(std::string_view option, std::string_view value);

/// Writes one line `palimpsest: PLACE: sentence` to standard error and returns the exit code that fits the error.
int report(const core::Error &error);

/// Prints a sentence on standard error that is no failure.
void note(const std::string &sentence);

/// Writes to standard output; a failure (a full disk) is reported like every other.
[[nodiscard]] int print(std::string_view text);
/// The same of a document, and a line end.
[[nodiscard]] int printJson(const nlohmann::ordered_json &document);

// The commands, each defined in its own file.
extern const Command kShow;
extern const Command kRestore;
extern const Command kFormats;
extern const Command kShoot;
extern const Command kCompact;
extern const Command kObserve;
extern const Command kPolicies;
extern const Command kTokens;
extern const Command kTrace;
extern const Command kReach;
extern const Command kReplay;
extern const Command kSweep;
extern const Command kEdits;
extern const Command kExport;

} // namespace app
