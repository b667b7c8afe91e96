// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/summary/note_cost.h"

#include "core/money/cost.h"
#include "core/tokens/estimate.h"
#include "core/tokens/exact_tokens.h"
#include "core/tokens/model_family.h"

namespace core {

TokenFigure tokensFor(std::string_view model, std::string_view text)
{
    if (const auto encoding = encodingOf(model))
        return { static_cast<double>(countText(text, ranksOf(*encoding), 1).value_or(0)), Basis::Exact };
    return { static_cast<double>(milliTokens(text)) / 1000 * tokenFactor(tokenizerFamily(model)), Basis::Estimated };
}

std::string SummaryEstimate::sentence() const
{
    const std::string size = shown(prompt) + " tokens";
    if (!least || !most)
        return size + "; the price of this model is not known";
    return size + ", " + dollars(*least) + " to " + dollars(*most);
}

SummaryEstimate summaryEstimate(
    const SummaryTarget &target, const SummaryPrompt &prompt, const Prices &prices, Timestamp time)
{
    SummaryEstimate estimate;
    estimate.prompt = tokensFor(target.model, prompt.system + "\n" + prompt.user);
    // A provider adds a few tokens around the two messages, which it does not publish.
    estimate.prompt.basis = Basis::Estimated;
    estimate.outputLimit = target.outputLimit;
    if (const auto price = prices.priceAt(target.model, time, estimate.prompt.value)) {
        BilledTokens billed;
        billed.input = estimate.prompt.value;
        estimate.least = costOf(billed, *price);
        billed.output = static_cast<double>(target.outputLimit);
        estimate.most = costOf(billed, *price);
    }
    return estimate;
}

std::optional<double> noteCost(const Usage &usage, std::string_view model, const Prices &prices, Timestamp time)
{
    const auto price = prices.priceAt(model, time, static_cast<double>(usage.prompt()));
    if (!price)
        return std::nullopt;
    BilledTokens billed;
    billed.input = static_cast<double>(usage.input);
    billed.cacheRead = static_cast<double>(usage.cacheRead);
    billed.cacheWrite5m = static_cast<double>(usage.cacheWrite);
    billed.output = static_cast<double>(usage.output);
    return costOf(billed, *price);
}

} // namespace core
