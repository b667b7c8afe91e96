// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_figures.h"

#include "core/compaction/texts.h"

#include <algorithm>
#include <cmath>
#include <format>

namespace core {

RecordedFiguresPtr recordedFigures(const ReplayGroundPtr &ground, const Prices &prices, const ReplayOptions &options)
{
    const Session &session = ground->session();
    auto figures = std::make_shared<RecordedFigures>();
    figures->ground = ground;
    figures->cache = recordedCache(session, *ground->tokens);
    figures->sessionCost = recordedCost(session, figures->cache, prices);
    figures->run = recordedRunCost(session, ground->log.thread, figures->cache, prices);
    const ReplayPtr none = replay(ground, preset("none"), options);
    if (!none)
        return nullptr;
    figures->peak = std::ranges::max(ground->recorded);
    figures->costs = costGround(*ground, figures->cache, prices);
    figures->none = replayCost(*none, *figures->costs, nullptr);
    return figures;
}

PolicyFiguresPtr policyFigures(const ReplayPtr &replay, const RecordedFigures &recorded, const Uses *uses)
{
    const ReplayGround &ground = *replay->ground;
    auto figures = std::make_shared<PolicyFigures>();
    figures->replay = replay;
    if (uses != nullptr)
        figures->regret = regretOf(ground.session(), *uses, replay->spans, *ground.tokens, RegretWorld::Simulated);
    figures->cost = replayCost(*replay, *recorded.costs, figures->regret ? &*figures->regret : nullptr);
    figures->payBack = firstPayBack(*replay, figures->cost, recorded.none);
    if (figures->cost.isPriced() && recorded.run.isPriced())
        figures->saved = difference(figures->cost.parts, recorded.run.parts);
    return figures;
}

std::string lossSentence(const Regret &regret, const BlockTokens &tokens)
{
    const FateCounts counts = regret.of();
    const size_t lost = counts[UseFate::Lost];
    if (counts.all() == 0)
        return "no later uses of earlier text";
    std::string words = std::format("loses {} of {} later uses ({:.1f} %)", lost, counts.all(),
        100.0 * static_cast<double>(lost) / static_cast<double>(counts.all()));
    if (lost > 0)
        words += " · " + shown({ regret.fetchTokens(), tokens.basis, tokens.error }) + " tokens to fetch again";
    return words;
}

std::string messageSentence(const Regret &regret)
{
    const size_t standing = regret.typedMessages - regret.lostMessages.size();
    return std::format("{} of {} user messages in context at the end", standing, regret.typedMessages);
}

std::string savingSentence(const CostParts &saved, SavingDetail detail)
{
    const auto part = [](std::string_view name, double amount) {
        return std::abs(amount) < 0.005
            ? std::string()
            : std::format(", {} {}{}", name, amount < 0 ? "−" : "+", dollars(std::abs(amount)));
    };
    std::string parts;
    if (detail == SavingDetail::Parts)
        parts = part("context resent", saved.resent) + part("rewrites by compaction", saved.compactionRewrites)
            + part("rewrites by idling", saved.idleRewrites) + part("summary calls", saved.summaries)
            + part("fetching again", saved.refetched);
    return std::format(
        "costs {} {} than recorded{}", dollars(std::abs(saved.total())), saved.total() < 0 ? "less" : "more", parts);
}

std::string firingSentence(const Replay &replay)
{
    constexpr size_t kMost = 8;
    std::string calls;
    size_t count = 0;
    for (size_t i = 0; i < replay.callCount(); ++i) {
        if (replay.steps[i].hasFired && ++count <= kMost)
            calls += (calls.empty() ? "" : ", ") + std::to_string(i);
    }
    if (count > 0)
        return std::format("fires before {} {}{}", count == 1 ? "call" : "calls", calls,
            count > kMost ? std::format(" and {} more", count - kMost) : "");
    const TriggerVerdict &last = replay.steps[std::max<size_t>(replay.callCount(), 1) - 1].decision;
    if (replay.policy->stages.empty())
        return "changes nothing";
    return last.readings.empty() ? last.sentence() : "never fires: " + last.sentence() + " at the last call";
}

std::string assumptionSentence(const ReplayGround &ground)
{
    return std::format("summaries that nobody wrote are taken to be ~{} tokens ({})",
        groupedNumber(static_cast<uint64_t>(std::llround(ground.summaryTokens))),
        ground.isSummaryMedian ? "the median of the recorded ones" : "a flat assumption");
}

} // namespace core
