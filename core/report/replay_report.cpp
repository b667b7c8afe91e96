// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/replay_report.h"

#include "core/base/format.h"
#include "core/base/rounded_parts.h"
#include "core/base/visible.h"
#include "core/compaction/policy_run.h"
#include "core/compaction/texts.h"
#include "core/report/document_parts.h"
#include "core/report/worker_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

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

std::string nameOf(const PolicyFigures &policy)
{
    return policy.replay->policy->id.empty() ? policy.replay->policy->name : policy.replay->policy->id;
}

std::vector<double> promptsOf(const Replay &replay)
{
    std::vector<double> prompts;
    for (size_t i = 0; i < replay.callCount(); ++i)
        prompts.push_back(replay.steps[i].tokens);
    return prompts;
}

// --- JSON ----------------------------------------------------------------------------------------------------------

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
    totals["refetch_tokens"] = figureJson(regret.fetchTokens(), basis);
    totals["lost_user_messages"] = regret.lostMessages.size();
    totals["user_messages"] = regret.typedMessages;
}

/// A difference: positive if the run costs more than the recorded run as computed.
Json differenceJson(const std::optional<CostParts> &difference)
{
    if (!difference)
        return nullptr;
    Json json { { "total", difference->total() } };
    json.update(partsJson(*difference));
    return json;
}

/// Adds the computed figures of the recorded run, which policies are compared with, and their difference from the bill.
void addComputed(Json &totals, const RecordedFigures &recorded)
{
    const ReplayCost &computed = recorded.computed;
    totals["computed_cost"] = orNull(costOf(computed));
    totals["computed_cost_parts"] = computed.isPriced() ? partsJson(computed.parts) : Json(nullptr);
    totals["computed_cache_hit_share"] = computed.rule.empty() ? Json(nullptr) : Json(computed.hitShare());
    const RecordedBill &bill = recorded.bill;
    totals["computed_tokens"] = figureJson(recorded.prompts.computed.sum);
    totals["computed_peak"] = figureJson(recorded.prompts.computed.peak);
    totals["model_error"] = nullptr;
    if (bill.isKnown())
        totals["model_error"]
            = { { "calls", bill.calls }, { "of_calls", bill.callCount }, { "recorded_cost", bill.recorded },
                  { "computed_cost", bill.computed }, { "cost", bill.error() }, { "share", orNull(bill.errorShare()) },
                  { "missed_reads",
                      { { "calls", recorded.misses.calls }, { "tokens", recorded.misses.tokens },
                          { "cost", recorded.misses.dollars } } } };
    const PartialOutput &output = recorded.partialOutput;
    totals["partial_output"] = nullptr;
    if (output.matters())
        totals["partial_output"] = { { "calls", output.calls }, { "of_calls", output.callCount },
            { "recorded_tokens", std::llround(output.recorded) }, { "answer_tokens", figureJson(output.weighed) },
            { "missing_cost", orNull(output.cost) } };
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
    for (size_t i = 0; i < ground.callCount(); ++i) {
        run["calls"].push_back({ { "call", i }, { "recorded_tokens", recordedTokens(ground.recorded[i]) },
            { "computed_tokens", figureJson(report.recorded->prompts.calls[i]) }, { "cost", nullptr },
            { "computed_cost", orNull(report.recorded->computed.calls[i].cost) } });
    }
    for (const CallCost &call : report.recorded->sessionCost.calls) {
        if (call.position.thread == ground.log.thread && call.position.call.isValid())
            run["calls"][call.position.call.index()]["cost"] = orNull(call.recorded);
    }
    for (const RecordedCacheCall &call : report.recorded->cache.calls) {
        if (call.position.thread != ground.log.thread || !call.position.call.isValid())
            continue;
        Json &entry = run["calls"][call.position.call.index()];
        entry["cache_read_tokens"] = call.usage.cacheRead;
        entry["predicted_cache_read_tokens"] = std::llround(call.predicted.read);
        entry["cache_cause"] = core::nameOf(call.found);
    }
    const PromptSums &usage = report.recorded->prompts.byUsage;
    const auto known = [&](TokenFigure figure) { return usage.calls > 0 ? figureJson(figure) : Json(nullptr); };
    Json totals { { "recorded_calls", usage.calls }, { "tokens", known(usage.sum) }, { "peak", known(usage.peak) },
        { "compactions", compactionCount(*sessionOf(report), ground.log.thread) } };
    addCost(totals, report.recorded->run);
    addComputed(totals, *report.recorded);
    addRegret(totals, report.recordedRegret, ground.tokens->basis);
    // Summaries may hold them word for word.
    totals["lost_user_messages"] = report.recordedMessages.all - report.recordedMessages.standing;
    totals["user_messages"] = report.recordedMessages.all;
    run["totals"] = std::move(totals);
    return run;
}

