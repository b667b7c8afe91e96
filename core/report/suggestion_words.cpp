// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/suggestion_words.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/harness_settings.h"
#include "core/report/document_parts.h"
#include "core/sweep/sweep_front.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

bool isShareOfUses(SweepMetric metric) { return scaleOf(metric) == SweepScale::OfUses; }

/// A pooled figure: `$4.02 a run`, `0.8 % of uses`.
std::string shownPooled(SweepMetric metric, double value)
{
    if (std::isnan(value))
        return shownMetric(metric, value);
    switch (metric) {
    case SweepMetric::LostUses:
    case SweepMetric::FetchedUses:
        return shownScaled(metric, value);
    case SweepMetric::LostMessages:
    case SweepMetric::TornCalls:
        return formatted("{:.1f} a run", value);
    case SweepMetric::Peak:
    case SweepMetric::Mean:
    case SweepMetric::Compactions:
    case SweepMetric::HitShare:
        return shownMetric(metric, value);
    default:
        return shownMetric(metric, value) + " a run";
    }
}

std::string shownInterval(SweepMetric metric, const Interval &interval)
{
    return shownPooled(metric, interval.low) + " to " + shownPooled(metric, interval.high);
}

double sumOver(const SweepSet &set, const Suggestion &suggestion, SweepMetric metric)
{
    double sum = 0;
    for (const size_t run : suggestion.later)
        sum += set.runs[run].cells[suggestion.cell][metric];
    return sum;
}

std::string_view idOf(Suggestion::Advice advice)
{
    switch (advice) {
    case Suggestion::Advice::Use:
        return "use";
    case Suggestion::Advice::Try:
        return "try";
    case Suggestion::Advice::LimitExceeded:
        return "limit_exceeded";
    case Suggestion::Advice::NoSaving:
        return "no_saving";
    case Suggestion::Advice::Unknown:
        break;
    }
    return "unknown";
}

std::string settingsText(const SweepSet &set, const Suggestion &made)
{
    return formatted("{} with {}", set.plan.policy->name, set.plan.settingsOf(made.cell));
}

/// The first limit that the later runs do not keep.
const Suggestion::Verdict &brokenLimit(const Suggestion &made)
{
    return *std::ranges::find_if_not(made.verdicts, &Suggestion::Verdict::isKept);
}

std::string laterRuns(const Suggestion &made)
{
    return made.later.size() == 1 ? "the later run" : formatted("the {} later runs", made.later.size());
}

/// ` (12.3 % less than the harness's own policy)`; empty if that is unknown.
std::string besideOwnText(const Suggestion &made)
{
    if (std::isnan(made.laterOfOwn))
        return {};
    const double saved = 1 - made.laterOfOwn;
    return formatted(
        " ({} {} than the harness's own policy)", shareText(std::abs(saved)), saved >= 0 ? "less" : "more");
}

/// A figure in the unit of a limit.
std::string shownLimited(const SweepLimit &limit, double value)
{
    return limit.isShare ? shareText(value) : shownMetric(limit.metric, value);
}

/// `Not sure (only 12 uses): deep-agents with … saves`, or `Use deep-agents with …: it saves`.
std::string useText(const SweepSet &set, const Suggestion &made)
{
    size_t uses = 0;
    for (const size_t run : made.later)
        uses += set.runs[run].uses;
    const std::string settings = settingsText(set, made);
    return uses < kFewUses
        ? formatted("Not sure ({}): {} saves", uses == 0 ? "no uses" : "only " + counted(uses, "use"), settings)
        : formatted("Use {}: it saves", settings);
}

std::string savingText(const SweepSet &set, const Suggestion &made)
{
    if (std::isnan(made.laterShare))
        return "No later run has recorded usage to compare with.";
    const std::string figures = formatted("{} of what {} (95 % interval: {} to {})", shareText(made.laterShare),
        made.aim == SweepMetric::Cost ? "was recorded" : "the recorded runs sent, as Palimpsest computes it",
        shareText(made.laterInterval.low), shareText(made.laterInterval.high));
    const std::string bill = made.aim == SweepMetric::Cost ? billSentence(set, made.later) : std::string();
    return formatted("On the {} it would have {} {}. On the {} used for the choice: {}.{}{}",
        counted(made.later.size(), "later run"), made.aim == SweepMetric::Cost ? "cost" : "sent", figures,
        counted(made.earlier.size(), "earlier run"), shareText(made.earlierShare), bill.empty() ? "" : " ", bill);
}

