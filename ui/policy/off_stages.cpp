// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/policy/off_stages.h"

#include "core/compaction/policy_run.h"

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr size_t kBlocksAtOnce = 1'000; ///< more are left to a job
constexpr std::chrono::milliseconds kStillness { 150 };

} // namespace

OffStages::OffStages(ViewState &state)
    : m_state(state)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kStillness);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        m_job.start(this, std::exchange(m_work, nullptr), [this](const Figures &figures) { Q_EMIT found(figures); });
    });
}

void OffStages::start(const core::Compaction &made)
{
    m_timer.stop();
    m_job.cancel();
    if (std::ranges::all_of(made.policy->stages, &core::StageSpec::isEnabled))
        return;
    core::CompactOptions options;
    options.position = m_state.position();
    options.ignoresTriggers = !m_state.workspace().plan().honoursTriggers;
    options.overrides = m_state.workspace().plan().overrides;
    options.memo = m_state.workspace().memo();
    options.sums = m_state.workspace().sums(m_state.position().thread);
    m_work = [before = made.before, weights = m_state.picture().weights, options, policy = made.policy,
                 tokens = m_state.workspace().tokens()](core::Progress &progress) {
        Figures figures(policy->stages.size());
        for (size_t i = 0; i < figures.size() && !progress.isCancelled(); ++i) {
            if (policy->stages[i].isEnabled)
                continue;
            const auto tried = std::make_shared<const core::Policy>(core::withStageEnabled(*policy, i, true));
            figures[i] = stageFigures(core::compact(before, tried, *tokens, options), weights).stages[i];
        }
        return figures;
    };
    if (made.before.blocks().size() > kBlocksAtOnce)
        return m_timer.start();
    core::Progress progress;
    Q_EMIT found(std::exchange(m_work, nullptr)(progress));
}

void OffStages::cancel() { m_job.cancel(); }

} // namespace ui