/// Prompts of a replay as integers that add up to the sums of both worlds and to their total, which are rounded, too.
struct WholePrompts {
    explicit WholePrompts(const Replay &replay)
        : total(std::llround(replay.totalTokens()))
        , recordedWorld(std::llround(replay.recordedWorld.tokens))
    {
        const std::vector<double> prompts = promptsOf(replay);
        const std::span<const double> all(prompts);
        const size_t world = std::min(all.size(), replay.recordedWorld.calls);
        calls = roundedParts(all.first(world), recordedWorld);
        const std::vector<long long> counterfactual = roundedParts(all.subspan(world), total - recordedWorld);
        calls.insert(calls.end(), counterfactual.begin(), counterfactual.end());
    }

    std::vector<long long> calls;
    long long total = 0;
    long long recordedWorld = 0;
};

Json wholeJson(long long tokens, Basis basis) { return figureJson(static_cast<double>(tokens), basis); }

Json sumsJson(const ReplaySums &sums, long long tokens, Basis basis)
{
    return { { "calls", sums.calls }, { "tokens", wholeJson(tokens, basis) }, { "peak", figureJson(sums.peak, basis) },
        { "compactions", sums.compactions } };
}

Json callJson(const ReplayReport &report, const PolicyFigures &policy, const WholePrompts &whole, size_t index)
{
    const ReplayStep &step = policy.replay->steps[index];
    const Basis basis = report.ground->tokens->basis;
    Json call { { "call", index } };
    call["recorded_tokens"] = recordedTokens(report.ground->recorded[index]);
    call["tokens"] = wholeJson(whole.calls[index], promptFigure(*policy.replay, index).basis);
    call["array_tokens"] = figureJson(step.arrayTokens, basis);
    call["messages"] = step.messageCount;
    call["counterfactual"] = step.isCounterfactual;
    call["fired"] = policy.replay->compactsAt(index);
    call["reason"] = decisionSentence(*policy.replay, index);
    call["changed_blocks"] = step.changedBlocks;
    call["lost_bytes"] = step.lostBytes;
    call["torn"] = step.isTorn;
    if (policy.replay->worker)
        call["worker"] = workerCallJson(*policy.replay, index);
    call["unchanged_tokens"] = figureJson(step.unchangedTokens, basis);
    call["log_entry_tokens"] = step.logEntry > 0 ? figureJson(step.logEntry, Basis::Estimated) : Json(nullptr);
    call["summary_tokens"] = step.writtenSummary > 0 ? figureJson(step.writtenSummary, basis) : Json(nullptr);
    const ReplayCallCost &cost = policy.cost.calls[index];
    const bool hasModel = !policy.cost.rule.empty();
    call["cache_read_tokens"] = hasModel ? Json(std::llround(cost.cache.read)) : Json(nullptr);
    call["cache_cause"] = hasModel ? Json(core::nameOf(cost.cache.cause)) : Json(nullptr);
    call["cost"] = orNull(cost.cost);
    return call;
}

Json extraJson(const ReplayCost &cost, ExtraCall kind)
{
    const ExtraCalls extra = extraCalls(cost, kind);
    return { { "count", extra.count }, { "prompt_tokens", figureJson(extra.tokens.prompt(), Basis::Estimated) },
        { "cache_read_tokens", figureJson(extra.tokens.cacheRead, Basis::Estimated) },
        { "output_tokens", figureJson(extra.tokens.output, Basis::Estimated) }, { "cost", orNull(extra.cost) } };
}

