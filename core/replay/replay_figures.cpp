// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_figures.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/rounded_parts.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/texts.h"
#include "core/replay/worker_figures.h"
#include "core/session/earlier_messages.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace core {

namespace {

/// `acts before calls 75, 177`; empty if no trigger was ever reached.
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
    return formatted("acts before {} {}{}", count == 1 ? "call" : "calls", calls,
        count > kMost ? formatted(" and {} more", count - kMost) : "");
}

/// Compares the calls of the thread that have usage and a price. `computed` has all its calls, in order.
RecordedBill billOf(const SessionCost &recorded, ThreadIndex thread, const ReplayCost &computed)
{
    std::vector<double> costs;
    for (const RunCall &call : computed.run) {
        if (!call.isSummary)
            costs.push_back(call.cost());
    }
    RecordedBill bill;
    bill.callCount = costs.size();
    for (const CallCost &call : recorded.calls) {
        if (call.position.thread != thread || !call.recorded)
            continue;
        ++bill.calls;
        bill.recorded += *call.recorded;
        bill.computed += costs[call.position.call.index()];
    }
    return bill;
}

/// The computed prompt of a call; exact if it is the recorded one.
TokenFigure promptOf(const ReplayGround &ground, size_t call, double tokens)
{
    const double recorded = ground.recorded[call];
    if (recorded > 0 && std::abs(tokens - recorded) < 0.5)
        return { recorded, Basis::Exact, 0 };
    return { tokens, ground.tokens->basis, ground.tokens->error };
}

double weightOf(const ReplayGround &ground, const BlockRanges &array)
{
    double weight = 0;
    array.forEach([&](BlockId id) { weight += ground.tokens->of(id); });
    return weight;
}

RecordedPrompts recordedPrompts(const ReplayGround &ground, const ReplayCost &computed)
{
    RecordedPrompts prompts;
    for (const RunCall &call : computed.run) {
        if (call.isSummary)
            continue;
        const size_t index = prompts.calls.size();
        const TokenFigure prompt = promptOf(ground, index, call.tokens.prompt());
        prompts.calls.push_back(prompt);
        prompts.computed.add(prompt);
        if (ground.recorded[index] > 0)
            prompts.byUsage.add({ ground.recorded[index], Basis::Exact, 0 });
    }
    if (prompts.calls.empty())
        return prompts;
    const Thread &thread = ground.session().thread(ground.log.thread);
    const double grown = weightOf(ground, thread.end) - weightOf(ground, thread.calls.back().input);
    prompts.end = { prompts.calls.back().value + grown, ground.tokens->basis, ground.tokens->error };
    return prompts;
}

constexpr auto kPartNames = std::to_array<std::string_view>(
    { "context resent", "rewrites by compaction", "rewrites by idling", "summary calls", "fetching again" });

/// In cents, in the order of the names. They add up to the cents of the total.
std::vector<long long> centsOf(const CostParts &parts)
{
    std::vector<double> cents;
    for (const double dollars :
        { parts.resent, parts.compactionRewrites, parts.idleRewrites, parts.summaries, parts.refetched })
        cents.push_back(dollars * 100);
    return roundedParts(cents);
}

} // namespace

std::optional<double> RecordedBill::errorShare() const
{
    return recorded > 0 ? std::optional(error() / recorded) : std::nullopt;
}

std::string RecordedBill::sentence() const
{
    if (!isKnown())
        return {};
    std::string text = formatted("{} by usage for {} of {}; Palimpsest computes {}", dollars(recorded),
        groupedNumber(calls), counted(callCount, "call"), dollars(computed));
    const double size = std::abs(error());
    if (size < 1e-9)
        return text;
    const auto share = errorShare();
    return text + ", " + (share ? formatted("{:.1f} %", std::abs(*share) * 100) : dollars(size))
        + (error() < 0 ? " less" : " more");
}

RecordedBill &RecordedBill::operator+=(const RecordedBill &other)
{
    recorded += other.recorded;
    computed += other.computed;
    calls += other.calls;
    callCount += other.callCount;
    return *this;
}

