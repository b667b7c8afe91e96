// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/summary/summary_plan.h"

#include "core/compaction/texts.h"

#include <algorithm>

namespace core {

Result<SummaryPlan> summaryPlan(
    const Compaction &compaction, const SummaryChoice &choice, const Prices &prices, Timestamp time)
{
    auto input = summaryInput(compaction, choice.form.resultCap);
    if (!input)
        return std::unexpected(input.error());
    SummaryPlan plan { compaction.policy, choice, std::move(*input), {}, {}, {}, 0 };
    plan.prompt = summaryPrompt(plan.input, choice.form.instruction, choice.secrets);
    auto request = summaryRequest(choice.target, plan.prompt);
    if (!request)
        return std::unexpected(request.error());
    plan.request = std::move(*request);
    plan.estimate = summaryEstimate(choice.target, plan.prompt, prices, time);
    plan.replacedTokens = tokensFor(choice.target.model, plan.input.replaced).value;
    return plan;
}

Result<std::string> checkedNote(std::string_view note, const SummaryPlan &plan)
{
    const std::string_view text = stripped(note);
    if (text.empty())
        return failure(ErrorKind::Empty, "The note is empty. Nothing was changed.");
    const double size = tokensFor(plan.choice.target.model, text).value;
    if (size >= plan.replacedTokens) {
        return failure(ErrorKind::Malformed,
            "The note is not shorter than the messages that it replaces: ~" + shortNumber(size) + " tokens instead of ~"
                + shortNumber(plan.replacedTokens) + ". Nothing was changed.");
    }
    const std::vector<std::string> headings = headingsOf(plan.choice.form.instruction);
    const std::string lower = lowered(text);
    const auto isThere = [&](const std::string &heading) { return lower.contains(lowered(heading)); };
    if (!headings.empty() && std::ranges::none_of(headings, isThere)) {
        return failure(ErrorKind::Malformed,
            "The note has none of the headings that the template asks for. The model may have followed a text of the "
            "transcript instead. Nothing was changed.");
    }
    return std::string(text);
}

} // namespace core
