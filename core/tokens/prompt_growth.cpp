// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/tokens/prompt_growth.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr int kFitRounds = 4;
constexpr double kTrusted = 3; ///< standard deviations

/// Indices of the first calls after each recorded summary or replacement, ascending.
std::vector<size_t> firstCallsAnew(const Thread &thread)
{
    std::vector<size_t> calls;
    for (const RecordedCompaction &compaction : thread.compactions) {
        if (compaction.kind == CompactionKind::Summary || compaction.kind == CompactionKind::Replacement)
            calls.push_back(compaction.call.isValid() ? compaction.call.index() + 1 : 0);
    }
    std::ranges::sort(calls);
    return calls;
}

bool anyIn(const std::vector<size_t> &sorted, size_t behind, size_t last)
{
    const auto found = std::ranges::upper_bound(sorted, behind);
    return found != sorted.end() && *found <= last;
}

/// 1 for what lies within `kTrusted` standard deviations of the fit.
double trustIn(const PromptGrowth &growth, const KindValues &rates)
{
    const double allowed = kTrusted * growthDeviation(tokensOf(growth.amounts, rates));
    return std::min(1.0, allowed / std::abs(growth.excess(rates)));
}

template <typename Take>
void forEachLogged(std::span<const PromptGrowth> growths, const KindValues &rates, const Take &take)
{
    for (const PromptGrowth &growth : growths) {
        if (!growth.startsAnew && !isDeparture(growth, rates))
            take(growth);
    }
}

} // namespace

std::vector<PromptGrowth> promptGrowths(const Session &session, ThreadIndex threadIndex, const TokenAmounts &amounts)
{
    const Thread &thread = session.thread(threadIndex);
    const std::vector<size_t> anew = firstCallsAnew(thread);
    std::vector<PromptGrowth> growths;
    const Call *before = nullptr;
    KindValues amountsBefore {};
    for (size_t i = 0; i < thread.calls.size(); ++i) {
        const Call &call = thread.calls[i];
        if (!call.prompt())
            continue;
        const KindValues here = amounts.of(call.input);
        if (before != nullptr) {
            const auto place = static_cast<size_t>(before - thread.calls.data());
            growths.push_back({ .before = CallIndex(place),
                .after = CallIndex(i),
                .promptBefore = *before->prompt(),
                .promptAfter = *call.prompt(),
                .amounts = growthOf(amountsBefore, here),
                .startsAnew = before->model != call.model || anyIn(anew, place, i) });
        }
        before = &call;
        amountsBefore = here;
    }
    return growths;
}

bool isDeparture(const PromptGrowth &growth, const KindValues &rates)
{
    return isDeparture(growth.excess(rates), tokensOf(growth.amounts, rates));
}

bool isDeparture(double excess, double expected)
{
    expected = std::abs(expected);
    return excess < 0 ? -excess > std::max(2000.0, 0.3 * expected) : excess > std::max(3000.0, 0.5 * expected);
}

FittedRates fitRates(std::span<const PromptGrowth> growths, const RatePrior &prior)
{
    FittedRates fitted { prior.rates };
    for (int round = 0; round < kFitRounds; ++round) {
        RateFit fit(prior);
        fitted.growths = 0;
        forEachLogged(growths, fitted.rates, [&](const PromptGrowth &growth) {
            fit.add(growth.amounts, growth.tokens(), round == 0 ? 1 : trustIn(growth, fitted.rates));
            ++fitted.growths;
        });
        fitted.rates = fit.rates();
    }
    const auto isAnew = [](const PromptGrowth &growth) { return growth.startsAnew; };
    const auto anew = static_cast<size_t>(std::ranges::count_if(growths, isAnew));
    fitted.departures = growths.size() - anew - fitted.growths;
    return fitted;
}

std::vector<PredictedCall> predictPrompts(
    std::span<const PromptGrowth> growths, const KindValues &rates, Restart restart)
{
    std::vector<PredictedCall> calls;
    double predicted = growths.empty() ? 0 : growths.front().promptBefore;
    for (const PromptGrowth &growth : growths) {
        if (growth.startsAnew || (restart == Restart::WhereNotRecorded && isDeparture(growth, rates))) {
            predicted = growth.promptAfter;
            continue;
        }
        predicted += tokensOf(growth.amounts, rates);
        calls.push_back({ growth.after, predicted, growth.promptAfter });
    }
    return calls;
}

double errorQuantile(std::span<const PredictedCall> calls, double share)
{
    if (calls.empty())
        return 0;
    std::vector<double> errors(calls.size());
    std::ranges::transform(calls, errors.begin(), [](const PredictedCall &call) { return std::abs(call.error()); });
    const auto place = std::min(errors.size() - 1, static_cast<size_t>(share * static_cast<double>(errors.size())));
    std::ranges::nth_element(errors, errors.begin() + static_cast<std::ptrdiff_t>(place));
    return errors[place];
}

} // namespace core
