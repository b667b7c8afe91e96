// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/set_card.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace core {

namespace {

/// The settings of the card, and the runs of its figures.
struct Chosen {
    size_t cell = 0;
    std::vector<size_t> runs; ///< indices into the set's runs
    SweepMetric aim = SweepMetric::Cost;
    const Suggestion *suggestion = nullptr;
};

size_t ownCell(const SweepPlan &plan)
{
    const auto index = [&](const SweepAxis &axis) {
        const auto value = valueIn(*plan.policy, axis);
        return value ? axis.nearest(*value) : size_t(0);
    };
    return index(plan.y) * plan.x.values.size() + index(plan.x);
}

Chosen chosenOf(const SweepSet &set, const Result<Suggestion> &suggestion)
{
    Chosen chosen;
    if (suggestion) {
        chosen = { suggestion->cell, suggestion->later, suggestion->aim, &*suggestion };
        return chosen;
    }
    chosen.cell = ownCell(set.plan);
    chosen.runs.resize(set.runs.size());
    std::iota(chosen.runs.begin(), chosen.runs.end(), size_t(0));
    const bool isPriced = std::ranges::all_of(
        set.runs, [&](const RunSweep &run) { return !std::isnan(scaled(run, chosen.cell, SweepMetric::Cost)); });
    chosen.aim = isPriced ? SweepMetric::Cost : SweepMetric::Tokens;
    return chosen;
}

/// Token counts in thousands, for lack of room.
std::string shortMetric(SweepMetric metric, double value)
{
    return metric == SweepMetric::Peak && !std::isnan(value) ? shortNumber(value) : shownMetric(metric, value);
}

std::string words(SweepMetric metric) { return std::string(infoOf(metric).title); }

std::vector<double> over(const SweepSet &set, const Chosen &chosen, SweepMetric metric)
{
    std::vector<double> values;
    for (const size_t run : chosen.runs) {
        if (const double value = scaled(set.runs[run], chosen.cell, metric); !std::isnan(value))
            values.push_back(value);
    }
    std::ranges::sort(values);
    return values;
}

/// The ratio of sums over all runs, to the recorded values.
double shareOfRecorded(const SweepSet &set, const Chosen &chosen)
{
    const double recorded = pooled(set, chosen.runs, std::nullopt, chosen.aim);
    return recorded > 0 ? pooled(set, chosen.runs, chosen.cell, chosen.aim) / recorded : std::nan("");
}

CardFigure aimFigure(const SweepSet &set, const Chosen &chosen)
{
    const double share = chosen.suggestion != nullptr ? chosen.suggestion->laterShare : shareOfRecorded(set, chosen);
    CardFigure figure { words(chosen.aim) + ", share of recorded", std::isnan(share) ? "—" : wholeShareText(share), "",
        "" };
    if (chosen.suggestion != nullptr) {
        const Interval &interval = chosen.suggestion->laterInterval;
        figure.interval = formatted("95 % interval: {} to {}, over {} later runs", wholeShareText(interval.low),
            wholeShareText(interval.high), chosen.runs.size());
    } else if (const std::vector<double> values = over(set, chosen, chosen.aim); !values.empty()) {
        figure.interval = formatted("{} to {} in the middle 80 % of runs", wholeShareText(quantile(values, 0.1)),
            wholeShareText(quantile(values, 0.9)));
    }
    return figure;
}

/// A figure over the runs, with the interval of the suggestion if it is for that figure.
CardFigure pooledFigure(const SweepSet &set, const Chosen &chosen, SweepMetric metric, const std::string &title)
{
    const double recorded = pooled(set, chosen.runs, std::nullopt, metric);
    CardFigure figure { title, shortMetric(metric, pooled(set, chosen.runs, chosen.cell, metric)), "",
        std::isnan(recorded) ? std::string() : "recorded " + shortMetric(metric, recorded) };
    const auto figures = chosen.suggestion != nullptr ? chosen.suggestion->figures : std::vector<Suggestion::Figure>();
    const auto known = std::ranges::find(figures, metric, &Suggestion::Figure::metric);
    if (known != figures.end()) {
        figure.interval = formatted("95 % interval: {} to {}", shortMetric(metric, known->interval.low),
            shortMetric(metric, known->interval.high));
    } else if (const std::vector<double> values = over(set, chosen, metric); !values.empty()) {
        figure.interval = formatted("{} to {} in the middle 80 % of runs", shortMetric(metric, quantile(values, 0.1)),
            shortMetric(metric, quantile(values, 0.9)));
    }
    return figure;
}

CardFigure lossFigure(const SweepSet &set, const Chosen &chosen)
{
    double lost = 0;
    size_t uses = 0;
    size_t losing = 0;
    for (const size_t run : chosen.runs) {
        const double here = set.runs[run].cells[chosen.cell][SweepMetric::LostUses];
        lost += here;
        uses += set.runs[run].uses;
        losing += here > 0 ? 1 : 0;
    }
    const auto [low, high] = shareInterval(static_cast<size_t>(lost), uses);
    return { "Lost uses", formatted("{} of {}", groupedNumber(static_cast<uint64_t>(lost)), groupedNumber(uses)),
        formatted("95 % confidence: {:.1f} to {:.1f} % of uses; {} of {} runs lose uses", low * 100, high * 100, losing,
            chosen.runs.size()),
        "" };
}

CardSpread spreadOver(const SweepSet &set, const Chosen &chosen, SweepMetric metric, std::string title)
{
    CardSpread spread { std::move(title), over(set, chosen, metric), std::nullopt, metric };
    if (scaleOf(metric) == SweepScale::OfRecorded)
        spread.recorded = 1;
    return spread;
}

CardFan fanOf(const SweepSet &set, const Chosen &chosen)
{
    const ReachSummary reach = reachOf(set);
    CardFan fan;
    const auto steps = reachSteps();
    const ReachSummary::Spread spread = reach.spread();
    fan.tokens.assign(steps.begin(), steps.end());
    fan.low.assign(spread.low.begin(), spread.low.end());
    fan.median.assign(spread.median.begin(), spread.median.end());
    fan.high.assign(spread.high.begin(), spread.high.end());
    fan.sessions = reach.sessionCount();
    fan.uses = reach.all().useCount();
    Policy policy = *set.plan.policy;
    core::set(policy, set.plan.x, set.plan.x.values[chosen.cell % set.plan.x.values.size()]);
    core::set(policy, set.plan.y, set.plan.y.values[chosen.cell / set.plan.x.values.size()]);
    const Measure &keep = policy.keep.measure;
    fan.keep = keep.words();
    std::vector<double> windows;
    for (const RunSweep &run : set.runs)
        windows.push_back(run.window);
    std::ranges::sort(windows);
    fan.keepTokens = keep.tokensIn(quantile(windows, 0.5));
    return fan;
}

/// The answer, the saving and reliability, the limits, and what it gives up.
std::vector<std::string> verdictOf(const SweepSet &set, const Suggestion &made)
{
    constexpr ptrdiff_t kOpening = 2; // saving, reliability
    const std::vector<std::string> details = suggestionDetails(set, made);
    std::vector<std::string> sentences { adviceSentence(set, made) };
    sentences.insert(sentences.end(), details.begin(), details.begin() + kOpening);
    for (const Suggestion::Verdict &verdict : made.verdicts)
        sentences.push_back(verdictText(verdict) + ".");
    sentences.push_back(givesUpSentence(set, made));
    for (std::string &sentence : sentences)
        sentence = visibleText(sentence);
    return sentences;
}

std::string titleOf(const SweepSet &set, const Chosen &chosen)
{
    const double share = shareOfRecorded(set, chosen);
    std::string title = formatted("{} with {}", set.plan.policy->name, set.plan.settingsOf(chosen.cell));
    if (chosen.suggestion != nullptr && !chosen.suggestion->isSavingShown())
        return title
            + formatted(
                " is the best within the limits, but shows no saving on {}.", counted(chosen.runs.size(), "later run"));
    if (std::isnan(share))
        return title + " over " + counted(chosen.runs.size(), "run") + ".";
    return title
        + formatted(" would have {} {} {} than recorded over {} {}.", chosen.aim == SweepMetric::Cost ? "cost" : "sent",
            wholeShareText(std::abs(share - 1)), share <= 1 ? "less" : "more", groupedNumber(chosen.runs.size()),
            chosen.suggestion != nullptr ? "later runs" : "runs");
}

std::vector<std::string> footOf(const SweepSet &set, const Chosen &chosen, const SetCardOptions &options)
{
    size_t calibrated = 0;
    double counterfactual = 0;
    double calls = 0;
    for (const RunSweep &run : set.runs) {
        calibrated += run.basis == Basis::Calibrated ? 1 : 0;
        counterfactual += run.counterfactualShare * static_cast<double>(run.calls);
        calls += static_cast<double>(run.calls);
    }
    return { formatted(
                 "Simulated as if nothing had been compacted; {} of the calls come after a recorded compaction. "
                 "Tokens are calibrated in {} of {} runs, and counted or estimated in the other runs. Uses that count: "
                 "{}. Prices of {}. The figures are those of {}.",
                 wholeShareText(calls > 0 ? counterfactual / calls : 0), calibrated, set.runs.size(),
                 kHeadlineUsesWords, set.plan.pricesOf,
                 chosen.suggestion != nullptr ? "the later runs alone" : "all runs"),
        formatted("Policy {} ({}), document {} · Palimpsest {} · no text of a session on this card",
            set.plan.policy->id, set.plan.settingsOf(chosen.cell), documentHash(*set.plan.policy), options.version) };
}

} // namespace