/// A sentence on the reliability of the suggestion.
std::string trustText(const SweepSet &set, const Suggestion &made)
{
    std::string text = made.isSavingShown() ? "The interval is below the recorded value."
        : std::isnan(made.laterShare)       ? ""
                                            : "The interval is not below the recorded value: no saving is shown.";
    if (!std::isnan(made.laterShare) && made.later.size() < kFewestResampled)
        text += formatted(" With only {}, the true interval is wider.", counted(made.later.size(), "later run"));
    if (!made.passedOver)
        text += formatted(
            "{}With other random selections of the earlier runs, the choice is the same cell in {} of the cases.",
            text.empty() ? "" : " ", shareText(made.agreement));
    if (!made.fixed.empty())
        text += formatted(" {} has no setting for {}, so that stays as it is.", titleOf(*harnessOf(*set.plan.policy)),
            settingWords(made.fixed));
    const std::string edge
        = made.isUseful() ? edgeSentence(*set.plan.policy, set.plan.x, set.plan.y, made.cell) : std::string();
    text += edge.empty() ? "" : " " + edge;
    if (made.aim == SweepMetric::Tokens)
        text += " Most models have no price here, so tokens were counted instead of money.";
    if (made.withoutPrice > 0)
        text += formatted(" {} without a price {} left out.", counted(made.withoutPrice, "run"),
            made.withoutPrice == 1 ? "was" : "were");
    if (made.withoutDate > 0)
        text += formatted(" {} without a date {} left out.", counted(made.withoutDate, "run"),
            made.withoutDate == 1 ? "was" : "were");
    return text;
}

std::string figureText(const Suggestion::Figure &figure)
{
    std::string text = formatted("    {:<28}{} ({})", infoOf(figure.metric).title,
        shownPooled(figure.metric, figure.value), shownInterval(figure.metric, figure.interval));
    if (!std::isnan(figure.recorded))
        text += "; recorded " + shownPooled(figure.metric, figure.recorded);
    return text;
}

std::string worstText(const SweepSet &set, const Suggestion &made, size_t index)
{
    const RunSweep &run = set.runs[index];
    const SweepFigures &cell = run.cells[made.cell];
    return formatted("    {} · {} ({}) · lost uses {} of {}", runName(run),
        shownScaled(made.aim, scaled(run, made.cell, made.aim)), shownMetric(made.aim, cell[made.aim]),
        shownMetric(SweepMetric::LostUses, cell[SweepMetric::LostUses]), groupedNumber(run.uses));
}

Json intervalJson(const Interval &interval)
{
    if (std::isnan(interval.low))
        return nullptr;
    return Json::array({ interval.low, interval.high });
}

} // namespace

std::string billSentence(const SweepSet &set, std::span<const size_t> runs)
{
    RecordedBill bill;
    for (const size_t run : runs)
        bill += set.runs[run].bill;
    return bill.isKnown() ? "Palimpsest computes both costs. The recorded runs: " + bill.sentence() + "."
                          : std::string();
}

std::string verdictText(const Suggestion::Verdict &verdict)
{
    const auto shown = [&](double value, double most) {
        return shownLimited(verdict.limit, value)
            + (verdict.limit.isByOwn ? " of at most " + shownLimited(verdict.limit, most) : "");
    };
    return formatted("{}: {} on the earlier runs, {} on the later ones; limit {}", verdict.limit.text(),
        shown(verdict.earlier, verdict.mostEarlier), shown(verdict.later, verdict.mostLater),
        verdict.isKept() ? "kept" : "not kept");
}