/// The user waits for summaries only.
Json extraCallsJson(const ReplayCost &cost, const OutputSpeed &speed)
{
    return { { "summaries", extraJson(cost, ExtraCall::Summary) },
        { "worker_summaries", extraJson(cost, ExtraCall::WorkerSummary) },
        { "log_entries", extraJson(cost, ExtraCall::LogEntry) },
        { "waiting_seconds", orNull(speed.secondsFor(extraCalls(cost, ExtraCall::Summary).tokens.output)) } };
}

Json policyJson(const ReplayReport &report, const PolicyFigures &policy)
{
    const Replay &replay = *policy.replay;
    const Basis basis = report.ground->tokens->basis;
    Json run { { "name", nameOf(policy) }, { "policy", parseJson(replay.policy->document) } };
    run["calls"] = Json::array();
    const WholePrompts whole(replay);
    const RefusedCalls refused = refusedCalls(replay);
    for (size_t i = 0; i < replay.callCount(); ++i) {
        run["calls"].push_back(callJson(report, policy, whole, i));
        run["calls"].back()["above_window"] = std::ranges::binary_search(refused.aboveWindow, static_cast<uint32_t>(i));
    }
    const PromptSums prompts = promptSums(replay);
    Json totals { { "tokens", wholeJson(whole.total, prompts.sum.basis) }, { "peak", figureJson(prompts.peak) },
        { "compactions", replay.compactions() }, { "changed_blocks", replay.quietActs().blocks },
        { "lost_bytes", replay.lostBytes() }, { "torn_calls", replay.torn() },
        { "calls_above_window", refused.aboveWindow.size() } };
    addCost(totals, policy.cost);
    addRegret(totals, *policy.regret, basis);
    totals["recorded_world"]
        = sumsJson(replay.recordedWorld, whole.recordedWorld, promptSums(replay, replay.recordedWorld.calls).sum.basis);
    totals["counterfactual"] = sumsJson(replay.counterfactual, whole.total - whole.recordedWorld, basis);
    totals["cost_difference"] = differenceJson(policy.difference);
    totals["extra_calls"] = extraCallsJson(policy.cost, report.recorded->speed);
    totals["worker"] = workerJson(replay, policy.cost);
    totals["pay_back"] = policy.payBack ? Json(policy.payBack->sentence()) : Json(nullptr);
    run["totals"] = std::move(totals);
    run["defects"] = defectsJson(harnessDefects(replay, &*policy.regret, report.fetched));
    run["summaries_assumed"] = replay.isSummaryAssumed;
    run["notes"] = replay.notes;
    return run;
}

// --- the terminal --------------------------------------------------------------------------------------------------

/// The largest value in each column, as bars of eight steps.
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
    if (cost.callCount == 0)
        return "no usage";
    if (!cost.isPriced())
        return "no price";
    return dollars(cost.parts.total()) + (cost.unpricedCalls > 0 ? " in part" : "");
}

/// A prompt of 0 is unknown; then the sum says how many calls it covers.
std::string runLine(std::string_view name, const std::vector<double> &prompts, double most, const PromptSums &sums)
{
    const std::string label = fitted(visibleText(name), kNameColumns - 1);
    const std::string drawn = padded(label, kNameColumns) + curve(prompts, most);
    if (sums.calls == 0)
        return drawn + "  peak       —  sent       —";
    std::string text = drawn + formatted("  peak {:>7}  sent {:>7}", shown(sums.peak), shown(sums.sum));
    if (sums.calls < prompts.size())
        text += formatted(" in {} of {}", groupedNumber(sums.calls), counted(prompts.size(), "call"));
    return text;
}

std::string cacheWords(const ReplayReport &report, const ReplayCost &cost)
{
    if (report.recorded->cache.isWithoutCache)
        return "no cache: the recording used none";
    return cost.rule.empty() && cost.readTokens == 0 ? "no model of this cache"
                                                     : shareText(cost.hitShare()) + " read from the cache";
}

