// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/command_line.h"
#include "core/base/json.h"
#include "core/report/compaction_report.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 1> kOptions {
    { { "json", "", "as a document; of one policy, the document that a policy file holds" } }
};

int runPolicies(const Arguments &arguments)
{
    if (arguments.files.empty())
        return arguments.has("json") ? printJson(core::policiesJson()) : print(core::drawPolicies());
    const auto policy = core::policyNamed(arguments.files.front());
    if (!policy)
        return report(policy.error());
    return print(arguments.has("json") ? policy->document + "\n" : core::drawPolicy(*policy));
}

} // namespace

const Command kPolicies { "policies", "[NAME]", 0, 1, "list the presets, or tell one of them with its stages", kOptions,
    runPolicies };

} // namespace app