std::string adviceSentence(const SweepSet &set, const Suggestion &made)
{
    const std::string_view what = made.aim == SweepMetric::Cost ? "cost" : "tokens";
    const std::string saved = formatted("{} of the {}", shareText(1 - made.laterShare), what);
    switch (made.advice()) {
    case Suggestion::Advice::Use:
        return formatted("{} {} on {}{}.", useText(set, made), saved, laterRuns(made), besideOwnText(made));
    case Suggestion::Advice::Try:
        return formatted("Try {}: on {} it saves {}{} and keeps the limits.", settingsText(set, made), laterRuns(made),
            saved, besideOwnText(made));
    case Suggestion::Advice::LimitExceeded: {
        const Suggestion::Verdict &broken = brokenLimit(made);
        return formatted(
            "Stay with what was recorded. The best settings that the earlier runs allow, {}, save {} on {}, "
            "but exceed the limit “{}” there: {} of at most {}.",
            settingsText(set, made), saved, laterRuns(made), broken.limit.text(),
            shownLimited(broken.limit, broken.later), shownLimited(broken.limit, broken.mostLater));
    }
    case Suggestion::Advice::NoSaving:
        return formatted(
            "Nothing is better than what was recorded. The best alternative, {}, {} {} of the recorded {} on {}.{}",
            settingsText(set, made), made.aim == SweepMetric::Cost ? "costs" : "sends", shareText(made.laterShare),
            what, laterRuns(made), made.laterShare < 1 ? " The difference is too uncertain to show a saving." : "");
    case Suggestion::Advice::Unknown:
        break;
    }
    return formatted("Not known: {} no recorded usage to compare with.",
        made.later.size() == 1 ? "the later run has" : "the later runs have");
}

std::string excludedSentence(const SweepSet &set, const Suggestion &made)
{
    using Advice = Suggestion::Advice;
    if (made.passedOver) {
        const Suggestion::PassedOver &passed = *made.passedOver;
        return formatted(
            "It is not the best of the earlier runs: {} saves {} on the later runs, but exceeds a limit there "
            "({}: {} of at most {}). So the later runs took part in the choice; try it on new sessions.",
            set.plan.settingsOf(passed.cell), shareText(1 - passed.laterShare), passed.broken.limit.text(),
            shownLimited(passed.broken.limit, passed.broken.later),
            shownLimited(passed.broken.limit, passed.broken.mostLater));
    }
    if (made.excluded == 0 || made.advice() == Advice::Use || made.advice() == Advice::Unknown)
        return {};
    const bool isOne = made.excluded == 1;
    return formatted(
        "On the earlier runs, {} of {} settings {}{} less than the recording, but {} a limit, or a provider "
        "would refuse some calls.",
        groupedNumber(made.excluded), groupedNumber(set.plan.cellCount()),
        made.aim == SweepMetric::Cost ? "cost" : "send", isOne ? "s" : "", isOne ? "it exceeds" : "they exceed");
}

std::string widerSentence(const SweepSet &set, const Suggestion &made)
{
    if (!made.wider)
        return {};
    return formatted("If more user messages may be lost, {} saves {} on the later runs. It loses {} of the messages; a "
                     "simulated summary quotes none.",
        set.plan.settingsOf(made.wider->cell), shareText(1 - made.wider->laterShare),
        shownMetric(SweepMetric::LostMessages, sumOver(set, *made.wider, SweepMetric::LostMessages)));
}

std::string alternativeSentence(const SweepSet &set, const Suggestion &made)
{
    switch (made.advice()) {
    case Suggestion::Advice::Use:
    case Suggestion::Advice::Try:
    case Suggestion::Advice::LimitExceeded:
        return {};
    case Suggestion::Advice::NoSaving:
        return formatted("The alternative is the best within the limits on the earlier runs. No saving is shown on {}; "
                         "the 95 % interval ends at {}.",
            laterRuns(made), shareText(made.laterInterval.high));
    case Suggestion::Advice::Unknown:
        break;
    }
    return formatted("On the earlier runs, the best settings within the limits are {}.", settingsText(set, made));
}

std::string givesUpSentence(const SweepSet &set, const Suggestion &made)
{
    size_t uses = 0;
    size_t typed = 0;
    size_t losing = 0;
    size_t extrapolated = 0;
    for (const size_t index : made.later) {
        const RunSweep &run = set.runs[index];
        uses += run.uses;
        typed += run.typedMessages;
        losing += run.cells[made.cell][SweepMetric::LostUses] > 0 ? 1 : 0;
        extrapolated += run.cells[made.cell].isExtrapolated ? 1 : 0;
    }
    const auto sum = [&](SweepMetric metric) { return shownMetric(metric, sumOver(set, made, metric)); };
    const bool isNothingLost = sumOver(set, made, SweepMetric::LostBytes) < 1; // not if it is unknown
    std::string text = formatted(
        "It loses {} of {} uses, in {} of {} runs ({} to fetch again). {} of {} user messages are "
        "not word for word in context at the end. Lost for good: {}.",
        sum(SweepMetric::LostUses), groupedNumber(uses), losing, made.later.size(), sum(SweepMetric::FetchTokens),
        sum(SweepMetric::LostMessages), groupedNumber(typed), isNothingLost ? "nothing" : sum(SweepMetric::LostBytes));
    if (extrapolated > 0)
        text += formatted(" In {} of the runs it sends a larger context than every recorded call; the effect on the "
                          "model is not known.",
            extrapolated);
    return text;
}

