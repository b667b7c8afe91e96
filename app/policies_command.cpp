// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/compaction/harness_settings.h"
#include "core/formats/reading/format.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"

#include <array>

namespace app {

namespace {

std::string harnessNames()
{
    std::string names;
    for (const core::Harness *harness : core::harnesses())
        names += (names.empty() ? "" : ", ") + std::string(core::idOf(*harness));
    return names;
}

constexpr auto kOptions = std::to_array<Option>({
    { "as", "settings|HARNESS",
        "prints the policy as settings of a harness, which you can paste there: \"settings\" for the harness that the "
        "policy imitates, or the name of another harness",
        '\0', harnessNames },
    kSetOption,
    { "window", "TOKENS",
        "the context window of the model, in tokens. Prints shares of the window as tokens, for a harness that accepts "
        "only tokens" },
    { "for", "FILE", "lists the presets of the harness of this session first" },
    { "json", "",
        "prints JSON: the list of the presets; for one policy, the document of its policy file; with --as, "
        "palimpsest.settings/1" },
});

/// The harness that `--as` names: that of the policy for `settings`, which may be none.
core::Result<const core::Harness *> harnessAsked(const core::Policy &policy, const std::string &name)
{
    if (name == "settings")
        return core::harnessOf(policy);
    if (const core::Harness *harness = core::harnessNamed(name))
        return harness;
    return core::failure(core::ErrorKind::Usage,
        "--as takes \"settings\" or the name of a harness (" + harnessNames() + "), not \"" + name + "\".");
}

/// The settings go to standard output, the notes about unsupported settings to standard error.
int printSettings(const core::Policy &policy, const Arguments &arguments)
{
    const auto harness = harnessAsked(policy, *arguments.value("as"));
    if (!harness)
        return report(harness.error());
    core::SettingsPlace place;
    if (const auto window = arguments.value("window")) {
        const auto tokens = parseNumber("window", *window);
        if (!tokens)
            return report(tokens.error());
        place.modelWindow = static_cast<double>(*tokens);
    }
    const core::HarnessSettings settings
        = *harness == nullptr ? core::harnessSettings(policy, place) : core::harnessSettings(policy, **harness, place);
    if (arguments.has("json"))
        return printJson(core::settingsJson(policy, settings));
    for (const std::string &each : settings.notes)
        note(each);
    return print(settings.text);
}

core::Result<std::vector<core::PolicyPtr>> policiesAsked(const Arguments &arguments)
{
    const auto file = arguments.value("for");
    if (!file)
        return core::presets();
    const auto session = core::loadSession(*file);
    if (!session)
        return std::unexpected(session.error());
    return core::presetsFor(**session);
}

int runPolicies(const Arguments &arguments)
{
    if (arguments.files.empty()) {
        const auto listed = policiesAsked(arguments);
        if (!listed)
            return report(listed.error());
        return arguments.has("json") ? printJson(core::policiesJson(*listed)) : print(core::drawPolicies(*listed));
    }
    if (arguments.has("for"))
        return report(core::Error { core::ErrorKind::Usage, "--for works only without the name of a policy.", {} });
    const auto policy = policyOf(arguments.files.front(), arguments);
    if (!policy)
        return report(policy.error());
    if (arguments.has("as"))
        return printSettings(**policy, arguments);
    return print(arguments.has("json") ? (*policy)->document + "\n" : core::drawPolicy(**policy));
}

} // namespace

const Command kPolicies { "policies", "[NAME]", 0, 1, "lists the preset policies, or describes one", kOptions,
    runPolicies };

} // namespace app
