// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/policy_choice.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/json/json.h"
#include "core/report/document_parts.h"

#include <algorithm>
#include <utility>

namespace core {

namespace {

const Suggestion *suggestionOf(const SweepSetReport &report)
{
    return report.suggestion && *report.suggestion ? &**report.suggestion : nullptr;
}

const Suggestion *chosenOf(const PolicyChoice &choice)
{
    return choice.chosen ? suggestionOf(choice.policies[*choice.chosen]) : nullptr;
}

double lostEarlier(const SweepSetReport &report, const Suggestion &made)
{
    double lost = 0;
    for (const size_t run : made.earlier)
        lost += report.set.runs[run].cells[made.cell][SweepMetric::LostUses];
    return lost;
}

/// The cells of a policy's row, starting with its name.
std::vector<std::string> rowOf(const SweepSetReport &report, bool isChosen)
{
    const std::string name = (isChosen ? "* " : "  ") + visibleText(report.set.plan.policy->id);
    const Suggestion *made = suggestionOf(report);
    if (made == nullptr)
        return { name, report.suggestion ? report.suggestion->error().message : "" };
    return { name, report.set.plan.settingsOf(made->cell), shareText(made->earlierShare), shareText(made->laterShare),
        formatted("{} to {}", shareText(made->laterInterval.low), shareText(made->laterInterval.high)),
        made->keepsLimits() ? "kept" : "not kept" };
}

} // namespace

PolicyChoice choosePolicy(std::vector<SweepSetReport> policies)
{
    PolicyChoice choice { std::move(policies), std::nullopt };
    std::pair<double, double> least;
    for (size_t i = 0; i < choice.policies.size(); ++i) {
        const Suggestion *made = suggestionOf(choice.policies[i]);
        if (made == nullptr || (choice.chosen && made->aim != suggestionOf(choice.policies[*choice.chosen])->aim))
            continue;
        const std::pair here(made->earlierShare, lostEarlier(choice.policies[i], *made));
        if (!choice.chosen || here < least) {
            choice.chosen = i;
            least = here;
        }
    }
    return choice;
}

Json policyChoiceJson(const PolicyChoice &choice)
{
    Json document { { "schema", "palimpsest.policy_choice/1" }, { "chosen", orNull(choice.chosen) },
        { "policies", Json::array() } };
    for (const SweepSetReport &report : choice.policies)
        document["policies"].push_back(sweepSetJson(report));
    return document;
}

std::string drawPolicyChoice(const PolicyChoice &choice)
{
    if (choice.policies.empty())
        return {};
    const Suggestion *made = chosenOf(choice);
    const std::string head = made != nullptr ? linesOf(suggestionHead(choice.policies[*choice.chosen].set, *made))
                                             : "None of these policies can be suggested.\n";
    return head + "\n" + policyTable(choice);
}

std::string policyTable(const PolicyChoice &choice)
{
    if (choice.policies.empty())
        return {};
    const Suggestion *made = chosenOf(choice);
    std::string text = countSentence(choice.policies.front().set) + "\n";
    if (made != nullptr)
        text += formatted("{} as a share of the recorded value. For each policy, the best settings within the limits "
                          "were chosen on {} and tested on {}.\n",
            infoOf(made->aim).title, counted(made->earlier.size(), "earlier run"),
            counted(made->later.size(), "later run"));
    std::vector<std::vector<std::string>> rows { { "  policy", "settings", "earlier", "later", "95 % interval",
        "limits, later" } };
    for (size_t i = 0; i < choice.policies.size(); ++i)
        rows.push_back(rowOf(choice.policies[i], choice.chosen == i));
    text += "\n" + alignedRows(rows);
    if (made != nullptr)
        text += "\n" + linesOf(suggestionDetails(choice.policies[*choice.chosen].set, *made));
    return text;
}

} // namespace core
