// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_figures.h"

#include "core/base/counted.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/texts.h"

#include <algorithm>
#include <cmath>
#include <format>

namespace core {

namespace {

constexpr std::string_view kNoStage = "changes nothing: no stage is on";

/// `fires before calls 75, 177`; empty if no trigger ever fired.
std::string firingCalls(const Replay &replay)
{
    constexpr size_t kMost = 8;
    std::string calls;
    size_t count = 0;
    for (size_t i = 0; i < replay.callCount(); ++i) {
        if (replay.steps[i].hasFired && ++count <= kMost)
            calls += (calls.empty() ? "" : ", ") + std::to_string(i);
    }
    if (count == 0)
        return {};
    return std::format("fires before {} {}{}", count == 1 ? "call" : "calls", calls,
        count > kMost ? std::format(" and {} more", count - kMost) : "");
}

} // namespace

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
    std::string words = std::format("loses {} of {} ({:.1f} %)", lost, counted(counts.all(), "later use"),
        100.0 * static_cast<double>(lost) / static_cast<double>(counts.all()));
    if (lost > 0)
        words += " · " + shown({ regret.fetchTokens(), tokens.basis, tokens.error }) + " tokens to fetch again";
    return words;
}

TokenFigure promptFigure(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    const double recorded = replay.ground->recorded[call];
    if (recorded > 0 && !step.isCounterfactual && std::abs(step.tokens - recorded) < 0.5)
        return { recorded, Basis::Exact, 0 };
    return { step.tokens, replay.ground->tokens->basis, replay.ground->tokens->error };
}

std::string messageSentence(const Regret &regret)
{
    const size_t standing = regret.typedMessages - regret.lostMessages.size();
    return std::format("{} of {} in context at the end", standing, counted(regret.typedMessages, "user message"));
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
    if (!hasStageOn(*replay.policy))
        return std::string(kNoStage);
    const QuietActs acts = replay.quietActs();
    const std::string quietly = acts.blocks == 0
        ? std::string()
        : std::format("changed {} over {}, first at call {}", counted(acts.blocks, "block"),
              counted(acts.calls, "call"), groupedNumber(acts.firstCall));
    const std::string calls = firingCalls(replay);
    if (calls.empty() && !waitsForTrigger(*replay.policy))
        return "acts without a trigger: " + (quietly.empty() ? "found nothing to change" : quietly);
    std::string sentence = calls;
    if (calls.empty()) {
        const size_t last = std::max<size_t>(replay.callCount(), 1) - 1;
        sentence = "never fires: " + replay.steps[last].decision.sentence() + " at the last call";
    }
    return quietly.empty() ? sentence : sentence + "; without a trigger " + quietly;
}

std::string decisionSentence(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    if (!hasStageOn(*replay.policy))
        return std::string(kNoStage);
    const std::string quietly = step.changedBlocks == 0 ? "" : "changed " + counted(step.changedBlocks, "block");
    if (!waitsForTrigger(*replay.policy) && !step.hasFired)
        return quietly.empty() ? "no trigger, and nothing new to change" : "acted without a trigger: " + quietly;
    std::string sentence = step.hasFired ? "acted: "
        : step.decision.isReached        ? "triggered, nothing to change: "
                                         : "waits: ";
    sentence += step.decision.sentence();
    return quietly.empty() ? sentence : sentence + "; without a trigger " + quietly;
}

std::string assumptionSentence(const ReplayGround &ground)
{
    return std::format("summaries that nobody wrote are taken to be ~{} tokens ({})",
        groupedNumber(static_cast<uint64_t>(std::llround(ground.summaryTokens))),
        ground.isSummaryMedian ? "the median of the recorded ones" : "a flat assumption");
}

} // namespace core
