// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/format.h"
#include "core/compaction/policy_run.h"
#include "core/replay/replay.h"

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

/// The median weight of the summaries written by the thread's recorded compactions; nullopt without any.
std::optional<double> medianSummary(const Session &session, const Thread &thread, const BlockTokens &tokens)
{
    std::vector<double> weights;
    for (const RecordedCompaction &compaction : thread.compactions) {
        double weight = 0;
        compaction.after.forEach(
            [&](BlockId id) { weight += session.block(id).is(BlockFlag::Summary) ? tokens.of(id) : 0; });
        if (weight > 0)
            weights.push_back(weight);
    }
    if (weights.empty())
        return std::nullopt;
    const auto middle = weights.begin() + static_cast<ptrdiff_t>(weights.size() / 2);
    std::ranges::nth_element(weights, middle);
    return *middle;
}

} // namespace

ReplayGroundPtr replayGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens)
{
    auto ground = std::make_shared<ReplayGround>();
    ground->log = appendLog(session, thread);
    ground->tokens = tokens;
    const auto &calls = session->thread(thread).calls;
    std::vector<double> before { 0 }; // prefix sums of tokens over the log's array
    std::optional<double> beside;
    for (size_t i = 0; i <= calls.size(); ++i) {
        before.resize(ground->log.steps[i].kept + 1);
        for (const BlockId id : ground->log.addedAt(i))
            before.push_back(before.back() + tokens->of(id));
        const Call *call = i < calls.size() ? &calls[i] : nullptr;
        const double recorded = call != nullptr ? call->prompt().value_or(0) : 0;
        if (recorded > 0 && i < ground->log.firstCounterfactual)
            beside = std::max(0.0, recorded - before.back());
        ground->recorded.push_back(recorded);
        const auto &prelude = call != nullptr ? call->prelude : session->thread(thread).prelude;
        ground->besides.push_back(beside.value_or(prelude ? weightOf(*tokens, *prelude) : 0));
        const bool hasAnswer = call != nullptr && call->usage && call->usage->output > 0;
        ground->answers.push_back(hasAnswer ? static_cast<double>(call->usage->output)
                : call != nullptr           ? weightOf(*tokens, call->output)
                                            : 0);
    }
    const auto median = medianSummary(*session, session->thread(thread), *tokens);
    ground->isSummaryMedian = median.has_value();
    ground->summaryTokens = median.value_or(kAssumedSummaryTokens);
    return ground;
}

KnownUsage::KnownUsage(const ReplayGround &ground, const Policy &policy, const BlockPool &pool)
    : m_beside(ground.log.steps.size())
{
    const auto &calls = ground.session().thread(ground.log.thread).calls;
    for (size_t i = 1; i < m_beside.size(); ++i) {
        const Call &before = calls[i - 1];
        m_beside[i] = ground.answers[i - 1];
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

PolicyPtr withAssumedSummary(const ReplayGround &ground, const PolicyPtr &policy)
{
    constexpr double kCharactersPerToken = 4; // for harnesses that count characters
    Policy changed = *policy;
    for (size_t i = 0; i < changed.stages.size(); ++i) {
        auto &values = changed.stages[i].values;
        const bool hasText
            = values.contains("summary.text") && !std::get<std::string>(values.at("summary.text")).empty();
        const StageKind *kind = stageKind(changed.stages[i].stage);
        if (kind == nullptr || !kind->summarises || hasText)
            continue;
        const bool isTold = values.contains("summary.tokens") && std::get<double>(values.at("summary.tokens")) > 0;
        const double tokens = isTold ? std::get<double>(values.at("summary.tokens")) : ground.summaryTokens;
        const std::string sentence
            = formatted("This summary has no text: its length is assumed to be {:.0f} tokens. ", tokens);
        std::string text;
        while (static_cast<double>(text.size()) < tokens * kCharactersPerToken)
            text += sentence;
        text.resize(static_cast<size_t>(tokens * kCharactersPerToken));
        values["summary.text"] = std::move(text);
        values["summary.tokens"] = tokens;
    }
    return std::make_shared<const Policy>(std::move(changed));
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
