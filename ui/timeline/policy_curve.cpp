// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/policy_curve.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace ui {

PolicyCurve::PolicyCurve(const core::Replay &replay)
{
    const size_t columns = replay.steps.size();
    m_tokens.reserve(columns);
    m_sent.assign(1, 0.0);
    m_firstCounterfactual = columns;
    for (size_t i = 0; i < columns; ++i) {
        const core::ReplayStep &step = replay.steps[i];
        m_tokens.push_back(step.tokens);
        m_sent.push_back(m_sent.back() + (i < replay.callCount() ? step.tokens : 0));
        if (replay.compactsAt(i))
            m_acts.push_back(i);
        if (step.isCounterfactual && i < replay.callCount())
            m_firstCounterfactual = std::min(m_firstCounterfactual, i);
    }
    for (const core::WorkerSummary &each :
        replay.worker ? replay.worker->summaries : std::vector<core::WorkerSummary>())
        if (each.endedAt > each.startedAt)
            m_waits.push_back({ each.startedAt, std::min<size_t>(each.endedAt, columns - 1),
                each.end == core::WorkerSummary::End::Landed });
    std::vector<double> negated(columns);
    std::ranges::transform(m_tokens, negated.begin(), std::negate());
    m_highest = core::RangeMaxima(m_tokens);
    m_lowest = core::RangeMaxima(std::move(negated));
}

size_t PolicyCurve::actsIn(size_t first, size_t last) const
{
    last = std::min(last, m_tokens.size() - 1); // the end is no call
    const auto from = std::ranges::lower_bound(m_acts, first);
    const auto to = std::ranges::lower_bound(m_acts, last);
    return from < to ? static_cast<size_t>(to - from) : 0;
}

std::vector<std::string> replayFacts(
    const core::Replay &replay, const core::PromptSums &prompts, const core::TokenFigure &recorded)
{
    std::string compactions = core::compactionWords(replay);
    if (replay.worker) {
        const auto failed = static_cast<uint64_t>(
            std::ranges::count(replay.worker->summaries, core::WorkerSummary::End::Failed, &core::WorkerSummary::end));
        compactions += " by a worker" + (failed > 0 ? " (" + core::counted(failed, "failed save") + ")" : "");
    }
    return { compactions, "peak " + core::shownShort(prompts.peak),
        core::shownShort(prompts.sum) + " tokens sent (recorded run: " + core::shownShort(recorded) + ")" };
}

std::string assumptionText(const core::Replay &replay)
{
    if (!replay.isSummaryAssumed)
        return {};
    const auto tokens = static_cast<uint64_t>(std::llround(replay.ground->summary.tokens));
    const bool hasFiles = std::ranges::any_of(replay.policy->stages, [](const core::StageSpec &spec) {
        const auto files = spec.values.find("files");
        return spec.isEnabled && files != spec.values.end() && std::get<double>(files->second) > 0;
    });
    return "each summary is assumed to have ~" + core::groupedNumber(tokens) + " tokens"
        + (replay.ground->summary.isMedian ? " (the median of the recorded ones)" : "")
        + (hasFiles ? "; the files that are put back come on top" : "");
}

} // namespace ui