/// The text behind the curve of the recorded run.
Json sessionCostJson(const Session &session, const CostByThread &cost)
{
    Json json { { "this_thread", orNull(cost.own.known()) }, { "subagents", orNull(cost.ofSubagents().known()) },
        { "all", orNull(cost.ofAll().known()) }, { "subagents_not_in_file", cost.subagentsNotInFile } };
    json["threads"] = Json::array();
    const auto add = [&](const ThreadCost &each) {
        const Thread &thread = session.thread(each.thread);
        json["threads"].push_back(
            { { "thread", each.thread.value() }, { "kind", nameOf(thread.kind) }, { "title", thread.title },
                { "calls", each.calls }, { "unpriced_calls", each.unpricedCalls }, { "cost", orNull(each.known()) } });
    };
    add(cost.own);
    std::ranges::for_each(cost.subagents, add);
    std::ranges::for_each(cost.others, add);
    return json;
}

std::string recordedMoneyText(const ReplayReport &report)
{
    const RecordedFigures &recorded = *report.recorded;
    if (recorded.prompts.byUsage.calls == 0)
        return "  no usage is recorded\n";
    return formatted("  {}  {}\n", money(recorded.run), cacheWords(report, recorded.run));
}

/// Recorded prompts and bill beside the computed figures of the same calls.
std::string recordedCostText(const ReplayReport &report)
{
    const RecordedFigures &recorded = *report.recorded;
    const CostParts &parts = recorded.computed.parts;
    std::string text;
    const auto add = [&text](const std::string &sentence) { text += "    " + sentence + "\n"; };
    if (const std::string midway = midwaySentence(*recorded.ground); !midway.empty())
        add(midway);
    if (const std::string prompts = recorded.prompts.sentence(); !prompts.empty())
        add(prompts);
    if (recorded.bill.isKnown())
        add(recorded.bill.sentence());
    if (const std::string misses = recorded.missSentence(); !misses.empty())
        add(misses);
    if (const std::string output = recorded.partialOutput.sentence(); !output.empty())
        add(output);
    if (recorded.computed.isPriced() && recorded.bill.calls < recorded.bill.callCount)
        add(formatted("for all {} Palimpsest computes {}", counted(recorded.bill.callCount, "call"),
            dollars(parts.total() - parts.summaries)));
    if (recorded.computed.isPriced() && parts.summaries > 0)
        add(formatted("usage leaves out the requests that wrote the summaries. Palimpsest adds {} for them: {} in all",
            dollars(parts.summaries), dollars(parts.total())));
    if (recorded.sessionCost.unpricedCalls > 0)
        add(recorded.sessionCost.recordedSentence());
    for (const std::string &line : recorded.byThread.lines(*sessionOf(report)))
        add(line);
    return text;
}

