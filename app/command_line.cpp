// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"

#include "app/command_help.h"
#include "app/commands.h"
#include "core/base/caught_error.h"
#include "core/base/readable_folder.h"
#include "core/base/visible.h"
#include "core/json/json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <numeric>
#include <utility>

namespace app {

namespace {

#define PALIMPSEST_COMMAND_ADDRESS(name) &(name),
constexpr std::array kCommands { PALIMPSEST_COMMANDS(PALIMPSEST_COMMAND_ADDRESS) };
#undef PALIMPSEST_COMMAND_ADDRESS

/// Options of the window system, which QApplication handles; those that end in `=` take the next word as a value.
constexpr auto kWindowOptions = std::to_array<std::string_view>({ "platform=", "platformpluginpath=", "platformtheme=",
    "plugin=", "qwindowgeometry=", "qwindowtitle=", "style=", "stylesheet=", "reverse" });

core::Error usageError(std::string message, std::string_view command)
{
    return { core::ErrorKind::Usage,
        std::move(message) + " `palimpsest " + std::string(command) + (command.empty() ? "" : " ")
            + "--help` shows the usage.",
        {} };
}

const Option *findOption(const Command &command, std::string_view name, char letter)
{
    const auto found = std::ranges::find_if(command.options,
        [&](const Option &option) { return letter != '\0' ? option.letter == letter : option.name == name; });
    return found == command.options.end() ? nullptr : &*found;
}

/// Whether a word, without its dashes, is an option of the window system that takes the next word as a value.
enum class WindowOption : uint8_t { None, Alone, WithNext };

WindowOption windowOption(std::string_view word)
{
    const std::string_view name = word.substr(0, word.find('='));
    for (const std::string_view known : kWindowOptions) {
        const bool hasValue = known.ends_with('=');
        if (name == known || (hasValue && name == known.substr(0, known.size() - 1)))
            return hasValue && name == word ? WindowOption::WithNext : WindowOption::Alone;
    }
    return WindowOption::None;
}

/// The value of `--NAME VALUE` or `--NAME=VALUE` at a word; empty if it has none, nullopt for another word.
std::optional<std::string> valueAt(std::span<const char *const> words, size_t &i, std::string_view name)
{
    const std::string_view word = words[i];
    if (!word.starts_with("--") || !word.substr(2).starts_with(name))
        return std::nullopt;
    const std::string_view rest = word.substr(2 + name.size());
    if (rest.starts_with('='))
        return std::string(rest.substr(1));
    if (!rest.empty())
        return std::nullopt;
    return ++i < words.size() ? words[i] : std::string();
}

/// A place to open a file at, `--call 18`; nullopt for another word.
std::optional<core::Result<std::pair<std::string, uint32_t>>> placeAt(std::span<const char *const> words, size_t &i)
{
    for (const char *name : { "call", "message", "edit", "thread" }) {
        const auto value = valueAt(words, i, name);
        if (!value)
            continue;
        const auto number = parseNumber(name, *value);
        if (!number)
            return std::unexpected(number.error());
        if (*number > UINT32_MAX)
            return core::failure(core::ErrorKind::Usage,
                "--" + std::string(name) + " takes a number up to 4,294,967,295, not " + std::string(*value) + ".");
        return std::pair(std::string(name), static_cast<uint32_t>(*number));
    }
    return std::nullopt;
}

/// The number of letters to add, remove or change to make one word of the other.
size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t(0));
    for (size_t i = 0; i < a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i + 1);
        for (size_t j = 0; j < b.size(); ++j) {
            const size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = std::exchange(row[j + 1], std::min({ changed, row[j] + 1, row[j + 1] + 1 }));
        }
    }
    return row.back();
}

/// A sentence with the command that a wrong word may mean, or nothing.
std::string suggestion(std::string_view word)
{
    const auto nearest
        = std::ranges::min_element(kCommands, {}, [&](const Command *each) { return editDistance(word, each->name); });
    const bool isNear = editDistance(word, (*nearest)->name) <= 2;
    return isNear ? " Did you mean “" + std::string((*nearest)->name) + "”?" : std::string();
}

