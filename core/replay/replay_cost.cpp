// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/replay_cost.h"

#include "core/cache/cache_walk.h"
#include "core/cache/recorded_requests.h"
#include "core/context/array_difference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>

namespace core {

namespace {

/// Adds a call to a run's cost, after the extra requests before it: for a summary, for an entry of a log.
void add(
    ReplayCost &cost, const CacheReading &reading, const RunCall &call, std::span<const RunCall> extra, bool keepsCalls)
{
    if (!call.price || !std::ranges::all_of(extra, [](const RunCall &each) { return each.price.has_value(); }))
        ++cost.unpricedCalls;
    cost.readTokens += call.tokens.cacheRead;
    cost.promptTokens += call.tokens.prompt();
    for (const RunCall &request : extra)
        addTo(cost.parts, request);
    addTo(cost.parts, call);
    ++cost.callCount;
    if (!keepsCalls)
        return;
    cost.run.insert(cost.run.end(), extra.begin(), extra.end());
    cost.run.push_back(call);
    double dollars = call.cost();
    for (const RunCall &request : extra)
        dollars += request.cost();
    cost.calls.push_back({ reading, call.price ? std::optional(dollars) : std::nullopt });
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

WorkerRequest workerRequest(const Replay &replay, const CostGround &ground, uint32_t call)
{
    const ReplayStep &step = replay.steps[call];
    const SummaryWorker *worker = step.workerOutput > 0 ? workerOf(*replay.policy) : nullptr;
    if (worker == nullptr)
        return {};
    WorkerRequest request { .output = step.workerOutput,
        .input = step.workerInput,
        .isWaitedFor = step.isLanding,
        .sendsNothing = worker->request == SummaryWorker::Request::Empty,
        .hasOwnModel = !worker->model.empty() };
    if (request.hasOwnModel && ground.prices)
        request.prices = ground.prices->rowAt(
            worker->model, ground.calls[call].sent.value_or(std::numeric_limits<Timestamp>::max()));
    return request;
}

CostStep costStep(const Replay &replay, const CostGround &ground, uint32_t call)
{
    const ReplayStep &step = replay.steps[call];
    return { .tokens = step.tokens,
        .arrayTokens = step.arrayTokens,
        .beside = ground.calls[call].beside,
        .unchanged = step.unchangedTokens,
        .summary = step.writtenSummary,
        .isWrittenBefore = step.isLog || step.isLanding,
        .worker = workerRequest(replay, ground, call),
        .logEntry = step.logEntry,
        .logRequest = step.logRequest,
        .refetched = 0,
        .stableTokens = step.stableTokens,
        .stableBlocks = step.stableBlocks,
        .blocks = step.blockCount,
        .hasFired = step.hasFired };
}

/// The recorded arrays of a thread as cost steps.
class RecordedSteps final {
public:
    RecordedSteps(const ReplayGround &ground, const Replay &none, const CostGround &costs)
        : m_ground(ground)
        , m_none(none)
        , m_costs(costs)
        , m_isCompactedBefore(ground.callCount() + 1, false)
        , m_weights(ground.session().blocks.size() + 1, 0.0)
    {
        for (size_t i = 0; i + 1 < m_weights.size(); ++i)
            m_weights[i + 1] = m_weights[i] + ground.tokens->of(BlockId(i));
        for (const RecordedCompaction &each : thread().compactions) {
            const size_t call = each.call.isValid() ? each.call.index() + 1 : 0;
            if (each.kind != CompactionKind::Rollback && call < m_isCompactedBefore.size())
                m_isCompactedBefore[call] = true;
        }
    }

    /// The steps of the calls, in order.
    CostStep next()
    {
        const uint32_t call = m_call++;
        std::vector<BlockRange> array = rangesOf(thread().calls[call].input);
        CostStep step = call < m_ground.log.firstCounterfactual ? costStep(m_none, m_costs, call) : stepOf(call, array);
        m_array = std::move(array);
        m_before = step;
        return step;
    }

private:
    [[nodiscard]] const Thread &thread() const { return m_ground.session().thread(m_ground.log.thread); }

    [[nodiscard]] double weightOf(const std::vector<BlockRange> &ranges) const
    {
        double weight = 0;
        for (const BlockRange range : ranges)
            weight += m_weights[range.end] - m_weights[range.begin];
        return weight;
    }

    CostStep stepOf(uint32_t call, const std::vector<BlockRange> &array)
    {
        const ArrayDifference difference = differenceOf(m_array, array);
        CostStep step;
        step.arrayTokens = weightOf(array);
        // As in replayGround, but for the array that was sent.
        if (m_ground.recorded[call] > 0)
            m_beside = std::max(0.0, m_ground.recorded[call] - step.arrayTokens);
        step.beside = m_beside.value_or(m_costs.calls[call].beside);
        step.tokens = step.arrayTokens + step.beside;
        step.unchanged = difference.removed.empty() ? m_before.arrayTokens
                                                    : std::max(0.0, weightOf(m_array) - weightOf(difference.removed));
        for (const BlockRange range : array)
            step.blocks += range.size();
        step.hasFired = m_isCompactedBefore[call];
        forEachBlock(difference.added, [&](BlockId id) {
            const bool isWritten = step.hasFired && m_ground.session().block(id).is(BlockFlag::Summary);
            step.summary += isWritten ? m_ground.tokens->of(id) : 0;
        });
        return step;
    }

    const ReplayGround &m_ground;
    const Replay &m_none;
    const CostGround &m_costs;
    std::vector<bool> m_isCompactedBefore; ///< of each call
    std::vector<double> m_weights;         ///< prefix sums over the session's blocks
    uint32_t m_call = 0;
    std::vector<BlockRange> m_array; ///< of the previous call
    CostStep m_before;
    std::optional<double> m_beside; ///< recorded, of the last call after the first compaction
};

/// The length of system prompt and tools, which have `tokens` tokens.
double preludeBytes(const Session &session, const Thread &thread, double tokens)
{
    constexpr double kBytesPerToken = 4;
    const std::optional<BlockRange> prelude
        = thread.calls.empty() ? std::optional<BlockRange>() : thread.calls.front().prelude;
    if (!prelude)
        return tokens * kBytesPerToken;
    double bytes = 0;
    for (uint32_t i = prelude->begin; i < prelude->end; ++i)
        bytes += static_cast<double>(session.block(BlockId(i)).lengths.bytes);
    return bytes;
}

/// The request that wrote a summary: it read the context before and responded with the summary.
RunCall summaryRequest(double summary, double before, const CostGround &ground, const std::optional<Price> &price)
{
    RunCall request;
    request.isSummary = true;
    request.tokens = summaryTokens(ground, before, summary);
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
    if (!recorded.isWithoutCache)
        made->rules = rulesOf(session);
    made->prices = std::make_shared<const Prices>(prices);
    made->prelude = *std::ranges::min_element(ground.besides);
    made->preludeBytes = preludeBytes(session, thread, made->prelude);
    if (ground.callCount() > 0 && thread.calls.front().usage) {
        made->firstPrompt = ground.recorded.front();
        made->firstRead = static_cast<double>(thread.calls.front().usage->cacheRead);
    }
    const PriceRow *rowBefore = nullptr;
    std::shared_ptr<const PriceRow> shared;
    for (uint32_t i = 0; i < ground.callCount(); ++i) {
        const Call &call = thread.calls[i];
        CostGround::Call one;
        const PriceRow *row
            = prices.rowAt(session.modelOf(call), call.time.value_or(std::numeric_limits<Timestamp>::max()));
        if (row != nullptr && row != rowBefore)
            shared = std::make_shared<const PriceRow>(*row);
        rowBefore = row;
        one.prices = row != nullptr ? shared : nullptr;
        const auto record = written.find(i);
        one.sent = record != written.end() ? record->second->sent : call.time;
        one.responding = call.time;
        one.lifetime = record != written.end() ? record->second->lifetime : 0;
        one.model = call.model.isValid() ? call.model.value() : 0;
        one.options = record != written.end() ? record->second->options : i > 0 ? made->calls.back().options : 0;
        one.answer = ground.answers[i];
        one.beside = ground.besides[i];
        one.fresh = freshTokens(ground, i);
        one.isTakenBack = i > 0 && ground.log.steps[i].kept < ground.log.steps[i - 1].size();
        made->calls.push_back(std::move(one));
    }
    return made;
}

BilledTokens summaryTokens(const CostGround &ground, double before, double summary)
{
    BilledTokens tokens;
    (ground.rules ? tokens.cacheRead : tokens.input) = before;
    tokens.output = summary;
    return tokens;
}

std::vector<MarkPlacement> placementsOf(const CacheMarkPlaces &marks)
{
    std::vector<MarkPlacement> placements;
    if (marks.stableAssistant)
        placements.push_back(MarkPlacement::StableAssistant);
    if (marks.lastBlock)
        placements.push_back(MarkPlacement::LastBlock);
    return placements;
}

double CostGround::readOfFirst(double prompt) const
{
    constexpr double kSlack = 0.5; // tolerance for sums of block tokens
    return firstPrompt > 0 && std::abs(prompt - firstPrompt) < kSlack ? std::min(firstRead, prompt) : 0;
}

RunCosting::RunCosting(const CostGround &ground, const CacheMarkPlaces &marks, bool keepsCalls)
    : m_ground(ground)
    , m_keepsCalls(keepsCalls)
{
    if (!ground.rules)
        return;
    // Other providers set marks themselves.
    const CacheMarkPlaces places = ground.rules->kind == CacheKind::Marks ? marks : CacheMarkPlaces();
    const bool isMarked = (places.system || places.lastTool) && ground.preludeBytes >= places.floorBytes;
    m_prelude = isMarked ? ground.prelude : 0;
    m_cache.emplace(*ground.rules, placementsOf(places));
}

/// The part of the previous prompt that this prompt starts with, in tokens of the previous prompt.
double RunCosting::unchangedPrompt(const CostStep &step) const
{
    if (m_cost.callCount == 0)
        return 0;
    if (step.unchanged >= m_before.arrayTokens)
        return m_before.tokens;
    return std::min(m_before.tokens, m_before.beside + step.unchanged);
}

/// Why the array does not start with the whole array before.
CacheCause RunCosting::causeOf(const CostStep &step) const
{
    if (m_cost.callCount == 0 || step.unchanged >= m_before.arrayTokens)
        return CacheCause::None;
    if (step.summary > 0 || m_before.summary > 0)
        return CacheCause::Compaction;
    return !step.hasFired && m_ground.calls[m_cost.callCount].isTakenBack ? CacheCause::Rewind : CacheCause::Clearing;
}

/// The part of a prompt that the cache holds directly behind its call.
double RunCosting::cachedOf(const CacheReading &reading, double prompt) const
{
    if (!m_ground.rules)
        return 0;
    const CacheRules &rules = *m_ground.rules;
    if (rules.kind != CacheKind::Steps)
        return std::min(prompt, reading.read + reading.written);
    return prompt >= rules.minimum ? cachewalk::wholeSteps(rules, prompt) : 0;
}

RunCall RunCosting::entryRequest(const CostStep &step) const
{
    RunCall request;
    request.isSummary = true;
    request.isLogEntry = true;
    request.tokens.cacheRead = m_inCache;
    request.tokens.input = m_before.tokens - m_inCache + step.logRequest;
    request.tokens.output = step.logEntry;
    if (const auto &prices = m_ground.calls[m_cost.callCount].prices)
        request.price = prices->of(request.tokens.prompt());
    return request;
}

RunCall RunCosting::workerRequest(const CostStep &step, const std::optional<Price> &price) const
{
    const WorkerRequest &worker = step.worker;
    RunCall request = summaryRequest(worker.output, worker.sendsNothing ? 0 : m_before.tokens, m_ground, price);
    request.isByWorker = !worker.isWaitedFor;
    if (!worker.hasOwnModel)
        return request;
    request.tokens = { .input = worker.input, .output = worker.output };
    request.price = worker.prices != nullptr ? std::optional(worker.prices->of(worker.input)) : std::nullopt;
    return request;
}

void RunCosting::add(const CostStep &step)
{
    const CostGround::Call &call = m_ground.calls[m_cost.callCount];
    CacheReading reading;
    reading.uncached = step.tokens;
    if (m_cache) {
        WireCall wire;
        wire.tokens = step.tokens;
        wire.blocks = step.blocks;
        wire.prelude = m_prelude;
        wire.unchanged = unchangedPrompt(step);
        if (step.stableBlocks > 0)
            wire.stableAnswer = CacheMark { std::min(step.tokens, step.beside + step.stableTokens), step.stableBlocks };
        wire.change = causeOf(step);
        wire.sent = call.sent;
        wire.responding = call.responding;
        wire.model = call.model;
        wire.options = call.options;
        wire.lifetime = call.lifetime;
        reading = m_cache->add(wire);
        if (m_cost.callCount == 0) {
            const double kept = reading.read + reading.written;
            reading.read = std::max(reading.read, m_ground.readOfFirst(step.tokens));
            fillParts(reading, *m_ground.rules, step.tokens, kept);
        }
    }
    RunCall request;
    request.tokens = billedTokens(reading, call.answer, call.lifetime);
    if (call.prices)
        request.price = call.prices->of(step.tokens);
    request.fresh = call.fresh + step.summary;
    request.cause = reading.cause;
    request.refetched = step.refetched;
    std::vector<RunCall> extra;
    if (step.logEntry > 0 && m_cost.callCount > 0)
        extra.push_back(entryRequest(step));
    if (step.worker.output > 0 && m_cost.callCount > 0)
        extra.push_back(workerRequest(step, request.price));
    if (step.summary > 0 && !step.isWrittenBefore && m_cost.callCount > 0)
        extra.push_back(summaryRequest(step.summary, m_before.tokens, m_ground, request.price));
    core::add(m_cost, reading, request, extra, m_keepsCalls);
    m_before = step;
    m_inCache = cachedOf(reading, step.tokens);
}

ReplayCost RunCosting::finish()
{
    if (m_cache)
        m_cache->clear();
    m_before = {};
    m_inCache = 0;
    m_cost.rule = m_ground.rules ? m_ground.rules->sentence : std::string_view();
    return std::exchange(m_cost, {});
}

ReplayCost replayCost(const Replay &replay, const CostGround &ground, const Regret *regret)
{
    std::unordered_map<uint32_t, double> fetched;
    for (const Regret::Fetch &fetch : regret != nullptr ? regret->fetches : std::vector<Regret::Fetch>()) {
        if (fetch.call.isValid())
            fetched[fetch.call.value()] += fetch.tokens;
    }
    RunCosting costing(ground, replay.policy->cacheMarks);
    for (uint32_t i = 0; i < replay.callCount(); ++i) {
        CostStep step = costStep(replay, ground, i);
        const auto again = fetched.find(i);
        step.refetched = again != fetched.end() ? again->second : 0;
        costing.add(step);
    }
    return costing.finish();
}

ReplayCost recordedArraysCost(const Replay &none, const CostGround &ground)
{
    RunCosting costing(ground);
    RecordedSteps steps(*none.ground, none, ground);
    for (size_t i = 0; i < none.callCount(); ++i)
        costing.add(steps.next());
    return costing.finish();
}

ReplayCost recordedRunCost(
    const Session &session, ThreadIndex thread, const RecordedCache &recorded, const Prices &prices)
{
    ReplayCost cost;
    if (!recorded.isWithoutCache)
        cost.rule = recorded.rule;
    for (const RunCall &call : recordedRun(session, thread, recorded, prices)) {
        CacheReading reading;
        reading.read = call.tokens.cacheRead;
        reading.written = call.tokens.cacheWrite5m + call.tokens.cacheWrite1h;
        reading.uncached = call.tokens.input;
        reading.cause = call.cause;
        add(cost, reading, call, {}, true);
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