std::string policyText(const ReplayReport &report, const PolicyFigures &policy, double most)
{
    const Replay &replay = *policy.replay;
    std::string text = runLine(nameOf(policy), promptsOf(replay), most, promptSums(replay));
    text += formatted("  {}  {}\n", money(policy.cost), cacheWords(report, policy.cost));
    const auto add = [&text](const std::string &sentence) { text += "    " + sentence + "\n"; };
    add(firingSentence(replay));
    for (const std::string &note : replay.notes)
        add(note);
    if (const std::string counting = countingWords(*replay.policy); !counting.empty())
        add("its trigger " + counting);
    if (replay.isSummaryAssumed)
        add(report.ground->summary.sentence());
    if (const std::string refused = refusalSentence(refusedCalls(*policy.replay)); !refused.empty())
        add(refused);
    add(lossSentence(*policy.regret, *report.ground->tokens) + "; " + messageSentence(*policy.regret));
    text += workerText(
        replay, policy.cost, harnessDefects(replay, policy.regret ? &*policy.regret : nullptr, report.fetched));
    for (const std::string &sentence : extraCallSentences(policy, report.recorded->speed))
        add(sentence);
    if (policy.difference)
        add(savingSentence(*policy.difference));
    if (policy.payBack)
        add("compared with no compaction at all, the first compaction " + policy.payBack->sentence());
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
    report.recorded = recordedFigures(report.ground, prices, options);
    if (!report.recorded)
        return std::nullopt;
    const ContextSpans spans = recordedSpans(session, thread, report.ground->sums.get());
    report.recordedRegret
        = regretOf(*session, report.uses, spans, *tokens, *report.ground->sums, RegretWorld::Recorded);
    const auto traces = tracedUserMessages(spans, {}, options.progress);
    if (!traces)
        return std::nullopt;
    report.recordedMessages = inContextAt(*traces, spans.callCount);
    report.fetched = fetchedOutputs(report.ground->log);
    report.priceDate = prices.date();
    for (const PolicyPtr &policy : policies) {
        const ReplayPtr made = replay(report.ground, policy, options);
        if (!made)
            return std::nullopt;
        report.policies.push_back(policyFigures(made, *report.recorded, &report.uses));
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
    document["assumed_summary"] = assumedSummaryJson(ground.summary);
    const OutputSpeed &speed = report.recorded->speed;
    document["output_speed"] = speed.calls == 0
        ? Json(nullptr)
        : Json { { "tokens_per_second", speed.tokensPerSecond }, { "calls", speed.calls } };
    document["uses"] = kHeadlineUsesName;
    document["prices_of"] = report.priceDate;
    const RecordedCache &cache = report.recorded->cache;
    document["cache_rule"] = cache.rule.empty() || cache.isWithoutCache ? Json(nullptr) : Json(cache.rule);
    document["recorded_without_cache"] = cache.isWithoutCache;
    document["session_cost"] = sessionCostJson(ground.session(), report.recorded->byThread);
    document["fetched_outputs"] = fetchedJson(report.fetched);
    document["policies"] = Json::array({ recordedJson(report) });
    for (const PolicyFiguresPtr &policy : report.policies)
        document["policies"].push_back(policyJson(report, *policy));
    return document;
}

std::string replayCsv(const ReplayReport &report)
{
    std::string text = "call,recorded_tokens,computed_tokens,counterfactual";
    for (const PolicyFiguresPtr &policy : report.policies) {
        const std::string name = nameOf(*policy);
        for (const std::string_view column : { "tokens", "fired", "cache_read_tokens", "cost" })
            text += formatted(",{}", csvField(formatted("{} {}", name, column)));
    }
    text += '\n';
    for (size_t i = 0; i < report.ground->callCount(); ++i) {
        const double recorded = report.ground->recorded[i];
        text += formatted("{},{},{},{}", i, recorded > 0 ? std::to_string(std::llround(recorded)) : std::string(),
            std::llround(report.recorded->prompts.calls[i].value), i >= report.ground->log.firstCounterfactual ? 1 : 0);
        for (const PolicyFiguresPtr &policy : report.policies) {
            const ReplayStep &step = policy->replay->steps[i];
            const ReplayCallCost &cost = policy->cost.calls[i];
            text += formatted(",{},{},{},{}", std::llround(step.tokens), policy->replay->compactsAt(i) ? 1 : 0,
                policy->cost.rule.empty() ? std::string() : std::to_string(std::llround(cost.cache.read)),
                cost.cost ? formatted("{:.6f}", *cost.cost) : std::string());
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
    for (const PolicyFiguresPtr &policy : report.policies)
        most = std::max(most, policy->replay->peak());
    std::string text = visibleText(report.file) + ": " + counted(ground.callCount(), "call");
    if (ground.log.firstCounterfactual < ground.callCount())
        text += formatted(
            ", counterfactual from call {} on, after the first recorded compaction", ground.log.firstCounterfactual);
    text += "\n\n";
    std::vector<double> recorded(ground.recorded.begin(), ground.recorded.end() - 1);
    text += runLine("recorded", recorded, most, report.recorded->prompts.byUsage);
    text += recordedMoneyText(report);
    text += formatted("    {} of {} in context at the end\n", report.recordedMessages.standing,
        counted(report.recordedMessages.all, "user message"));
    text += recordedCostText(report);
    if (const std::string fetched = report.fetched.sentence(); !fetched.empty())
        text += "    " + visibleText(fetched) + "\n";
    for (const PolicyFiguresPtr &policy : report.policies)
        text += "\n" + policyText(report, *policy, most);
    text += '\n';
    text += formatted("Uses that count: {}. Prices of {}.\n", kHeadlineUsesWords, report.priceDate);
    return text;
}

} // namespace core
