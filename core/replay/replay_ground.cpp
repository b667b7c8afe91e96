// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"
#include "core/compaction/policy_run.h"
#include "core/replay/log_places.h"
#include "core/tokens/answer_tokens.h"

#include <algorithm>

namespace core {

namespace {

double weightOf(const BlockTokens &tokens, BlockRange range)
{
    double sum = 0;
    for (uint32_t i = range.begin; i < range.end; ++i)
        sum += tokens.of(BlockId(i));
    return sum;
}

/// How many steps from the first on have the array that was recorded.
size_t stepsAsRecorded(const AppendLog &log)
{
    const size_t calls = log.callCount();
    const bool isAllAsRecorded = log.firstCounterfactual == calls
        && log.session->thread(log.thread).end.blockCount() == log.steps.back().size();
    return isAllAsRecorded ? calls + 1 : log.firstCounterfactual;
}

/// Sets the clearings, and what they left out of each step.
void addUnsent(ReplayGround &ground)
{
    const auto steps = static_cast<uint32_t>(ground.log.steps.size());
    for (SilentClearing each : ground.sums->clearings) {
        if (each.from >= ground.log.firstCounterfactual)
            break;
        if (each.to >= ground.log.firstCounterfactual)
            each.to = std::max(each.to, steps);
        ground.everUnsent.insert(ground.everUnsent.end(), each.blocks.begin(), each.blocks.end());
        ground.clearings.push_back(std::move(each));
    }
    ground.unsent.resize(1);
    ground.unsentOf.resize(steps);
    for (uint32_t i = 0; i < steps; ++i) {
        const auto starts = [&](const SilentClearing &each) { return each.from == i || each.to == i; };
        if (std::ranges::any_of(ground.clearings, starts))
            ground.unsent.push_back(unsentAt(ground.clearings, i, *ground.tokens));
        ground.unsentOf[i] = static_cast<uint32_t>(ground.unsent.size() - 1);
    }
    std::ranges::sort(ground.everUnsent);
    ground.everUnsent.erase(std::ranges::unique(ground.everUnsent).begin(), ground.everUnsent.end());
}

} // namespace

ReplayGroundPtr replayGround(
    const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens, ArraySumsPtr sums)
{
    auto ground = std::make_shared<ReplayGround>();
    ground->sums = sums ? std::move(sums) : arraySums(*session, thread, *tokens);
    ground->log = appendLog(session, thread);
    ground->tokens = tokens;
    addUnsent(*ground);
    const auto &calls = session->thread(thread).calls;
    const size_t asRecorded = stepsAsRecorded(ground->log);
    LogPlaces places(*ground);
    double beside = 0;
    for (size_t i = 0; i <= calls.size(); ++i) {
        const LogStep &step = ground->log.steps[i];
        places.truncate(step.kept);
        for (const BlockId id : ground->log.addedAt(i))
            places.push(id);
        const Call *call = i < calls.size() ? &calls[i] : nullptr;
        ground->recorded.push_back(call != nullptr ? call->prompt().value_or(0) : 0);
        const ArraySum &sum = ground->sums->at({ thread, CallIndex(i) });
        if (i < asRecorded)
            beside = std::max(0.0, sum.besides() + places.unsentOfLog(i));
        else if (i == 0)
            beside = sum.prelude;
        ground->besides.push_back(beside + places.allThinking());
        const bool hasAnswer = call != nullptr && call->usage && call->usage->output > 0;
        ground->answers.push_back(hasAnswer ? static_cast<double>(call->usage->output)
                : call != nullptr           ? weightOf(*tokens, call->output)
                                            : 0);
    }
    ground->summary = assumedSummary(*session, thread, *tokens);
    return ground;
}

KnownUsage::KnownUsage(const ReplayGround &ground, const Policy &policy, const BlockPool &pool)
    : m_beside(ground.log.steps.size())
{
    const auto &calls = ground.session().thread(ground.log.thread).calls;
    for (size_t i = 1; i < m_beside.size(); ++i) {
        const Call &before = calls[i - 1];
        if (policy.counter.usage == Counter::Usage::Prompt)
            continue;
        m_beside[i] = before.usage
            ? std::max(ground.answers[i - 1], answerTokens(ground.session(), before, *ground.tokens))
            : ground.answers[i - 1];
        if (policy.counter.usage == Counter::Usage::WithoutWrites && before.usage)
            m_beside[i] -= static_cast<double>(before.usage->cacheWrite);
        if (policy.counter.usage != Counter::Usage::WithLater)
            continue;
        std::vector<BlockId> later;
        std::ranges::copy_if(ground.log.addedAt(i), std::back_inserter(later),
            [&](BlockId id) { return id.index() < before.output.begin || id.index() >= before.output.end; });
        m_beside[i] += tokensOf(pool, policy, later);
    }
}

double freshTokens(const ReplayGround &ground, size_t step)
{
    double sum = step == 0 ? ground.besides.front() : 0;
    for (const BlockId id : ground.log.addedAt(step))
        sum += ground.tokens->of(id);
    return sum;
}

std::vector<ContextRewrite> rewritesOf(const Replay &replay)
{
    std::vector<ContextRewrite> rewrites;
    for (uint32_t i = 0; i < replay.callCount(); ++i) {
        const bool isSummary = replay.steps[i].writtenSummary > 0;
        if (replay.compactsAt(i))
            rewrites.push_back({ i, isSummary ? CompactionKind::Summary : CompactionKind::Clearing });
    }
    return rewrites;
}

bool hasActed(const AppendLog &log, size_t call, const CallChange &change)
{
    constexpr double kLeast = 0.5; // tokens; sums of the same blocks may differ by less
    if (call == 0 || change.summary > 0)
        return true;
    const bool isTakenBack = log.steps[call].kept < log.steps[call - 1].size(); // by the user, not by the policy
    return !isTakenBack && change.unchanged < change.before - kLeast;
}

CallChange changeAt(const Replay &replay, size_t call)
{
    const ReplayStep &step = replay.steps[call];
    return { call > 0 ? replay.steps[call - 1].arrayTokens : 0, step.unchangedTokens, step.writtenSummary };
}

bool Replay::compactsAt(size_t call) const
{
    return steps[call].hasFired || (steps[call].changedBlocks > 0 && !waitsForTrigger(*policy));
}

QuietActs Replay::quietActs() const
{
    QuietActs acts;
    for (size_t i = 0; i < callCount(); ++i) {
        if (steps[i].changedBlocks == 0)
            continue;
        acts.firstCall = acts.calls == 0 ? i : acts.firstCall;
        acts.blocks += steps[i].changedBlocks;
        ++acts.calls;
    }
    return acts;
}

void ReplaySums::add(double prompt, bool isCompaction, bool isTorn, uint64_t lost)
{
    ++calls;
    tokens += prompt;
    peak = std::max(peak, prompt);
    compactions += isCompaction ? 1 : 0;
    torn += isTorn ? 1 : 0;
    lostBytes += lost;
}

void addUp(Replay &replay)
{
    replay.recordedWorld = {};
    replay.counterfactual = {};
    for (size_t i = 0; i < replay.callCount(); ++i) {
        const ReplayStep &step = replay.steps[i];
        ReplaySums &sums = step.isCounterfactual ? replay.counterfactual : replay.recordedWorld;
        sums.add(step.tokens, replay.compactsAt(i), step.isTorn, step.lostBytes);
    }
}

} // namespace core
