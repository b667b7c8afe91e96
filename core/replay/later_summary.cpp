// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/later_summary.h"

#include "core/compaction/stages/eviction.h"

#include <algorithm>
#include <ranges>
#include <unordered_set>

namespace core {

namespace {

StageContext with(const StageContext &context, const Policy &policy)
{
    return { policy, context.sessionId, context.time, context.windowTokens, context.recordedTokens,
        context.unsentTokens, context.memories };
}

/// The first element behind those that a summary of the log up to `last` covers.
size_t endOfCovered(const Draft &draft, BlockId last)
{
    const auto found = std::ranges::find(draft.elements(), last, &Draft::Element::origin);
    return found == draft.elements().end() ? 0 : static_cast<size_t>(found - draft.elements().begin()) + 1;
}

/// The message that holds an element; the number of messages for the end.
size_t messageAt(const Draft &draft, size_t element)
{
    const auto next = std::ranges::upper_bound(
        draft.messages(), element, {}, [](const auto &each) { return size_t { each.first }; });
    const auto count = static_cast<size_t>(next - draft.messages().begin());
    return element < draft.elements().size() ? count - std::min<size_t>(count, 1) : draft.messages().size();
}

size_t firstElementOf(const Draft &draft, size_t message)
{
    return message < draft.messages().size() ? draft.messages()[message].first : draft.elements().size();
}

} // namespace

LaterSummary::LaterSummary(const Policy &policy, WorkerClock clock)
    : m_before(policy)
    , m_behind(policy)
    , m_clock(std::move(clock))
{
    const auto isMeant = [](const StageSpec &each) { return each.isEnabled && each.stage == kSummariseStage; };
    m_stage = static_cast<size_t>(std::ranges::find_if(policy.stages, isMeant) - policy.stages.begin());
    for (size_t i = 0; i < policy.stages.size(); ++i)
        (i < m_stage ? m_behind : m_before).stages[i].isEnabled = false;
    m_behind.stages[m_stage].isEnabled = false;
}

std::optional<LaterSummary> LaterSummary::of(const ReplayGround &ground, const StageContext &context)
{
    auto clock = workerClock(ground, context);
    return clock ? std::optional(LaterSummary(context.policy, std::move(*clock))) : std::nullopt;
}

PolicyRun LaterSummary::run(
    Draft &draft, const StageContext &context, double known, std::span<const BlockId> log, ReplayStep &step)
{
    PolicyRun result = runPolicy(draft, with(context, m_before), known);
    const StageSpec &spec = context.policy.stages[m_stage];
    StageRun run(draft, spec, *stageKind(spec.stage), m_stage, context);
    bool isReached = true;
    if (run.waits()) {
        DraftArray array(draft, context.policy);
        array.setUnsentTokens(context.unsentTokens);
        result.decision = verdictOf(run.trigger(), array, context.policy, context.windowTokens, known);
        isReached = result.decision.isReached;
    }
    summarise(run, isReached, log, step, result);
    PolicyRun behind = runPolicy(draft, with(context, m_behind), known);
    if (waitsForTrigger(m_behind))
        result.decision = std::move(behind.decision);
    for (size_t i = m_stage + 1; i < result.firedStages.size(); ++i)
        result.firedStages[i] = behind.firedStages[i];
    result.hasFired = result.hasFired || behind.hasFired;
    ++m_step;
    return result;
}

void LaterSummary::summarise(
    StageRun &run, bool isReached, std::span<const BlockId> log, ReplayStep &step, PolicyRun &result)
{
    bool acts = false;
    WorkerClock::Event event = m_clock.settle(m_step);
    if (event != WorkerClock::Event::Lands && isReached && m_clock.canStart(m_step)) {
        const size_t cut = run.cutoff();
        acts = cut == 0 || !stages::hasNewBefore(run, cut); // it finds nothing to change
        if (!acts) {
            start(run, cut, log, step);
            event = m_clock.settle(m_step);
        }
    }
    if (event == WorkerClock::Event::Lands) {
        step.isLanding = land(run, log);
        acts = true;
    }
    result.firedStages[m_stage] = acts && run.waits();
    result.hasFired = result.hasFired || result.firedStages[m_stage];
}

void LaterSummary::start(const StageRun &run, size_t cut, std::span<const BlockId> log, ReplayStep &step)
{
    const Draft &draft = run.draft();
    const size_t end = firstElementOf(draft, cut);
    double tokens = 0;
    BlockId last;
    for (const Draft::Element &element : std::span(draft.elements()).first(end)) {
        tokens += element.isGone ? 0 : draft.tokens(element.block);
        last = element.origin.isValid() ? element.origin : last;
    }
    const auto found = std::ranges::find(log | std::views::reverse, last);
    m_clock.start(m_step, log.size(), static_cast<size_t>(log.rend() - found), tokens);
    m_clock.noteRequest(step);
}

/// Whether a summary now stands in the array.
bool LaterSummary::land(StageRun &run, std::span<const BlockId> log)
{
    Draft &draft = run.draft();
    const size_t covered = endOfCovered(draft, log[m_clock.coveredEnd() - 1]);
    size_t cut = messageAt(draft, covered); // a message that it covers in part stays
    if (m_clock.worker().keepFrom == SummaryWorker::KeepFrom::Landing)
        cut = std::max(cut, run.cutoff());
    std::vector<BlockId> lost;
    for (size_t i = covered; i < firstElementOf(draft, cut); ++i) {
        if (!draft.elements()[i].isGone)
            lost.push_back(draft.elements()[i].origin);
    }
    const bool isSent = run.isOn("applies");
    const bool hasActed = cut > 0 && stages::evictBefore(run, cut, !isSent);
    std::unordered_set<BlockId> standing;
    for (const Draft::Element &element : draft.elements()) {
        if (!element.isGone)
            standing.insert(element.origin);
    }
    std::erase_if(lost, [&](BlockId id) { return !id.isValid() || standing.contains(id); });
    m_clock.noteSaid(log, lost);
    return hasActed && isSent && stages::writesSummary(run);
}

} // namespace core