std::vector<std::string> suggestionHead(const SweepSet &set, const Suggestion &made)
{
    std::vector<std::string> sentences { adviceSentence(set, made) };
    if (std::string excluded = excludedSentence(set, made); !excluded.empty())
        sentences.push_back(std::move(excluded));
    if (std::string wider = widerSentence(set, made); !wider.empty())
        sentences.push_back(std::move(wider));
    if (std::string alternative = alternativeSentence(set, made); !alternative.empty())
        sentences.push_back(std::move(alternative));
    sentences.push_back(givesUpSentence(set, made));
    return sentences;
}

std::vector<std::string> suggestionDetails(const SweepSet &set, const Suggestion &made)
{
    std::vector<std::string> lines { savingText(set, made), trustText(set, made) };
    lines.emplace_back("On the later runs, with the 95 % interval:");
    for (const Suggestion::Figure &figure : made.figures)
        lines.push_back(figureText(figure));
    if (!made.verdicts.empty())
        lines.emplace_back("Limits:");
    for (const Suggestion::Verdict &verdict : made.verdicts)
        lines.push_back("    " + verdictText(verdict));
    lines.emplace_back("The later runs with the worst results:");
    for (const size_t run : made.worst)
        lines.push_back(worstText(set, made, run));
    return lines;
}

Json suggestionJson(const SweepSet &set, const Suggestion &made)
{
    const size_t columns = set.plan.x.values.size();
    Json json { { "x", set.plan.x.textOf(set.plan.x.values[made.cell % columns]) },
        { "y", set.plan.y.textOf(set.plan.y.values[made.cell / columns]) }, { "cell", made.cell },
        { "aim", infoOf(made.aim).id }, { "earlier_runs", made.earlier }, { "later_runs", made.later },
        { "without_date", made.withoutDate }, { "without_price", made.withoutPrice } };
    json["share_of_recorded"] = { { "earlier", numberJson(made.earlierShare) },
        { "later", numberJson(made.laterShare) }, { "interval", intervalJson(made.laterInterval) } };
    json["later_share_of_own"] = numberJson(made.laterOfOwn);
    json["agreement"] = made.agreement;
    json["passed_over"] = nullptr;
    if (made.passedOver)
        json["passed_over"]
            = { { "cell", made.passedOver->cell }, { "later_share", numberJson(made.passedOver->laterShare) } };
    json["advice"] = idOf(made.advice());
    json["verdict"] = adviceSentence(set, made);
    if (const std::string excluded = excludedSentence(set, made); !excluded.empty())
        json["excluded"] = excluded;
    if (!made.isUseful())
        json["alternative"] = settingsText(set, made);
    json["later"] = Json::object();
    for (const Suggestion::Figure &figure : made.figures) {
        json["later"][std::string(infoOf(figure.metric).id)] = { { "value", numberJson(figure.value) },
            { "interval", intervalJson(figure.interval) }, { "recorded", numberJson(figure.recorded) },
            { "of", isShareOfUses(figure.metric) ? "later uses" : "runs" } };
    }
    json["limits"] = Json::array();
    for (const Suggestion::Verdict &verdict : made.verdicts)
        json["limits"].push_back({ { "metric", infoOf(verdict.limit.metric).id }, { "most", verdict.limit.most },
            { "is_share", verdict.limit.isShare }, { "is_by_own", verdict.limit.isByOwn },
            { "earlier", verdict.earlier }, { "later", verdict.later }, { "most_earlier", verdict.mostEarlier },
            { "most_later", verdict.mostLater }, { "is_kept", verdict.isKept() } });
    json["wider"] = made.wider ? Json(settingsText(set, *made.wider)) : Json(nullptr);
    json["gives_up"] = givesUpSentence(set, made);
    json["worst_runs"] = made.worst;
    return json;
}

} // namespace core
