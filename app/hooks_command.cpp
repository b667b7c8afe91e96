// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "core/base/shell_word.h"
#include "core/json/json.h"

#include <array>
#include <cstdlib>
#include <filesystem>

namespace app {

namespace {

constexpr std::string_view kClaudeCode = "claude-code";

constexpr auto kOptions = std::to_array<Option>({
    { "harness", "NAME", "whose settings: claude-code, the only one so far and the default" },
    { "budget", "N", "the budget of `recall` in the settings" },
});

/// The words that start this program in a shell. A program in the build environment's root needs that root.
std::string programWord()
{
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
    if (const char *entry = std::getenv("PALIMPSEST_ENTRY"); entry != nullptr && *entry != '\0')
        return core::shellWord(entry) + " exec palimpsest";
    // A program that carries its own loader is started by a script.
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
    if (const char *launcher = std::getenv("PALIMPSEST_LAUNCHER"); launcher != nullptr && *launcher != '\0')
        return core::shellWord(launcher);
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    return core::shellWord(error ? "palimpsest" : own.string());
}

core::Json hook(const std::string &command, std::string_view matcher = {})
{
    core::Json entry;
    if (!matcher.empty())
        entry["matcher"] = matcher;
    entry["hooks"] = { { { "type", "command" }, { "command", command } } };
    return core::Json::array({ entry });
}

int runHooks(const Arguments &arguments)
{
    const std::string harness = arguments.value("harness").value_or(std::string(kClaudeCode));
    if (harness != kClaudeCode)
        return report({ core::ErrorKind::Usage, "--harness takes claude-code, not \"" + harness + "\".", {} });
    std::string recall = programWord() + " recall";
    if (const auto budget = arguments.value("budget")) {
        const auto number = parseNumber("budget", *budget);
        if (!number)
            return report(number.error());
        recall += " --budget " + *budget;
    }
    core::Json settings;
    settings["hooks"]["PreCompact"] = hook(programWord() + " guard");
    settings["hooks"]["SessionStart"] = hook(recall, "compact");
    settings["statusLine"] = { { "type", "command" }, { "command", programWord() + " statusline" } };
    note("Nothing was written. Paste this into ~/.claude/settings.json, or into .claude/settings.json of a project.");
    return printJson(settings);
}

} // namespace

const Command kHooks { "hooks", "", 0, 0, "prints the settings that make an agent call recall, guard and statusline",
    kOptions, runHooks };

} // namespace app
