// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_cost.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace core {

namespace {

std::string_view modelOf(const Session &session, const Call &call)
{
    return call.model.isValid() ? session.string(call.model) : std::string_view(session.model);
}

/// How much of the prompt before stands at the beginning of this one, in tokens of that.
double unchangedPrompt(const Replay &replay, size_t call)
{
    if (call == 0)
        return 0;
    const ReplayStep &before = replay.steps[call - 1];
    if (replay.steps[call].unchangedTokens >= before.arrayTokens)
        return before.tokens;
    return std::min(before.tokens, replay.ground->besides[call - 1] + replay.steps[call].unchangedTokens);
}

/// Why the beginning of an array is not all of the one before.
CacheCause causeOf(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    if (call == 0 || step.unchangedTokens >= replay.steps[call - 1].arrayTokens)
        return CacheCause::None;
    if (step.writtenSummary > 0 || replay.steps[call - 1].writtenSummary > 0)
        return CacheCause::Compaction;
    const std::vector<LogStep> &steps = replay.ground->log.steps;
    const bool isTakenBack = !step.hasFired && steps[call].kept < steps[call - 1].size();
    return isTakenBack ? CacheCause::Rewind : CacheCause::Clearing;
}

/// Puts a call into a run's cost, and before it the request for its summary, if it had one.
void add(ReplayCost &cost, const CacheReading &reading, const RunCall &call, const std::optional<RunCall> &summary)
{
    ReplayCallCost one { reading, std::nullopt };
    if (call.price) {
        one.cost = call.cost() + (summary ? summary->cost() : 0);
    } else {
        ++cost.unpricedCalls;
    }
    cost.readTokens += call.tokens.cacheRead;
    cost.promptTokens += call.tokens.prompt();
    if (summary) {
        addTo(cost.parts, *summary);
        cost.run.push_back(*summary);
    }
    addTo(cost.parts, call);
    cost.run.push_back(call);
    cost.calls.push_back(one);
}

/// The recorded calls of one thread.
std::unordered_map<uint32_t, const RecordedCacheCall *> callsOf(const RecordedCache &recorded, ThreadIndex thread)
{
    std::unordered_map<uint32_t, const RecordedCacheCall *> calls;
    for (const RecordedCacheCall &call : recorded.calls) {
        if (call.position.thread == thread)
            calls[call.position.call.value()] = &call;
    }
    return calls;
}

/// The request that wrote a summary: it read what was in context before, and answered with the summary.
RunCall summaryRequest(double summary, double before, const std::optional<Price> &price)
{
    RunCall request;
    request.isSummary = true;
    request.tokens.cacheRead = before;
    request.tokens.output = summary;
    request.price = price;
    return request;
}

} // namespace

CostGroundPtr costGround(const ReplayGround &ground, const RecordedCache &recorded, const Prices &prices)
{
    const Session &session = ground.session();
    const Thread &thread = session.thread(ground.log.thread);
    const auto written = callsOf(recorded, ground.log.thread);
    auto made = std::make_shared<CostGround>();
    made->rules = cacheRules(session.model);
    made->prelude = *std::ranges::min_element(ground.besides);
    for (uint32_t i = 0; i < ground.callCount(); ++i) {
        const Call &call = thread.calls[i];
        CostGround::Call one;
        const PriceRow *row
            = prices.rowAt(modelOf(session, call), call.time.value_or(std::numeric_limits<Timestamp>::max()));
        if (row != nullptr)
            one.prices = *row;
        one.sent = call.time;
        const auto record = written.find(i);
        one.lifetime = record != written.end() ? record->second->lifetime : 0;
        one.model = call.model.isValid() ? call.model.value() : 0;
        one.answer = ground.answers[i];
        made->calls.push_back(std::move(one));
    }
    return made;
}

RunCosting::RunCosting(const CostGround &ground)
    : m_ground(ground)
{
    if (ground.rules) {
        m_cache.emplace(*ground.rules, MarkPlacement::LastBlock);
        m_cost.rule = ground.rules->sentence;
    }
}

void RunCosting::add(const CostStep &step)
{
    const size_t index = m_cost.calls.size();
    const CostGround::Call &call = m_ground.calls[index];
    CacheReading reading;
    reading.uncached = step.tokens;
    if (m_cache) {
        WireCall wire;
        wire.tokens = step.tokens;
        wire.blocks = step.blocks;
        wire.prelude = m_ground.prelude;
        wire.unchanged = step.unchanged;
        wire.change = step.change;
        wire.sent = call.sent;
        wire.model = call.model;
        wire.lifetime = call.lifetime;
        reading = m_cache->add(wire);
    }
    RunCall request;
    request.tokens = billedTokens(reading, call.answer, call.lifetime);
    if (call.prices)
        request.price = call.prices->of(step.tokens);
    request.fresh = step.fresh + step.summary;
    request.cause = reading.cause;
    request.refetched = step.refetched;
    std::optional<RunCall> summary;
    if (step.summary > 0 && index > 0)
        summary = summaryRequest(step.summary, m_before, request.price);
    core::add(m_cost, reading, request, summary);
    m_before = step.tokens;
}

ReplayCost RunCosting::finish() { return std::move(m_cost); }

ReplayCost replayCost(const Replay &replay, const CostGround &ground, const Regret *regret)
{
    std::unordered_map<uint32_t, double> fetched;
    for (const Regret::Fetch &fetch : regret != nullptr ? regret->fetches : std::vector<Regret::Fetch>()) {
        if (fetch.call.isValid())
            fetched[fetch.call.value()] += fetch.tokens;
    }
    RunCosting costing(ground);
    for (uint32_t i = 0; i < replay.callCount(); ++i) {
        const ReplayStep &step = replay.steps[i];
        const auto again = fetched.find(i);
        costing.add({ .tokens = step.tokens,
            .unchanged = unchangedPrompt(replay, i),
            .fresh = step.freshTokens,
            .summary = step.writtenSummary,
            .refetched = again != fetched.end() ? again->second : 0,
            .blocks = step.blockCount,
            .change = causeOf(replay, i) });
    }
    return costing.finish();
}

ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices)
{
    ReplayCost cost;
    cost.rule = recorded.rule;
    for (const RunCall &call : recordedRun(session, thread, recorded, prices)) {
        CacheReading reading;
        reading.read = call.tokens.cacheRead;
        reading.written = call.tokens.cacheWrite5m + call.tokens.cacheWrite1h;
        reading.uncached = call.tokens.input;
        reading.cause = call.cause;
        add(cost, reading, call, std::nullopt);
    }
    return cost;
}

std::optional<PayBack> firstPayBack(const Replay &replay, const ReplayCost &cost, const ReplayCost &none)
{
    const auto fired = std::ranges::find(replay.steps, true, &ReplayStep::hasFired);
    const auto index = static_cast<size_t>(fired - replay.steps.begin());
    if (index >= replay.callCount() || !cost.isPriced())
        return std::nullopt;
    const auto costsOf = [](const ReplayCost &of) {
        std::vector<double> costs;
        for (const ReplayCallCost &call : of.calls)
            costs.push_back(call.cost.value_or(0));
        return costs;
    };
    return payBack(costsOf(cost), costsOf(none), index);
}

} // namespace core
