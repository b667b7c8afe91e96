// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_figures.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/texts.h"
#include "core/cuts/cut_track.h"

#include <algorithm>
#include <limits>

namespace core {

namespace {

constexpr std::array<SweepMetricInfo, kSweepMetricCount> kInfos { {
    { "cost", "Cost", "$",
        "All calls of the session, the requests for summaries, and fetching again what was lost, by list prices. "
        "The recorded run's figure is computed in the same way; the recorded usage can give another." },
    { "tokens", "Tokens sent", "tokens", "The prompts of all calls together." },
    { "peak", "Peak context", "tokens", "The largest prompt." },
    { "mean", "Mean context", "tokens", "The mean of all prompts." },
    { "compactions_per_100_calls", "Compactions per 100 calls", "", "Summaries and clearings, in 100 calls." },
    { "cache_hit_share", "Cache hits", "%",
        "The share of all prompt tokens that is read from the prompt cache. The recorded run's figure is computed "
        "in the same way; the recorded usage can give another.",
        false },
    { "uncached_tokens", "Tokens not cached", "tokens",
        "Prompt tokens that are not read from the prompt cache: what is new, and what a changed prompt "
        "makes the provider compute again." },
    { "removed_tokens", "Tokens not sent", "tokens",
        "The prompts of the session without any compaction, minus those of this policy.", false },
    { "lost_uses", "Lost uses", "",
        "A use: a later edit quotes a text, or a later result repeats it. It is lost if nothing in the context shows "
        "the text any more, and the agent did not read it again." },
    { "fetched_uses", "Fetched uses", "",
        "Uses whose text the policy had removed, and that the recorded agent read again by itself." },
    { "refetch_tokens", "Tokens to fetch again", "tokens", "The size of the texts that the lost uses need." },
    { "lost_user_messages", "Lost user messages", "",
        "Messages you typed that are no longer in context, word for word, at the end." },
    { "lost_bytes", "Bytes lost for good", "bytes", "Text that is removed and kept nowhere." },
    { "torn_calls", "Torn calls", "",
        "Calls whose prompt has a tool result without its tool call. Providers refuse them." },
} };

struct LossSums {
    size_t lost = 0;
    size_t fetched = 0;
    double fetchTokens = 0;
    size_t messages = 0;
};

struct CostSums {
    bool isPriced = false;
    bool hasCache = false; ///< the cache has a model
    double dollars = 0;
    double hitShare = 0;
    double uncached = 0;
};

SweepFigures figuresOf(const ReplaySums &recordedWorld, const ReplaySums &counterfactual, const CostSums &cost,
    const std::optional<LossSums> &losses, const RecordedFigures &recorded)
{
    const auto calls = static_cast<double>(std::max<size_t>(1, recordedWorld.calls + counterfactual.calls));
    const double tokens = recordedWorld.tokens + counterfactual.tokens;
    SweepFigures figures;
    figures[SweepMetric::Cost] = cost.isPriced ? cost.dollars : kUnknownFigure;
    figures[SweepMetric::Tokens] = tokens;
    figures[SweepMetric::Peak] = std::max(recordedWorld.peak, counterfactual.peak);
    figures[SweepMetric::Mean] = tokens / calls;
    figures[SweepMetric::Compactions]
        = 100 * static_cast<double>(recordedWorld.compactions + counterfactual.compactions) / calls;
    figures[SweepMetric::HitShare] = cost.hasCache ? cost.hitShare : kUnknownFigure;
    figures[SweepMetric::Uncached] = cost.hasCache ? cost.uncached : kUnknownFigure;
    figures[SweepMetric::Removed] = recorded.none.promptTokens - tokens;
    figures[SweepMetric::LostUses] = losses ? static_cast<double>(losses->lost) : kUnknownFigure;
    figures[SweepMetric::FetchedUses] = losses ? static_cast<double>(losses->fetched) : kUnknownFigure;
    figures[SweepMetric::FetchTokens] = losses ? losses->fetchTokens : kUnknownFigure;
    figures[SweepMetric::LostMessages] = losses ? static_cast<double>(losses->messages) : kUnknownFigure;
    figures[SweepMetric::LostBytes] = static_cast<double>(recordedWorld.lostBytes + counterfactual.lostBytes);
    figures[SweepMetric::TornCalls] = static_cast<double>(recordedWorld.torn + counterfactual.torn);
    figures.counterfactualShare = static_cast<double>(counterfactual.calls) / calls;
    figures.isExtrapolated = counterfactual.peak > recorded.prompts.byUsage.peak.value;
    return figures;
}

/// Calls of a track.
void addTrack(ReplaySums &sums, const CutTrack &track, uint32_t from, uint32_t to)
{
    sums.tokens += track.tokens[to] - track.tokens[from];
    sums.peak = std::max(sums.peak, track.most.largest(from, to));
    sums.compactions += track.fired[to] - track.fired[from];
    sums.torn += track.torn[to] - track.torn[from];
    sums.lostBytes += track.lostBytes[to] - track.lostBytes[from];
}

/// Adds calls at which the log grew, and possibly the call before them.
void addGrown(ReplaySums &sums, const CutTables &tables, const CutPiece &piece, uint32_t from, uint32_t to)
{
    const CutGrowth &growth = tables.growth;
    const auto steps = std::span(tables.steps).subspan(from, to - from);
    const CutEpoch &epoch = tables.epochOf(steps.front());
    sums.tokens += growth.promptSums[to] - growth.promptSums[from] + (to - from) * piece.morePrompt;
    sums.peak = std::max(sums.peak, growth.most.largest(from, to) + piece.morePrompt);
    const auto torn = std::ranges::upper_bound(steps, epoch.firstTorn[piece.call.start], {}, &CutStep::places);
    sums.torn += static_cast<size_t>(steps.end() - torn);
    const bool isFirst = from == piece.first;
    if (isFirst)
        sums.lostBytes += piece.call.lostBytes;
    if (isFirst && piece.call.hasFired)
        ++sums.compactions;
    if (!tables.isView)
        sums.lostBytes += epoch.baseLost[steps.back().places]
            - epoch.baseLost[isFirst ? steps.front().places : steps.front().kept];
}

void addCalls(ReplaySums &sums, const CutTables &tables, const CutPiece &piece, uint32_t from, uint32_t to)
{
    if (from >= to)
        return;
    sums.calls += to - from;
    if (piece.track != nullptr)
        addTrack(sums, *piece.track, from, to);
    else
        addGrown(sums, tables, piece, from, to);
}

/// Of the calls of a piece before `end`.
size_t requestedSummaries(const CutPiece &piece, uint32_t end)
{
    if (end <= piece.first)
        return 0;
    if (piece.track != nullptr)
        return piece.track->summaries[end] - piece.track->summaries[piece.first];
    return piece.first > 0 && piece.call.writtenSummary > 0 ? 1 : 0;
}

} // namespace

const SweepMetricInfo &infoOf(SweepMetric metric) { return kInfos[static_cast<size_t>(metric)]; }

std::optional<SweepMetric> sweepMetric(std::string_view id)
{
    const auto *const found = std::ranges::find(kInfos, id, &SweepMetricInfo::id);
    return found != kInfos.end() ? std::optional(static_cast<SweepMetric>(found - kInfos.begin())) : std::nullopt;
}

std::string shownMetric(SweepMetric metric, double value)
{
    const SweepMetricInfo &info = infoOf(metric);
    if (std::isnan(value))
        return metric == SweepMetric::Cost ? "no price" : "not known";
    if (info.unit == "$")
        return dollars(value);
    if (info.unit == "%")
        return formatted("{:.1f} %", value * 100);
    if (metric == SweepMetric::Compactions)
        return formatted("{:.1f}", value);
    const std::string number = groupedNumber(static_cast<uint64_t>(std::llround(value)));
    return info.unit.empty() ? number : number + " " + std::string(info.unit);
}

std::string differenceWords(const SweepFigures &run, const SweepFigures &other)
{
    std::string words;
    const auto difference = [&](SweepMetric metric) { return run[metric] - other[metric]; };
    const auto add = [&](const std::string &part) { words += (words.empty() ? "" : ", ") + part; };
    if (const double cost = difference(SweepMetric::Cost); !std::isnan(cost)) {
        const std::string sum = dollars(std::abs(cost));
        add(sum == dollars(0) ? "the same cost" : sum + (cost < 0 ? " less" : " more"));
    } else if (const double tokens = difference(SweepMetric::Tokens); !std::isnan(tokens)) {
        add(shortNumber(std::abs(tokens)) + (tokens < 0 ? " fewer tokens sent" : " more tokens sent"));
    }
    const auto addCount = [&](SweepMetric metric, std::string_view one, std::string_view many) {
        const double more = difference(metric);
        if (std::isnan(more))
            return;
        const auto count = static_cast<size_t>(std::llround(std::abs(more)));
        add(count == 0
                ? formatted("as many {}", many)
                : formatted("{} {} {}", groupedNumber(count), more < 0 ? "fewer" : "more", count == 1 ? one : many));
    };
    addCount(SweepMetric::LostUses, "lost use", "lost uses");
    addCount(SweepMetric::LostMessages, "lost user message", "lost user messages");
    return words;
}

bool isRefused(const SweepFigures &figures, double window)
{
    return figures[SweepMetric::TornCalls] > 0 || (window > 0 && figures[SweepMetric::Peak] > window);
}

SweepFigures recordedSweepFigures(const RecordedFigures &recorded)
{
    const ReplayGround &ground = *recorded.ground;
    const auto calls = static_cast<double>(ground.callCount());
    SweepFigures figures;
    figures.values.fill(kUnknownFigure);
    if (recorded.bill.isKnown())
        figures[SweepMetric::Cost] = recorded.computed.parts.total();
    if (recorded.prompts.byUsage.calls > 0 && !recorded.computed.rule.empty()) {
        figures[SweepMetric::HitShare] = recorded.computed.hitShare();
        figures[SweepMetric::Uncached] = recorded.computed.promptTokens - recorded.computed.readTokens;
    }
    if (recorded.prompts.byUsage.calls == 0)
        return figures;
    const size_t clearings = recorded.silentClearings;
    figures[SweepMetric::Compactions] = 100 * static_cast<double>(recorded.compactions + clearings) / calls;
    if (ground.session().thread(ground.log.thread).compactions.empty() && clearings == 0) {
        for (const SweepMetric loss : { SweepMetric::LostUses, SweepMetric::FetchedUses, SweepMetric::FetchTokens,
                 SweepMetric::LostMessages, SweepMetric::LostBytes, SweepMetric::TornCalls })
            figures[loss] = 0;
    }
    const PromptSums &prompts = recorded.prompts.computed;
    figures[SweepMetric::Peak] = prompts.peak.value;
    figures[SweepMetric::Tokens] = prompts.sum.value;
    figures[SweepMetric::Mean] = prompts.mean().value;
    return figures;
}

SweepFigures sweepFigures(const PolicyFigures &policy, const RecordedFigures &recorded)
{
    const Replay &replay = *policy.replay;
    std::optional<LossSums> losses;
    if (policy.regret) {
        const FateCounts uses = policy.regret->of();
        losses = { uses[UseFate::Lost], uses[UseFate::Fetched], policy.regret->fetchTokens(),
            policy.regret->lostMessages.size() };
    }
    const CostSums cost { .isPriced = policy.cost.isPriced(),
        .hasCache = !policy.cost.rule.empty(),
        .dollars = policy.cost.parts.total(),
        .hitShare = policy.cost.hitShare(),
        .uncached = policy.cost.promptTokens - policy.cost.readTokens };
    SweepFigures figures = figuresOf(replay.recordedWorld, replay.counterfactual, cost, losses, recorded);
    const ExtraCalls summaries = extraCalls(policy.cost, ExtraCall::Summary);
    figures.summaries = summaries.count;
    figures.summaryTokens = summaries.tokens.output;
    return withoutIdleCount(figures, *replay.policy);
}

SweepFigures withoutIdleCount(SweepFigures figures, const Policy &policy)
{
    if (!waitsForTrigger(policy))
        figures[SweepMetric::Compactions] = kUnknownFigure;
    return figures;
}

SweepFigures cutFigures(CutReplay &replay, CutCosting &costing, const RecordedFigures &recorded)
{
    const ReplayGround &ground = *recorded.ground;
    ReplaySums recordedWorld;
    ReplaySums counterfactual;
    size_t summaries = 0;
    for (const CutPiece &piece : replay.pieces()) {
        const auto end = std::min<uint32_t>(piece.end, static_cast<uint32_t>(ground.callCount()));
        const auto world = std::clamp<uint32_t>(ground.log.firstCounterfactual, piece.first, end);
        addCalls(recordedWorld, replay.tables(), piece, piece.first, world);
        addCalls(counterfactual, replay.tables(), piece, std::max(world, piece.first), end);
        summaries += requestedSummaries(piece, end);
    }
    const CutReplay::Losses &losses = replay.findLosses();
    const CutCost sums = costing.costOf(replay, losses.fetches);
    const CostSums cost { .isPriced = costing.unpricedCalls() < ground.callCount(),
        .hasCache = costing.ground().rules.has_value(),
        .dollars = sums.dollars,
        .hitShare = sums.promptTokens > 0 ? sums.readTokens / sums.promptTokens : 0,
        .uncached = sums.promptTokens - sums.readTokens };
    std::optional<LossSums> lost;
    if (replay.knowsUses())
        lost = { losses.lost, losses.fetched, losses.fetchTokens, losses.lostMessages };
    SweepFigures figures = figuresOf(recordedWorld, counterfactual, cost, lost, recorded);
    figures.summaries = summaries;
    figures.summaryTokens = static_cast<double>(summaries) * replay.tables().summaryTokens;
    return figures;
}

} // namespace core
