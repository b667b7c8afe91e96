// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/replay_report.h"

#include "core/base/visible.h"
#include "core/compaction/texts.h"
#include "core/report/document_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <format>

namespace core {

namespace {

constexpr size_t kCurveColumns = 60;
constexpr size_t kNameColumns = 26;

const SessionPtr &sessionOf(const ReplayReport &report) { return report.ground->log.session; }

size_t compactionCount(const Session &session, ThreadIndex thread)
{
    return static_cast<size_t>(std::ranges::count_if(session.thread(thread).compactions,
        [](const RecordedCompaction &each) { return each.kind != CompactionKind::Rollback; }));
}

std::optional<double> costOf(const ReplayCost &cost)
{
    return cost.isPriced() ? std::optional(cost.parts.total()) : std::nullopt;
}

std::string nameOf(const PolicyReplay &policy)
{
    return policy.replay->policy->id.empty() ? policy.replay->policy->name : policy.replay->policy->id;
}

// --- JSON ----------------------------------------------------------------------------------------------------------

template <typename T>
Json orNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json recordedTokens(double tokens) { return tokens > 0 ? Json(std::llround(tokens)) : Json(nullptr); }

Json partsJson(const CostParts &parts)
{
    return { { "context_resent", parts.resent }, { "compaction_rewrites", parts.compactionRewrites },
        { "idle_rewrites", parts.idleRewrites }, { "summary_calls", parts.summaries },
        { "fetching_again", parts.refetched } };
}

Json fatesJson(const FateCounts &counts)
{
    Json json;
    for (size_t i = 0; i < counts.counts.size(); ++i)
        json[std::string(core::nameOf(static_cast<UseFate>(i)))] = counts.counts[i];
    return json;
}

void addRegret(Json &totals, const Regret &regret, Basis basis)
{
    const FateCounts counts = regret.of();
    totals["lost_uses"] = counts[UseFate::Lost];
    totals["uses"] = counts.all();
    totals["uses_by_fate"] = fatesJson(counts);
    totals["refetch_tokens"] = tokensJson(regret.fetchTokens, basis);
    totals["lost_user_messages"] = regret.lostMessages.size();
    totals["user_messages"] = regret.typedMessages;
}

void addCost(Json &totals, const ReplayCost &cost)
{
    totals["cost"] = orNull(costOf(cost));
    totals["unpriced_calls"] = cost.unpricedCalls;
    totals["cost_parts"] = cost.isPriced() ? partsJson(cost.parts) : Json(nullptr);
    totals["cache_hit_share"] = cost.rule.empty() ? Json(nullptr) : Json(cost.hitShare());
}

Json recordedJson(const ReplayReport &report)
{
    const ReplayGround &ground = *report.ground;
    Json run { { "name", "recorded" }, { "policy", nullptr } };
    run["calls"] = Json::array();
    double peak = 0;
    double sum = 0;
    for (size_t i = 0; i < ground.callCount(); ++i) {
        const double recorded = ground.recorded[i];
        peak = std::max(peak, recorded);
        sum += recorded;
        run["calls"].push_back({ { "call", i }, { "recorded_tokens", recordedTokens(recorded) } });
    }
    for (const CallCost &call : report.sessionCost.calls) {
        if (call.position.thread != ground.log.thread || !call.position.call.isValid())
            continue;
        Json &entry = run["calls"][call.position.call.index()];
        entry["cost"] = orNull(call.recorded);
        entry["computed_cost"] = orNull(call.computed);
    }
    for (const RecordedCacheCall &call : report.recordedCache.calls) {
        if (call.position.thread != ground.log.thread || !call.position.call.isValid())
            continue;
        Json &entry = run["calls"][call.position.call.index()];
        entry["cache_read_tokens"] = call.usage.cacheRead;
        entry["predicted_cache_read_tokens"] = std::llround(call.predicted.read);
        entry["cache_cause"] = core::nameOf(call.found);
    }
    Json totals { { "tokens", tokensJson(sum, Basis::Exact) }, { "peak", tokensJson(peak, Basis::Exact) },
        { "compactions", compactionCount(*sessionOf(report), ground.log.thread) } };
    addCost(totals, report.recordedRun);
    addRegret(totals, report.recordedRegret, ground.tokens->basis);
    // A summary may hold them word for word.
    totals["lost_user_messages"] = report.recordedMessages.all - report.recordedMessages.standing;
    totals["user_messages"] = report.recordedMessages.all;
    run["totals"] = std::move(totals);
    return run;
}

Json sumsJson(const ReplaySums &sums, Basis basis)
{
    return { { "calls", sums.calls }, { "tokens", tokensJson(sums.tokens, basis) },
        { "peak", tokensJson(sums.peak, basis) }, { "compactions", sums.compactions } };
}

Json callJson(const ReplayReport &report, const PolicyReplay &policy, size_t index)
{
    const ReplayStep &step = policy.replay->steps[index];
    const Basis basis = report.ground->tokens->basis;
    Json call { { "call", index } };
    call["recorded_tokens"] = recordedTokens(report.ground->recorded[index]);
    call["tokens"] = tokensJson(step.tokens, basis);
    call["array_tokens"] = tokensJson(step.arrayTokens, basis);
    call["messages"] = step.messageCount;
    call["counterfactual"] = step.isCounterfactual;
    call["fired"] = step.hasFired;
    call["reason"] = step.decision.sentence();
    call["unchanged_tokens"] = tokensJson(step.unchangedTokens, basis);
    call["summary_tokens"] = step.writtenSummary > 0 ? tokensJson(step.writtenSummary, basis) : Json(nullptr);
    const ReplayCallCost &cost = policy.cost.calls[index];
    const bool hasModel = !policy.cost.rule.empty();
    call["cache_read_tokens"] = hasModel ? Json(std::llround(cost.cache.read)) : Json(nullptr);
    call["cache_cause"] = hasModel ? Json(core::nameOf(cost.cache.cause)) : Json(nullptr);
    call["cost"] = orNull(cost.cost);
    return call;
}

Json policyJson(const ReplayReport &report, const PolicyReplay &policy)
{
    const Replay &replay = *policy.replay;
    const Basis basis = report.ground->tokens->basis;
    Json run { { "name", nameOf(policy) }, { "policy", parseJson(replay.policy->document) } };
    run["calls"] = Json::array();
    for (size_t i = 0; i < replay.callCount(); ++i)
        run["calls"].push_back(callJson(report, policy, i));
    Json totals { { "tokens", tokensJson(replay.totalTokens(), basis) }, { "peak", tokensJson(replay.peak(), basis) },
        { "compactions", replay.compactions() } };
    addCost(totals, policy.cost);
    addRegret(totals, policy.regret, basis);
    totals["recorded_world"] = sumsJson(replay.recordedWorld, basis);
    totals["counterfactual"] = sumsJson(replay.counterfactual, basis);
    totals["saved_against_recorded"] = policy.cost.isPriced() ? partsJson(policy.saved) : Json(nullptr);
    totals["pay_back"] = policy.payBack ? Json(policy.payBack->sentence()) : Json(nullptr);
    run["totals"] = std::move(totals);
    run["summaries_assumed"] = replay.isSummaryAssumed;
    return run;
}

// --- the terminal --------------------------------------------------------------------------------------------------

/// The largest of the values that fall into each column, as bars of eight steps.
std::string curve(const std::vector<double> &values, double most)
{
    static constexpr std::array<std::string_view, 9> kBars { " ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    const size_t columns = std::min(values.size(), kCurveColumns);
    std::vector<double> largest(columns, 0);
    for (size_t i = 0; i < values.size(); ++i)
        largest[i * columns / values.size()] = std::max(largest[i * columns / values.size()], values[i]);
    std::string text;
    for (const double value : largest) {
        const double share = most > 0 ? std::clamp(value / most, 0.0, 1.0) : 0;
        text += kBars[value > 0 ? std::max<size_t>(1, static_cast<size_t>(std::ceil(share * 8))) : 0];
    }
    return text + std::string(kCurveColumns - columns, ' ');
}

std::string money(const ReplayCost &cost)
{
    if (!cost.isPriced())
        return "no price";
    return dollars(cost.parts.total()) + (cost.unpricedCalls > 0 ? " in part" : "");
}

std::string runLine(std::string_view name, const std::vector<double> &prompts, double most, Basis basis)
{
    double sum = 0;
    double peak = 0;
    for (const double each : prompts) {
        sum += each;
        peak = std::max(peak, each);
    }
    const std::string label = fitted(visibleText(name), kNameColumns - 1);
    return label + std::string(kNameColumns - columnsOf(label), ' ') + curve(prompts, most)
        + std::format("  peak {:>7}  sent {:>7}", shown({ peak, basis, 0 }), shown({ sum, basis, 0 }));
}

std::string cacheWords(const ReplayCost &cost)
{
    return cost.rule.empty() ? "no model of this cache"
                             : std::format("{:.1f} % read from the cache", cost.hitShare() * 100);
}

std::string lossWords(const Regret &regret, Basis basis)
{
    const FateCounts counts = regret.of();
    const size_t lost = counts[UseFate::Lost];
    if (counts.all() == 0)
        return "no later uses of earlier text";
    std::string words = std::format("loses {} of {} later uses ({:.1f} %)", lost, counts.all(),
        100.0 * static_cast<double>(lost) / static_cast<double>(counts.all()));
    if (lost > 0)
        words += " · " + shown({ regret.fetchTokens, basis, 0 }) + " tokens to fetch again";
    return words;
}

std::string messageWords(const Regret &regret)
{
    const size_t standing = regret.typedMessages - regret.lostMessages.size();
    return std::format("{} of {} user messages in context at the end", standing, regret.typedMessages);
}

std::string firedWords(const Replay &replay)
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

std::string partsWords(const CostParts &saved)
{
    const auto part = [](std::string_view name, double amount) {
        return std::abs(amount) < 0.005
            ? std::string()
            : std::format(", {} {}{}", name, amount < 0 ? "−" : "+", dollars(std::abs(amount)));
    };
    const std::string parts = part("context resent", saved.resent)
        + part("rewrites by compaction", saved.compactionRewrites) + part("rewrites by idling", saved.idleRewrites)
        + part("summary calls", saved.summaries) + part("fetching again", saved.refetched);
    return std::format(
        "costs {} {} than recorded{}", dollars(std::abs(saved.total())), saved.total() < 0 ? "less" : "more", parts);
}

std::vector<double> promptsOf(const Replay &replay)
{
    std::vector<double> prompts;
    for (size_t i = 0; i < replay.callCount(); ++i)
        prompts.push_back(replay.steps[i].tokens);
    return prompts;
}

std::string policyText(const ReplayReport &report, const PolicyReplay &policy, double most)
{
    const Replay &replay = *policy.replay;
    const Basis basis = report.ground->tokens->basis;
    std::string text = runLine(nameOf(policy), promptsOf(replay), most, basis);
    text += std::format("  {}  {}\n", money(policy.cost), cacheWords(policy.cost));
    const auto add = [&text](const std::string &sentence) { text += "    " + sentence + "\n"; };
    add(firedWords(replay));
    if (replay.isSummaryAssumed)
        add(std::format("summaries that nobody wrote are taken to be ~{} tokens ({})",
            groupedNumber(static_cast<uint64_t>(std::llround(report.ground->summaryTokens))),
            report.ground->isSummaryMedian ? "the median of the recorded ones" : "a flat assumption"));
    add(lossWords(policy.regret, basis) + "; " + messageWords(policy.regret));
    if (policy.cost.isPriced() && report.recordedRun.isPriced())
        add(partsWords(policy.saved));
    if (policy.payBack)
        add("the first compaction " + policy.payBack->sentence());
    return text;
}

} // namespace

std::optional<ReplayReport> replayReport(std::string file, const SessionPtr &session, ThreadIndex thread,
    const BlockTokensPtr &tokens, const std::vector<PolicyPtr> &policies, const Prices &prices,
    const ReplayOptions &options)
{
    ReplayReport report;
    report.file = std::move(file);
    report.session = session;
    report.ground = replayGround(session, thread, tokens);
    auto uses = findUses(*session, thread, {}, options.progress);
    if (!uses)
        return std::nullopt;
    report.uses = std::move(*uses);
    report.recordedCache = recordedCache(*session, *tokens);
    report.sessionCost = recordedCost(*session, report.recordedCache, prices);
    report.recordedRun = recordedRunCost(*session, thread, report.recordedCache, prices);
    const ContextSpans spans = recordedSpans(session, thread);
    report.recordedRegret = regretOf(*session, report.uses, spans, *tokens, RegretWorld::Recorded);
    const auto traces = tracedUserMessages(spans, {}, options.progress);
    if (!traces)
        return std::nullopt;
    report.recordedMessages = inContextAt(*traces, spans.callCount);
    report.priceDate = prices.date();
    const ReplayPtr none = replay(report.ground, preset("none"), options);
    if (!none)
        return std::nullopt;
    const ReplayCost noneCost = replayCost(*none, report.recordedCache, prices, nullptr, nullptr);
    for (const PolicyPtr &policy : policies) {
        PolicyReplay made;
        made.replay = replay(report.ground, policy, options);
        if (!made.replay)
            return std::nullopt;
        made.regret = regretOf(*session, report.uses, made.replay->spans, *tokens, RegretWorld::Simulated);
        made.cost = replayCost(*made.replay, report.recordedCache, prices, &report.uses, &made.regret);
        made.payBack = firstPayBack(*made.replay, made.cost, noneCost);
        made.saved = difference(made.cost.parts, report.recordedRun.parts);
        report.policies.push_back(std::move(made));
    }
    return report;
}

Json replayJson(const ReplayReport &report)
{
    const ReplayGround &ground = *report.ground;
    Json document { { "schema", "palimpsest.replay/1" }, { "file", report.file },
        { "thread", ground.log.thread.value() }, { "call_count", ground.callCount() } };
    const bool hasCounterfactual = ground.log.firstCounterfactual < ground.callCount();
    document["counterfactual_from"] = hasCounterfactual ? Json(ground.log.firstCounterfactual) : Json(nullptr);
    document["assumed_summary"] = { { "tokens", tokensJson(ground.summaryTokens, Basis::Estimated) },
        { "from", ground.isSummaryMedian ? "median of the recorded summaries" : "assumption" } };
    document["uses"] = kHeadlineUsesName;
    document["prices_of"] = report.priceDate;
    document["cache_rule"] = report.recordedCache.rule.empty() ? Json(nullptr) : Json(report.recordedCache.rule);
    document["policies"] = Json::array({ recordedJson(report) });
    for (const PolicyReplay &policy : report.policies)
        document["policies"].push_back(policyJson(report, policy));
    return document;
}

std::string replayCsv(const ReplayReport &report)
{
    std::string text = "call,recorded_tokens,counterfactual";
    for (const PolicyReplay &policy : report.policies) {
        const std::string name = nameOf(policy);
        for (const std::string_view column : { "tokens", "fired", "cache_read_tokens", "cost" })
            text += std::format(",{}", csvField(std::format("{} {}", name, column)));
    }
    text += '\n';
    for (size_t i = 0; i < report.ground->callCount(); ++i) {
        const double recorded = report.ground->recorded[i];
        text += std::format("{},{},{}", i, recorded > 0 ? std::to_string(std::llround(recorded)) : std::string(),
            i >= report.ground->log.firstCounterfactual ? 1 : 0);
        for (const PolicyReplay &policy : report.policies) {
            const ReplayStep &step = policy.replay->steps[i];
            const ReplayCallCost &cost = policy.cost.calls[i];
            text += std::format(",{},{},{},{}", std::llround(step.tokens), step.hasFired ? 1 : 0,
                policy.cost.rule.empty() ? std::string() : std::to_string(std::llround(cost.cache.read)),
                cost.cost ? std::format("{:.6f}", *cost.cost) : std::string());
        }
        text += '\n';
    }
    return text;
}

std::string drawReplay(const ReplayReport &report)
{
    const ReplayGround &ground = *report.ground;
    double most = 0;
    for (const double each : ground.recorded)
        most = std::max(most, each);
    for (const PolicyReplay &policy : report.policies)
        most = std::max(most, policy.replay->peak());
    std::string text = std::format("{}: {} calls", visibleText(report.file), groupedNumber(ground.callCount()));
    if (ground.log.firstCounterfactual < ground.callCount())
        text += std::format(
            ", counterfactual from call {} on, behind the first recorded compaction", ground.log.firstCounterfactual);
    text += "\n\n";
    std::vector<double> recorded(ground.recorded.begin(), ground.recorded.end() - 1);
    text += runLine("recorded", recorded, most, Basis::Exact);
    text += std::format("  {}  {}\n", money(report.recordedRun), cacheWords(report.recordedRun));
    text += std::format("    {} of {} user messages in context at the end\n", report.recordedMessages.standing,
        report.recordedMessages.all);
    if (!report.sessionCost.calls.empty())
        text += "    of the whole session: " + report.sessionCost.sentence() + "\n";
    for (const PolicyReplay &policy : report.policies)
        text += "\n" + policyText(report, policy, most);
    text += std::format("\nUses counted: {}. Prices of {}.\n", kHeadlineUsesName, report.priceDate);
    return text;
}

} // namespace core