/// A window is asked for, unless it is help.
std::optional<int> checkWindowWords(std::span<const char *const> words)
{
    for (const std::string_view word : words) {
        if (word == "--")
            break;
        if (word == "--help" || word == "-h")
            return print(std::string_view(words.front()) == "sessions" ? sessionsHelp() : programHelp());
        if (word == "--version" || word == "-v")
            return print("palimpsest " PALIMPSEST_VERSION "\n");
    }
    const auto request = parseWindowWords(words);
    if (!request)
        return report(request.error());
    // A word that is neither a command nor a file is a slip; a path that is not there is for the window to say.
    std::error_code error;
    if (request->files.empty() || request->files.front().find_first_of("/\\.") != std::string::npos
        || std::filesystem::exists(request->files.front(), error))
        return std::nullopt;
    return report(usageError(
        "“" + request->files.front() + "” is neither a command nor a file." + suggestion(request->files.front()), ""));
}

} // namespace

std::span<const Command *const> commands() { return kCommands; }

std::optional<std::string> Arguments::value(std::string_view option) const
{
    const auto found = m_options.find(option);
    return found == m_options.end() ? std::nullopt : std::optional(found->second.back());
}

std::vector<std::string> Arguments::values(std::string_view option) const
{
    const auto found = m_options.find(option);
    return found == m_options.end() ? std::vector<std::string>() : found->second;
}

core::Result<WindowRequest> parseWindowWords(std::span<const char *const> words)
{
    WindowRequest request;
    bool onlyFiles = false;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (i == 0 && word == "sessions") {
            request.isList = true;
        } else if (onlyFiles || !word.starts_with('-') || word == "-") {
            request.files.emplace_back(word);
        } else if (word == "--") {
            onlyFiles = true;
        } else if (word == "--latest") {
            request.latest = ".";
        } else if (auto after = valueAt(words, i, "after")) {
            request.after = std::move(*after);
            if (request.after.empty())
                return std::unexpected(usageError("The option --after needs a file: --after AFTER FILE.", ""));
        } else if (const auto place = placeAt(words, i)) {
            if (!*place)
                return std::unexpected(place->error());
            request.places.insert_or_assign((*place)->first, (*place)->second);
        } else {
            const WindowOption option = windowOption(word.substr(word.starts_with("--") ? 2 : 1));
            if (option == WindowOption::None)
                return std::unexpected(usageError("There is no option " + std::string(word) + ".", ""));
            i += option == WindowOption::WithNext ? 1 : 0;
        }
    }
    if (request.latest) {
        if (request.files.size() > 1 || !request.after.empty() || request.isList)
            return std::unexpected(usageError("--latest takes one folder: --latest [DIR].", ""));
        if (!request.files.empty())
            request.latest = std::exchange(request.files, {}).front();
    }
    std::error_code error;
    const bool isOneFile = request.files.size() == 1 && !std::filesystem::is_directory(request.files.front(), error);
    if (!request.places.empty() && (request.isList || !isOneFile || !request.after.empty())) {
        return std::unexpected(usageError("--" + request.places.begin()->first + " opens one file at a place: --"
                + request.places.begin()->first + " N FILE.",
            ""));
    }
    if (request.isList) {
        if (request.files.empty() || !request.after.empty())
            return std::unexpected(usageError("`sessions` takes folders: palimpsest sessions DIR….", ""));
        for (const std::string &folder : request.files) {
            if (const auto readable = core::readableFolder(folder); !readable)
                return std::unexpected(readable.error());
        }
        return request;
    }
    if (!request.after.empty() && request.files.size() != 1)
        return std::unexpected(
            usageError("--after compares with one file, not with " + std::to_string(request.files.size()) + ".", ""));
    return request;
}