void PromptSums::add(TokenFigure prompt)
{
    const double tokens = sum.value + prompt.value;
    if (prompt.basis != Basis::Exact)
        sum = prompt;
    sum.value = tokens;
    if (prompt.value > peak.value)
        peak = prompt;
    ++calls;
}

bool RecordedPrompts::isAsRecorded() const
{
    return byUsage.calls == computed.calls && std::abs(byUsage.sum.value - computed.sum.value) < 0.5;
}

std::string RecordedPrompts::sentence() const
{
    if (isAsRecorded() || byUsage.calls == 0)
        return {};
    return formatted("{} tokens by usage for {} of {}; Palimpsest computes {}{}", shown(byUsage.sum),
        groupedNumber(byUsage.calls), counted(computed.calls, "call"), shown(computed.sum),
        forAll(byUsage.calls, computed.calls));
}

std::string RecordedFigures::missSentence() const
{
    if (computed.rule.empty() && run.readTokens > 0)
        return formatted("the recorded run read {:.1f} % of its prompts from a cache that Palimpsest cannot compute; "
                         "computed costs are without it",
            run.hitShare() * 100);
    return misses.explain(bill.error()) ? misses.sentence() : std::string();
}

std::string forCalls(size_t calls, size_t all)
{
    return calls < all ? formatted(" for {} of {}", groupedNumber(calls), counted(all, "call")) : std::string();
}

std::string forAll(size_t calls, size_t all)
{
    return calls < all ? formatted(" for all {}", groupedNumber(all)) : std::string();
}

std::optional<CostParts> costDifference(const ReplayCost &run, const RecordedFigures &recorded)
{
    if (!run.isPriced() || !recorded.bill.isKnown())
        return std::nullopt;
    return difference(run.parts, recorded.computed.parts);
}

namespace {

/// ` for these calls, and $4.30 with the other calls and the requests for summaries`: the cost that policies are
/// compared with, if the bill covers less.
std::string comparedMoney(const RecordedFigures &recorded)
{
    const CostParts &parts = recorded.computed.parts;
    const std::string all = dollars(parts.total());
    if (all == dollars(recorded.bill.computed))
        return {};
    const bool hasOthers = recorded.bill.calls < recorded.bill.callCount;
    if (parts.summaries <= 0)
        return (hasOthers ? " for these calls, and " : ", and ") + all + " for all calls";
    return (hasOthers ? " for these calls, and " + all + " with the other calls and" : ", and " + all + " with")
        + " the requests for summaries";
}

} // namespace

std::string recordedMoney(const RecordedFigures &recorded)
{
    const RecordedBill &bill = recorded.bill;
    if (!bill.isKnown())
        return recorded.computed.isPriced() ? "computed " + dollars(recorded.computed.parts.total()) : std::string();
    return formatted("{} by usage{}{} · computed {}{}", dollars(bill.recorded), forCalls(bill.calls, bill.callCount),
        recorded.partialOutput.matters() ? ", which counts only a part of the output" : "", dollars(bill.computed),
        comparedMoney(recorded));
}

std::string computedMoney(const RecordedFigures &recorded)
{
    if (!recorded.computed.isPriced())
        return {};
    const RecordedBill &bill = recorded.bill;
    const std::string cost = "~" + dollars(recorded.computed.parts.total());
    return bill.isKnown()
        ? formatted("{} (by usage {}{})", cost, dollars(bill.recorded), forCalls(bill.calls, bill.callCount))
        : cost;
}

