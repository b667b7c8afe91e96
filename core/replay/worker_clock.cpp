// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/worker_clock.h"

#include "core/compaction/stages/eviction.h"
#include "core/replay/extra_calls.h"
#include "core/session/user_message.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

namespace core {

namespace {

constexpr double kSecond = 1000; ///< in milliseconds

/// nullopt if the delay is a number of calls, or not known.
std::optional<double> secondsOf(const WorkerDelay &delay, double summaryTokens, const ReplayGround &ground)
{
    switch (delay.unit) {
    case WorkerDelay::Unit::Calls:
        return std::nullopt;
    case WorkerDelay::Unit::Seconds:
        return delay.value;
    case WorkerDelay::Unit::TokensPerSecond:
        return summaryTokens / delay.value;
    case WorkerDelay::Unit::RecordedSpeed:
        return outputSpeed(ground).secondsFor(summaryTokens);
    }
    return std::nullopt;
}

bool isTyped(const ReplayGround &ground, BlockId id) { return isUserMessage(ground.session().block(id)); }

} // namespace

WorkerClock::WorkerClock(const ReplayGround &ground, const SummaryWorker &worker, double summaryTokens)
    : m_ground(&ground)
    , m_worker(worker)
    , m_summaryTokens(summaryTokens)
{
    m_run.seconds = secondsOf(worker.delay, summaryTokens, ground);
    const bool isInCalls = worker.delay.unit == WorkerDelay::Unit::Calls;
    if (!isInCalls)
        m_times = callTimes(ground.session(), ground.log.thread);
    const bool hasTimes = std::ranges::any_of(m_times, [](const CallTimes &each) { return each.sent.has_value(); });
    m_run.isDelayKnown = isInCalls || (m_run.seconds && hasTimes);
}

void WorkerClock::truncate(size_t step, size_t kept)
{
    m_saidFrom = std::min(m_saidFrom, kept);
    if (!m_isWriting || kept >= m_coveredEnd)
        return;
    m_isWriting = false;
    newest().end = WorkerSummary::End::Outdated;
    newest().endedAt = static_cast<uint32_t>(step);
}

bool WorkerClock::isSaved(size_t step) const
{
    if (m_worker.delay.unit == WorkerDelay::Unit::Calls)
        return static_cast<double>(step) >= m_run.summaries.back().startedAt + m_worker.delay.value;
    if (step >= m_times.size())
        return true;
    return m_savedTime && m_times[step].sent && *m_times[step].sent >= *m_savedTime;
}

bool WorkerClock::isLoaded(size_t step) const
{
    if (m_worker.reload == SummaryWorker::Reload::Call || step >= m_ground->callCount())
        return true;
    return std::ranges::any_of(m_ground->log.addedAt(step), [&](BlockId id) { return isTyped(*m_ground, id); });
}

WorkerClock::Event WorkerClock::settle(size_t step)
{
    if (!m_isWriting || !isSaved(step))
        return Event::None;
    const bool fails = m_worker.failingSaves.fails(m_saves + 1);
    if (!fails && !isLoaded(step))
        return Event::None;
    ++m_saves;
    m_isWriting = false;
    newest().end = fails ? WorkerSummary::End::Failed : WorkerSummary::End::Landed;
    newest().endedAt = static_cast<uint32_t>(step);
    return fails ? Event::Fails : Event::Lands;
}

/// When the call before and its tools have ended.
std::optional<Timestamp> WorkerClock::startTime(size_t step) const
{
    std::optional<Timestamp> time = step > 0 && step <= m_times.size() ? m_times[step - 1].ended : std::nullopt;
    for (const BlockId id : m_ground->log.addedAt(step)) {
        if (m_ground->session().block(id).kind == BlockKind::ToolResult)
            time = std::max(time, m_ground->session().timeOf(id));
    }
    return time || step >= m_times.size() ? time : m_times[step].sent;
}

bool WorkerClock::canStart(size_t step) const
{
    if (m_isWriting || !m_run.isDelayKnown)
        return false;
    const bool startsHere = !m_run.summaries.empty() && m_run.summaries.back().startedAt == step;
    return !startsHere && (!m_run.seconds || startTime(step));
}

void WorkerClock::start(size_t step, size_t logEnd, size_t coveredEnd, double coveredTokens)
{
    m_isWriting = true;
    m_coveredEnd = coveredEnd;
    m_saidFrom = logEnd;
    if (m_run.seconds)
        m_savedTime = *startTime(step) + std::llround(*m_run.seconds * kSecond);
    WorkerSummary summary;
    summary.startedAt = static_cast<uint32_t>(step);
    summary.covered = coveredTokens;
    summary.written = m_summaryTokens;
    m_run.summaries.push_back(summary);
}

SaidMeanwhile WorkerClock::said(std::span<const BlockId> blocks) const
{
    SaidMeanwhile said;
    std::unordered_set<MessageId> messages;
    std::unordered_set<MessageId> typed;
    for (const BlockId id : blocks) {
        const MessageId message = m_ground->session().block(id).message;
        messages.insert(message);
        if (isTyped(*m_ground, id))
            typed.insert(message);
        said.tokens += m_ground->tokens->of(id);
    }
    said.messages = messages.size();
    said.typed = typed.size();
    return said;
}

void WorkerClock::noteSaid(std::span<const BlockId> log, std::span<const BlockId> lost)
{
    newest().said = said(log.subspan(std::min(m_saidFrom, log.size())));
    newest().lost = said(lost);
}

void WorkerClock::noteRequest(ReplayStep &step) const
{
    const WorkerSummary &summary = m_run.summaries.back();
    step.workerOutput = summary.written;
    step.workerInput = m_worker.request == SummaryWorker::Request::Messages ? summary.covered : 0;
}

WorkerRun WorkerClock::finish(size_t steps)
{
    if (m_isWriting) {
        newest().endedAt = static_cast<uint32_t>(steps);
        if (newest().startedAt >= m_ground->callCount())
            m_run.summaries.pop_back(); // no call follows
    }
    return std::move(m_run);
}

std::optional<WorkerClock> workerClock(const ReplayGround &ground, const StageContext &context)
{
    const Policy &policy = context.policy;
    const SummaryWorker *worker = workerOf(policy);
    if (worker == nullptr)
        return std::nullopt;
    const auto spec = std::ranges::find_if(
        policy.stages, [](const StageSpec &each) { return each.isEnabled && each.stage == kSummariseStage; });
    const StageParameters parameters(ground.session(), *spec, *stageKind(spec->stage), context);
    double tokens = 0;
    if (stages::writesSummary(parameters)) {
        BlockPool pool(ground.log.session, *ground.tokens);
        const std::string text = stages::summaryMessage(parameters, parameters.text("summary.text"));
        tokens = pool.tokens(pool.addSummary(text, ground.log.thread, parameters.number("summary.tokens")));
    }
    return WorkerClock(ground, *worker, tokens);
}

} // namespace core
