// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_cost.h"

#include "core/replay/wire_cache.h"

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

/// Follows one run and adds it up.
class Costing final {
public:
    Costing(const Session &session, const Prices &prices)
        : m_session(session)
        , m_prices(prices)
    {
    }

    [[nodiscard]] std::optional<Price> priceOf(const Call &call, double prompt) const
    {
        return m_prices.priceAt(
            modelOf(m_session, call), call.time.value_or(std::numeric_limits<Timestamp>::max()), prompt);
    }

    /// A call, and before it the request for its summary, if it had one.
    void add(const CacheReading &reading, const RunCall &call, const std::optional<RunCall> &summary)
    {
        ReplayCallCost cost { reading, std::nullopt };
        if (call.price) {
            cost.cost = call.cost() + (summary ? summary->cost() : 0);
        } else {
            ++m_cost.unpricedCalls;
        }
        m_cost.readTokens += call.tokens.cacheRead;
        m_cost.promptTokens += call.tokens.prompt();
        if (summary)
            m_cost.run.push_back(*summary);
        m_cost.run.push_back(call);
        m_cost.calls.push_back(cost);
    }

    ReplayCost finish(std::string_view rule)
    {
        m_cost.rule = rule;
        m_cost.parts = costParts(m_cost.run);
        return std::move(m_cost);
    }

private:
    const Session &m_session;
    const Prices &m_prices;
    ReplayCost m_cost;
};

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
RunCall summaryRequest(const ReplayStep &step, double before, const std::optional<Price> &price)
{
    RunCall request;
    request.isSummary = true;
    request.tokens.cacheRead = before;
    request.tokens.output = step.writtenSummary;
    request.price = price;
    return request;
}

} // namespace

ReplayCost replayCost(
    const Replay &replay, const RecordedCache &recorded, const Prices &prices, const Regret *regret)
{
    const Session &session = replay.ground->session();
    const ThreadIndex threadIndex = replay.ground->log.thread;
    const Thread &thread = session.thread(threadIndex);
    const auto written = callsOf(recorded, threadIndex);
    const auto rules = cacheRules(session.model);
    std::optional<WireCache> cache;
    if (rules)
        cache.emplace(*rules, MarkPlacement::LastBlock);
    std::unordered_map<uint32_t, double> fetched;
    for (const Regret::Fetch &fetch : regret != nullptr ? regret->fetches : std::vector<Regret::Fetch>()) {
        if (fetch.call.isValid())
            fetched[fetch.call.value()] += fetch.tokens;
    }
    // What is sent beside the array is found anew at every call, as good as the block's figures are; system prompt and
    // tools are as long as the least of them.
    const double prelude = *std::ranges::min_element(replay.ground->besides);
    Costing costing(session, prices);
    for (uint32_t i = 0; i < replay.callCount(); ++i) {
        const ReplayStep &step = replay.steps[i];
        const Call &call = thread.calls[i];
        const auto record = written.find(i);
        CacheReading reading;
        reading.uncached = step.tokens;
        WireCall wire;
        wire.tokens = step.tokens;
        wire.blocks = step.blockCount;
        wire.prelude = prelude;
        wire.unchanged = unchangedPrompt(replay, i);
        wire.change = causeOf(replay, i);
        wire.sent = call.time;
        wire.model = call.model.isValid() ? call.model.value() : 0;
        wire.lifetime = record != written.end() ? record->second->lifetime : 0;
        if (cache)
            reading = cache->add(wire);
        RunCall request;
        request.tokens = billedTokens(reading, replay.ground->answers[i], wire.lifetime);
        request.price = costing.priceOf(call, step.tokens);
        request.fresh = step.freshTokens + step.writtenSummary;
        request.cause = reading.cause;
        if (const auto again = fetched.find(i); again != fetched.end())
            request.refetched = again->second;
        std::optional<RunCall> summary;
        if (step.writtenSummary > 0 && i > 0)
            summary = summaryRequest(step, replay.steps[i - 1].tokens, request.price);
        costing.add(reading, request, summary);
    }
    return costing.finish(rules ? rules->sentence : std::string_view());
}

ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices)
{
    const auto calls = callsOf(recorded, thread);
    const std::vector<RunCall> run = recordedRun(session, thread, recorded, prices);
    Costing costing(session, prices);
    for (const RunCall &call : run) {
        CacheReading reading;
        reading.read = call.tokens.cacheRead;
        reading.written = call.tokens.cacheWrite5m + call.tokens.cacheWrite1h;
        reading.uncached = call.tokens.input;
        reading.cause = call.cause;
        costing.add(reading, call, std::nullopt);
    }
    return costing.finish(recorded.rule);
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