RecordedFiguresPtr recordedFigures(const ReplayGroundPtr &ground, const Prices &prices, const ReplayOptions &options)
{
    const Session &session = ground->session();
    auto figures = std::make_shared<RecordedFigures>();
    figures->ground = ground;
    figures->cache = recordedCache(session, *ground->tokens);
    figures->sessionCost = recordedCost(session, figures->cache, prices);
    figures->byThread = costByThread(session, ground->log.thread, figures->sessionCost);
    figures->run = recordedRunCost(session, ground->log.thread, figures->cache, prices);
    const ReplayPtr none = replay(ground, preset("none"), options);
    if (!none)
        return nullptr;
    const Thread &thread = session.thread(ground->log.thread);
    figures->compactions = thread.compactions.size()
        - static_cast<size_t>(
            std::ranges::count(thread.compactions, CompactionKind::Rollback, &RecordedCompaction::kind));
    figures->silentClearings = ground->sums->clearings.size();
    figures->costs = costGround(*ground, figures->cache, prices);
    figures->none = replayCost(*none, *figures->costs, nullptr);
    figures->computed = recordedArraysCost(*none, *figures->costs);
    figures->partialOutput = partialOutput(*ground, *figures->costs);
    figures->speed = outputSpeed(*ground);
    figures->prompts = recordedPrompts(*ground, figures->computed);
    figures->bill = billOf(figures->sessionCost, ground->log.thread, figures->computed);
    figures->misses = cacheMisses(figures->run.run, figures->computed.run);
    return figures;
}

PolicyFiguresPtr policyFigures(const ReplayPtr &replay, const RecordedFigures &recorded, const Uses *uses)
{
    const ReplayGround &ground = *replay->ground;
    auto figures = std::make_shared<PolicyFigures>();
    figures->replay = replay;
    if (uses != nullptr)
        figures->regret
            = regretOf(ground.session(), *uses, replay->spans, *ground.tokens, *ground.sums, RegretWorld::Simulated);
    figures->cost = replayCost(*replay, *recorded.costs, figures->regret ? &*figures->regret : nullptr);
    figures->payBack = firstPayBack(*replay, figures->cost, recorded.none);
    if (figures->payBack)
        figures->payBack->isLostAgain
            = figures->payBack->after && figures->cost.parts.total() > recorded.none.parts.total();
    figures->difference = costDifference(figures->cost, recorded);
    return figures;
}

PolicyFiguresPtr replayedFigures(const PolicyPtr &policy, const RecordedFigures &recorded, const Uses *uses,
    ReplayOptions options, Progress &progress)
{
    options.progress = &progress;
    const ReplayPtr made = replay(recorded.ground, policy, options);
    return made ? policyFigures(made, recorded, uses) : nullptr;
}

std::string lossSentence(const Regret &regret, const BlockTokens &tokens)
{
    const FateCounts counts = regret.of();
    const size_t lost = counts[UseFate::Lost];
    if (counts.all() == 0)
        return "no uses of earlier text";
    std::string words = formatted("loses {} of {} ({:.1f} %)", lost, counted(counts.all(), "use"),
        100.0 * static_cast<double>(lost) / static_cast<double>(counts.all()));
    if (const size_t unknown = counts[UseFate::Unknown]; unknown > 0)
        words += formatted(", {} unknown", unknown);
    if (lost > 0)
        words += " · " + shown({ regret.fetchTokens(), tokens.basis, tokens.error }) + " tokens to fetch again";
    return words;
}

TokenFigure promptFigure(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    if (!step.isCounterfactual)
        return promptOf(*replay.ground, call, step.tokens);
    return { step.tokens, replay.ground->tokens->basis, replay.ground->tokens->error };
}

RefusedCalls refusedCalls(const Replay &replay)
{
    const ReplayGround &ground = *replay.ground;
    RefusedCalls refused;
    refused.torn = replay.torn();
    refused.window = static_cast<double>(ground.session().windowTokens.value_or(0));
    if (std::ranges::any_of(ground.recorded, [&](double prompt) { return prompt > refused.window; }))
        refused.window = 0;
    for (uint32_t call = 0; refused.window > 0 && call < replay.callCount(); ++call) {
        if (promptFigure(replay, call).value > refused.window)
            refused.aboveWindow.push_back(call);
    }
    return refused;
}

std::string midwaySentence(const ReplayGround &ground)
{
    if (!beginsMidway(ground.session(), ground.log.thread))
        return {};
    return "the file begins in the middle of a session. Its earlier messages are not in it, so no policy can remove "
           "them: tokens and costs of all policies are too high";
}

