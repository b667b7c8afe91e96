// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/sweep_figures.h"

#include "core/compaction/texts.h"
#include "core/replay/cut_replay.h"

#include <algorithm>
#include <format>
#include <numeric>
#include <span>

namespace core {

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

constexpr std::array<SweepMetricInfo, kSweepMetricCount> kInfos { {
    { "cost", "Cost", "$" },
    { "tokens", "Tokens sent", "tokens" },
    { "peak", "Peak context", "tokens" },
    { "mean", "Mean context", "tokens" },
    { "compactions_per_100_calls", "Compactions per 100 calls", "" },
    { "cache_hit_share", "Cache hit share", "%", false },
    { "removed_tokens", "Tokens not sent", "tokens", false },
    { "lost_uses", "Lost uses", "" },
    { "fetched_uses", "Texts shown again", "" },
    { "refetch_tokens", "Tokens to fetch again", "tokens" },
    { "lost_user_messages", "Lost user messages", "" },
    { "lost_bytes", "Bytes lost for good", "bytes" },
    { "torn_calls", "Calls with a torn tool result", "" },
} };

struct LossSums {
    size_t lost = 0;
    size_t fetched = 0;
    double fetchTokens = 0;
    size_t messages = 0;
};

SweepFigures figuresOf(const ReplaySums &recordedWorld, const ReplaySums &counterfactual, const ReplayCost &cost,
    const std::optional<LossSums> &losses, const RecordedFigures &recorded)
{
    const auto calls = static_cast<double>(std::max<size_t>(1, recordedWorld.calls + counterfactual.calls));
    const double tokens = recordedWorld.tokens + counterfactual.tokens;
    SweepFigures figures;
    figures[SweepMetric::Cost] = cost.isPriced() ? cost.parts.total() : kUnknown;
    figures[SweepMetric::Tokens] = tokens;
    figures[SweepMetric::Peak] = std::max(recordedWorld.peak, counterfactual.peak);
    figures[SweepMetric::Mean] = tokens / calls;
    figures[SweepMetric::Compactions]
        = 100 * static_cast<double>(recordedWorld.compactions + counterfactual.compactions) / calls;
    figures[SweepMetric::HitShare] = cost.rule.empty() ? kUnknown : cost.hitShare();
    figures[SweepMetric::Removed] = recorded.none.promptTokens - tokens;
    figures[SweepMetric::LostUses] = losses ? static_cast<double>(losses->lost) : kUnknown;
    figures[SweepMetric::FetchedUses] = losses ? static_cast<double>(losses->fetched) : kUnknown;
    figures[SweepMetric::FetchTokens] = losses ? losses->fetchTokens : kUnknown;
    figures[SweepMetric::LostMessages] = losses ? static_cast<double>(losses->messages) : kUnknown;
    figures[SweepMetric::LostBytes] = static_cast<double>(recordedWorld.lostBytes + counterfactual.lostBytes);
    figures[SweepMetric::TornCalls] = static_cast<double>(recordedWorld.torn + counterfactual.torn);
    figures.counterfactualShare = static_cast<double>(counterfactual.calls) / calls;
    figures.isExtrapolated = counterfactual.peak > recorded.peak;
    return figures;
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
        return metric == SweepMetric::Cost    ? "no price"
            : metric == SweepMetric::HitShare ? "no model of this cache"
                                              : "not known";
    if (info.unit == "$")
        return dollars(value);
    if (info.unit == "%")
        return std::format("{:.1f} %", value * 100);
    if (metric == SweepMetric::Compactions)
        return std::format("{:.1f}", value);
    const std::string number = groupedNumber(static_cast<uint64_t>(std::llround(value)));
    return info.unit.empty() ? number : number + " " + std::string(info.unit);
}

SweepFigures recordedSweepFigures(const RecordedFigures &recorded)
{
    const ReplayGround &ground = *recorded.ground;
    const Session &session = ground.session();
    const auto calls = static_cast<double>(ground.callCount());
    SweepFigures figures;
    figures.values.fill(kUnknown);
    if (recorded.run.isPriced())
        figures[SweepMetric::Cost] = recorded.run.parts.total();
    if (!recorded.run.rule.empty())
        figures[SweepMetric::HitShare] = recorded.run.hitShare();
    const std::span prompts = std::span(ground.recorded).first(std::min(ground.callCount(), ground.recorded.size()));
    const size_t known = static_cast<size_t>(std::ranges::count_if(prompts, [](double each) { return each > 0; }));
    if (known == 0)
        return figures;
    const size_t compactions = session.thread(ground.log.thread).compactions.size();
    figures[SweepMetric::Compactions] = 100 * static_cast<double>(compactions) / calls;
    figures[SweepMetric::Peak] = recorded.peak;
    if (known < prompts.size())
        return figures; // a sum would lack some calls
    figures[SweepMetric::Tokens] = std::accumulate(prompts.begin(), prompts.end(), 0.0);
    figures[SweepMetric::Mean] = figures[SweepMetric::Tokens] / calls;
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
    return figuresOf(replay.recordedWorld, replay.counterfactual, policy.cost, losses, recorded);
}

SweepFigures cutFigures(CutReplay &replay, RunCosting &costing, const RecordedFigures &recorded)
{
    const ReplayGround &ground = *recorded.ground;
    ReplaySums recordedWorld;
    ReplaySums counterfactual;
    const CutReplay::Losses &losses = replay.findLosses();
    for (size_t i = 0; i < ground.callCount(); ++i) {
        const CutCall &call = replay.calls()[i];
        ReplaySums &sums = i >= ground.log.firstCounterfactual ? counterfactual : recordedWorld;
        sums.add(call.tokens, call.hasFired, call.isTorn, call.lostBytes);
        costing.add({ .tokens = call.tokens,
            .arrayTokens = call.arrayTokens,
            .unchanged = call.unchangedTokens,
            .summary = call.writtenSummary,
            .refetched = losses.refetched[i],
            .blocks = call.blockCount,
            .hasFired = call.hasFired });
    }
    std::optional<LossSums> lost;
    if (replay.knowsUses())
        lost = { losses.lost, losses.fetched, losses.fetchTokens, losses.lostMessages };
    return figuresOf(recordedWorld, counterfactual, costing.finish(), lost, recorded);
}

} // namespace core