SetCard setCard(const SweepSet &set, const SetCardOptions &options)
{
    const Result<Suggestion> suggestion = suggest(set, options.suggestion);
    const Chosen chosen = chosenOf(set, suggestion);
    SetCard made;
    made.title = titleOf(set, chosen);
    made.facts = countSentence(set);
    made.figures = { aimFigure(set, chosen), lossFigure(set, chosen),
        pooledFigure(set, chosen, SweepMetric::Peak, "Peak context, median run, tokens"),
        pooledFigure(set, chosen, SweepMetric::HitShare, "Cache hits") };
    made.spreads = { spreadOver(set, chosen, chosen.aim, words(chosen.aim) + " of each run, share of recorded"),
        spreadOver(set, chosen, SweepMetric::Peak, "Peak context of each run, tokens") };
    made.fan = fanOf(set, chosen);
    if (suggestion) {
        made.verdict = verdictOf(set, *suggestion);
    } else {
        made.verdict = { "Nothing is suggested: " + suggestion.error().message,
            "The figures are for the settings of the grid that are nearest to the policy's own." };
        if (const std::string bill = billSentence(set, chosen.runs); chosen.aim == SweepMetric::Cost && !bill.empty())
            made.verdict.push_back(bill);
    }
    made.foot = footOf(set, chosen, options);
    return made;
}

} // namespace core