std::string refusalSentence(const RefusedCalls &refused)
{
    std::string sentence;
    if (!refused.aboveWindow.empty())
        sentence = formatted("a provider would refuse {} with prompts above the window of {} tokens, first at call {}",
            counted(refused.aboveWindow.size(), "call"), groupedNumber(static_cast<uint64_t>(refused.window)),
            groupedNumber(refused.aboveWindow.front()));
    if (refused.torn > 0)
        sentence += (sentence.empty() ? "a provider would refuse " : "; ") + counted(refused.torn, "call")
            + " with a tool result that has no tool call";
    return sentence;
}

ArraySum promptSum(const Replay &replay, size_t step, double slots, double unsure)
{
    const ReplayGround &ground = *replay.ground;
    const size_t first = ground.log.firstCounterfactual;
    const CallIndex like(std::min(step, std::max<size_t>(1, first) - 1));
    ArraySum sum = ground.sums->at({ ground.log.thread, like }).withSlots(slots, *ground.tokens);
    if (first == 0) // no call was sent this log: of what was beside its array only the prelude is known
        sum.unlogged = sum.framing = sum.remainder = 0;
    sum.notSent = ground.unsentAt(step).of(unsure);
    sum.remainder += replay.steps[step].tokens - sum.value();
    return sum;
}

PromptSums promptSums(const Replay &replay, size_t count)
{
    PromptSums sums;
    for (size_t call = 0; call < count; ++call)
        sums.add(promptFigure(replay, call));
    return sums;
}

std::string messageSentence(const Regret &regret)
{
    const size_t standing = regret.typedMessages - regret.lostMessages.size();
    return formatted("{} of {} in context at the end", standing, counted(regret.typedMessages, "user message"));
}

std::string savingSentence(const CostParts &difference)
{
    const double total = difference.total();
    std::string text = std::abs(total) < 1e-9
        ? std::string("computed in the same way, the policy costs as much as the recorded run")
        : formatted("computed in the same way, the policy costs {} {} than the recorded run", dollars(std::abs(total)),
              total < 0 ? "less" : "more");
    const std::vector<long long> cents = centsOf(difference);
    char separator = ':';
    for (size_t i = 0; i < cents.size(); ++i) {
        if (cents[i] != 0)
            text += formatted("{} {} {}{}", std::exchange(separator, ','), kPartNames[i], cents[i] < 0 ? "−" : "+",
                dollars(std::abs(static_cast<double>(cents[i])) / 100));
    }
    return text;
}

namespace {

std::string secondsText(double seconds) { return formatted("~{:.{}f} s", seconds, seconds < 10 ? 1 : 0); }

std::string extraWords(const ExtraCalls &extra, std::string_view purpose)
{
    const auto tokens = [](double value) { return shown({ value, Basis::Estimated, 0 }); };
    return formatted("{} for {}: {} tokens sent, {} written{}", counted(extra.count, "extra call"), purpose,
        tokens(extra.tokens.prompt()), tokens(extra.tokens.output), extra.cost ? ", " + dollars(*extra.cost) : "");
}

/// The user waits for a summary; recorded speeds say how long.
std::string waitingSentence(const ExtraCalls &summaries, const OutputSpeed &speed)
{
    const auto seconds = speed.secondsFor(summaries.tokens.output);
    if (!seconds)
        return "How long the user waits is not known: the session records no time for an answer of 100 tokens or more";
    return formatted("The user waits {}{}: {:.1f} tokens a second, the median of {}", secondsText(*seconds),
        summaries.count > 1
            ? formatted(" in all, {} for each", secondsText(*seconds / static_cast<double>(summaries.count)))
            : "",
        speed.tokensPerSecond, counted(speed.calls, "recorded call"));
}

} // namespace

