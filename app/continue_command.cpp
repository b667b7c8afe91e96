// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/compaction_options.h"
#include "core/base/shell_word.h"
#include "core/base/time_text.h"
#include "core/compaction/continuation.h"
#include "core/json/json.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    kCallOption,
    kPolicyOption,
    kSetOption,
    kOverridesOption,
    kAsIfFiredOption,
    { "force", "", "writes the copy even if a provider would refuse the array" },
    kRepoOption,
    { "undo", "",
        "removes FILE and its store. FILE must be a copy that this command wrote. The command refuses if FILE has "
        "changed since then" },
    { "json", "", "prints JSON of schema palimpsest.continue/1" },
});

int undo(const Arguments &arguments)
{
    for (const Option &option : kOptions) {
        if (option.name != "undo" && arguments.has(option.name))
            return report({ core::ErrorKind::Usage,
                "--undo takes no other option, not --" + std::string(option.name) + ".", {} });
    }
    const std::string &copy = arguments.files.front();
    if (const auto removed = core::removeContinued(copy); !removed)
        return report(removed.error());
    note("Removed " + copy + " and its store.");
    return Done;
}

int printContinued(const core::Continued &made, const Arguments &arguments)
{
    if (arguments.has("json")) {
        core::Json document;
        document["schema"] = "palimpsest.continue/1";
        document["harness"] = made.harness;
        document["session_id"] = made.id;
        document["file"] = made.file.string();
        document["store"] = made.exported.store.string();
        document["command"] = made.command;
        document["notes"] = made.notes;
        return printJson(document);
    }
    note("The new session of " + made.harness + " is in " + made.file.string() + ".");
    for (const std::string &each : made.notes)
        note(each);
    note("`palimpsest continue --undo " + core::shellWord(made.file.string()) + "` removes it again.");
    return print(made.command + "\n");
}

int runContinue(const Arguments &arguments)
{
    if (arguments.has("undo"))
        return undo(arguments);
    const auto folder = parseFolder(arguments);
    if (!folder)
        return report(folder.error());
    const auto planned = planCompaction(arguments);
    if (!planned)
        return report(planned.error());
    const core::Compaction &compaction = planned->compaction;
    if (const auto valid = checkValidity(compaction, arguments); !valid)
        return report(valid.error());
    if (compaction.changesNothing() && !compaction.policy->stages.empty())
        note("The policy changes nothing in this array; the copy holds it as it is.");
    core::ContinueOptions options;
    options.position = planned->opened.position;
    options.time = core::timeNow();
    options.folder = *folder;
    options.surroundings = core::Surroundings::ofProcess();
    const auto made = core::continueSession(compaction, options);
    return made ? printContinued(*made, arguments) : report(made.error());
}

} // namespace

const Command kContinue { "continue", "FILE", 1, 1,
    "writes the array of one call as a new session of its harness, and prints the command that resumes it", kOptions,
    runContinue };

} // namespace app
