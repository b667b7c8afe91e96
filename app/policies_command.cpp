// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/compaction/harness_settings.h"
#include "core/json/json.h"
#include "core/report/compaction_report.h"

#include <array>
#include <cstdio>

namespace app {

namespace {

constexpr std::array<Option, 4> kOptions { {
    { "as", "settings|HARNESS",
        "what its harness is set to for the policy; or genkit, deep-agents, deep-agents-js, langchain-summarization, "
        "langchain-clear-tool-uses, pi, iii-hq: that one" },
    { "set", "KEY=VALUE", "change a setting of the policy, as for compact; may be repeated" },
    { "window", "TOKENS", "the window of the model, where settings are tokens and the policy has shares of it" },
    { "json", "", "as a document; of one policy, the document that a policy file holds" },
} };

/// The harness that `--as` names: that of the policy for `settings`, which may be none.
core::Result<const core::Harness *> harnessAsked(const core::Policy &policy, const std::string &name)
{
    if (name == "settings")
        return core::harnessOf(policy);
    if (const core::Harness *harness = core::harnessNamed(name))
        return harness;
    std::string names = "settings";
    for (const core::Harness *harness : core::harnesses())
        names += ", " + std::string(core::idOf(*harness));
    return core::failure(core::ErrorKind::Usage, "--as wants one of " + names + ", not \"" + name + "\".");
}

/// The settings go to the output, to be pasted; what they cannot say goes beside them, to the errors.
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
        return printJson(core::Json { { "schema", "palimpsest.settings/1" }, { "policy", policy.id },
            { "harness", settings.harness }, { "language", settings.language }, { "text", settings.text },
            { "notes", settings.notes } });
    for (const std::string &note : settings.notes)
        std::fprintf(stderr, "%s\n", note.c_str());
    return print(settings.text);
}

int runPolicies(const Arguments &arguments)
{
    if (arguments.files.empty())
        return arguments.has("json") ? printJson(core::policiesJson()) : print(core::drawPolicies());
    const auto policy = policyOf(arguments.files.front(), arguments);
    if (!policy)
        return report(policy.error());
    if (arguments.has("as"))
        return printSettings(**policy, arguments);
    return print(arguments.has("json") ? (*policy)->document + "\n" : core::drawPolicy(**policy));
}

} // namespace

const Command kPolicies { "policies", "[NAME]", 0, 1, "list the presets, or tell one of them with its stages", kOptions,
    runPolicies };

} // namespace app