std::optional<int> runCommandLine(std::span<const char *const> words)
{
    const auto command = words.empty()
        ? kCommands.end()
        : std::ranges::find(kCommands, std::string_view(words.front()), [](const Command *each) { return each->name; });
    if (command == kCommands.end())
        return checkWindowWords(words);
    words = words.subspan(1);
    const auto isHelp = [](std::string_view word) { return word == "--help" || word == "-h"; };
    const auto options = std::ranges::subrange(words.begin(), std::ranges::find(words, std::string_view("--")));
    if (std::ranges::any_of(options, isHelp))
        return print(commandHelp(**command));
    const auto exitCode
        = [isHook = (*command)->isHook](int code) { return isHook ? std::min<int>(code, InputProblem) : code; };
    const auto arguments = parseArguments(**command, words);
    if (!arguments)
        return exitCode(report(arguments.error()));
    try {
        return exitCode((*command)->run(*arguments));
    } catch (...) {
        return exitCode(report(core::caughtError()));
    }
}

core::Result<Arguments> parseArguments(const Command &command, std::span<const char *const> words)
{
    const auto failure
        = [&](std::string message) { return std::unexpected(usageError(std::move(message), command.name)); };
    Arguments arguments;
    bool onlyFiles = false;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string_view word = words[i];
        if (onlyFiles || !word.starts_with('-') || word == "-") {
            arguments.files.emplace_back(word);
            continue;
        }
        if (word == "--") {
            onlyFiles = true;
            continue;
        }
        const bool isLong = word.starts_with("--");
        const size_t equals = isLong ? word.find('=') : std::string_view::npos;
        const std::string_view name
            = isLong ? word.substr(2, equals == std::string_view::npos ? equals : equals - 2) : "";
        const Option *option = isLong ? findOption(command, name, '\0')
            : word.size() == 2        ? findOption(command, {}, word[1])
                                      : nullptr;
        if (option == nullptr)
            return failure(std::string(command.name) + " has no option " + std::string(word) + ".");
        if (option->valueName.empty()) {
            if (equals != std::string_view::npos)
                return failure("The option --" + std::string(name) + " takes no value.");
            arguments.set(option->name, {});
        } else if (equals != std::string_view::npos) {
            arguments.set(option->name, std::string(word.substr(equals + 1)));
        } else if (++i < words.size()) {
            arguments.set(option->name, words[i]);
        } else {
            return failure("The option " + std::string(word) + " needs a value: " + optionText(*option) + ".");
        }
        // An empty argument comes from an unset shell variable. It names no place, policy or text.
        if (!option->valueName.empty() && arguments.values(option->name).back().empty())
            return failure("The value of --" + std::string(option->name) + " is empty.");
    }
    if (arguments.files.size() < command.minFiles)
        return failure(std::string(command.name) + " needs an argument. Usage: palimpsest " + std::string(command.name)
            + " " + std::string(command.files) + ".");
    if (arguments.files.size() > command.maxFiles) {
        return failure(
            std::string(command.name) + " takes no further file: \"" + arguments.files[command.maxFiles] + "\".");
    }
    return arguments;
}

core::Result<size_t> parseNumber(std::string_view option, std::string_view value)
{
    size_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size()) {
        return core::failure(core::ErrorKind::Usage,
            "--" + std::string(option) + " takes a whole number, not \"" + std::string(value) + "\".");
    }
    return number;
}

int report(const core::Error &error)
{
    note(error.sentence());
    return error.kind == core::ErrorKind::Usage ? WrongUsage : InputProblem;
}

void note(const std::string &sentence)
{
    const std::string line = "palimpsest: " + core::visibleText(sentence) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int printJson(const core::Json &document) { return print(core::jsonText(document) + "\n"); }

int printVisibly(std::string_view text)
{
    std::string shown;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        shown += core::visibleText(text.substr(0, end));
        if (end < text.size())
            shown += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return print(shown);
}

int print(std::string_view text)
{
    const bool isWritten = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
    if (isWritten)
        return Done;
    return report({ core::ErrorKind::NotReadable,
        std::string("The output could not be written: ") + std::strerror(errno) + ".", {} });
}

} // namespace app
