// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/sweep_figures.h"

#include "core/compaction/texts.h"

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
    { "lost_quotes", "Lost quotes", "" },
    { "lost_repeats", "Lost repeats", "" },
    { "refetch_tokens", "Tokens to fetch again", "tokens" },
    { "lost_user_messages", "Lost user messages", "" },
    { "lost_bytes", "Bytes lost for good", "bytes" },
    { "torn_calls", "Calls with a torn tool result", "" },
} };

size_t lost(const Regret &regret, UseKind kind) { return regret.byKind[static_cast<size_t>(kind)][UseFate::Lost]; }

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
    figures[SweepMetric::Peak] = std::ranges::max(prompts);
    if (known < prompts.size())
        return figures; // a sum would lack some calls
    figures[SweepMetric::Tokens] = std::accumulate(prompts.begin(), prompts.end(), 0.0);
    figures[SweepMetric::Mean] = figures[SweepMetric::Tokens] / calls;
    return figures;
}

SweepFigures sweepFigures(const PolicyFigures &policy, const RecordedFigures &recorded)
{
    const Replay &replay = *policy.replay;
    const auto calls = static_cast<double>(replay.callCount());
    SweepFigures figures;
    figures[SweepMetric::Cost] = policy.cost.isPriced() ? policy.cost.parts.total() : kUnknown;
    figures[SweepMetric::Tokens] = replay.totalTokens();
    figures[SweepMetric::Peak] = replay.peak();
    figures[SweepMetric::Mean] = calls > 0 ? replay.totalTokens() / calls : 0;
    figures[SweepMetric::Compactions] = calls > 0 ? 100 * static_cast<double>(replay.compactions()) / calls : 0;
    figures[SweepMetric::HitShare] = policy.cost.rule.empty() ? kUnknown : policy.cost.hitShare();
    figures[SweepMetric::Removed] = recorded.none.promptTokens - replay.totalTokens();
    figures[SweepMetric::LostBytes] = static_cast<double>(replay.lostBytes());
    figures[SweepMetric::TornCalls] = static_cast<double>(replay.torn());
    for (const SweepMetric metric : { SweepMetric::LostUses, SweepMetric::LostQuotes, SweepMetric::LostRepeats,
             SweepMetric::FetchTokens, SweepMetric::LostMessages })
        figures[metric] = kUnknown;
    if (policy.regret) {
        const Regret &regret = *policy.regret;
        figures[SweepMetric::LostUses] = static_cast<double>(regret.of()[UseFate::Lost]);
        figures[SweepMetric::LostQuotes] = static_cast<double>(lost(regret, UseKind::Quote));
        figures[SweepMetric::LostRepeats] = static_cast<double>(lost(regret, UseKind::Repeat));
        figures[SweepMetric::FetchTokens] = regret.fetchTokens();
        figures[SweepMetric::LostMessages] = static_cast<double>(regret.lostMessages.size());
    }
    const std::vector<double> &prompts = recorded.ground->recorded;
    const double most = prompts.empty() ? 0 : std::ranges::max(prompts);
    figures.counterfactualShare = calls > 0 ? static_cast<double>(replay.counterfactual.calls) / calls : 0;
    figures.isExtrapolated = replay.counterfactual.peak > most;
    return figures;
}

} // namespace core