std::vector<std::string> extraCallSentences(const PolicyFigures &policy, const OutputSpeed &speed)
{
    std::vector<std::string> sentences;
    const ExtraCalls summaries = extraCalls(policy.cost, ExtraCall::Summary);
    if (summaries.count > 0)
        sentences.push_back(extraWords(summaries, "summaries") + ". " + waitingSentence(summaries, speed));
    const ExtraCalls ofWorker = extraCalls(policy.cost, ExtraCall::WorkerSummary);
    if (ofWorker.count > 0)
        sentences.push_back(
            extraWords(ofWorker, "summaries") + ". Nobody waits for them: a worker runs beside the session");
    const ExtraCalls entries = extraCalls(policy.cost, ExtraCall::LogEntry);
    if (entries.count > 0)
        sentences.push_back(extraWords(entries, "entries of the log, of an assumed size")
            + ". Nobody waits for them: they run beside the session");
    const bool hasLog = std::ranges::any_of(policy.replay->steps, &ReplayStep::isLog);
    if (hasLog && entries.count == 0)
        sentences.emplace_back("0 extra calls for the log: the harness writes it itself, and nobody waits");
    return sentences;
}

namespace {

std::string compactionWords(size_t summaries, size_t clearings)
{
    std::string words;
    if (summaries > 0)
        words = groupedNumber(summaries) + (summaries == 1 ? " summary" : " summaries");
    if (clearings > 0)
        words += std::string(words.empty() ? "" : ", ") + counted(clearings, "clearing");
    return words.empty() ? "no compaction" : words;
}

} // namespace

std::string compactionWords(const Replay &replay)
{
    const std::vector<ContextRewrite> rewrites = rewritesOf(replay);
    const auto summaries
        = static_cast<size_t>(std::ranges::count(rewrites, CompactionKind::Summary, &ContextRewrite::kind));
    return compactionWords(summaries, rewrites.size() - summaries);
}

std::string compactionWords(const RecordedFigures &recorded)
{
    const auto &compactions = recorded.ground->session().thread(recorded.ground->log.thread).compactions;
    const auto clearings
        = static_cast<size_t>(std::ranges::count(compactions, CompactionKind::Clearing, &RecordedCompaction::kind));
    std::string words = compactionWords(recorded.compactions - clearings, clearings);
    if (recorded.silentClearings == 0)
        return words;
    const std::string silent = counted(recorded.silentClearings, "silent clearing");
    return recorded.compactions == 0 ? silent : words + ", " + silent;
}

std::string firingSentence(const Replay &replay)
{
    if (!hasStageOn(*replay.policy))
        return std::string(kNoStage);
    const QuietActs acts = replay.quietActs();
    const std::string quietly = acts.blocks == 0
        ? std::string()
        : formatted("changed {} over {}, first at call {}", counted(acts.blocks, "block"), counted(acts.calls, "call"),
              groupedNumber(acts.firstCall));
    const std::string calls = firingCalls(replay);
    const bool adds = std::ranges::any_of(
        replay.policy->stages, [](const StageSpec &spec) { return spec.isEnabled && injects(spec); });
    if (calls.empty() && !waitsForTrigger(*replay.policy) && quietly.empty())
        return adds ? "adds text and removes nothing" : "acts without a trigger: found nothing to change";
    if (calls.empty() && !waitsForTrigger(*replay.policy))
        return "acts without a trigger: " + quietly;
    std::string sentence = calls;
    if (calls.empty()) {
        const size_t last = std::max<size_t>(replay.callCount(), 1) - 1;
        sentence = "never acts: " + replay.steps[last].decision.sentence() + " at the last call";
    }
    return quietly.empty() ? sentence : sentence + "; the stages without a trigger " + quietly;
}

std::string decisionSentence(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    if (!hasStageOn(*replay.policy))
        return std::string(kNoStage);
    const std::string quietly = step.changedBlocks == 0 ? "" : "changed " + counted(step.changedBlocks, "block");
    if (!waitsForTrigger(*replay.policy) && !step.hasFired)
        return quietly.empty() ? "no trigger, and nothing new to change" : "acted without a trigger: " + quietly;
    const std::string deed = workerDeed(replay, call);
    std::string sentence = !deed.empty() ? deed + "; "
        : step.hasFired                  ? "acted: "
        : step.decision.isReached        ? "triggered, nothing to change: "
                                         : "waits: ";
    sentence += step.decision.sentence();
    return quietly.empty() ? sentence : sentence + "; the stages without a trigger " + quietly;
}

} // namespace core
