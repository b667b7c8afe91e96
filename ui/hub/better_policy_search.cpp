// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/better_policy_search.h"

#include "core/compaction/policy.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

#include <QThread>

namespace ui {

namespace {

/// The policy with the suggested settings.
core::PolicyPtr policyOf(const core::SweepSetReport &report)
{
    const core::SweepPlan &plan = report.set.plan;
    const size_t cell = (**report.suggestion).cell;
    const size_t columns = plan.x.values.size();
    core::Policy policy = *plan.policy;
    for (const auto &[axis, at] : { std::pair(&plan.x, cell % columns), std::pair(&plan.y, cell / columns) }) {
        if (auto changed = core::withSetting(policy, axis->setting, axis->textOf(axis->values[at])))
            policy = std::move(*changed);
    }
    return std::make_shared<const core::Policy>(std::move(policy));
}

} // namespace

BetterPolicySearch::BetterPolicySearch(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, [this](bool isNew) {
        if (isNew)
            forget();
    });
}

BetterPolicySearch::~BetterPolicySearch() = default;

bool BetterPolicySearch::isPossible() const { return m_workspace.session() && !m_workspace.path().empty(); }

void BetterPolicySearch::forget()
{
    m_find.cancel();
    m_found = nullptr;
    countFiles();
    Q_EMIT changed();
}

void BetterPolicySearch::countFiles()
{
    m_need.clear();
    m_hasOthers = false;
    m_count.cancel();
    if (!isPossible())
        return;
    m_count.start(
        this, [file = m_workspace.path().string()](core::Progress &) { return core::filesBeside(file).size(); },
        [this](size_t files) {
            m_hasOthers = files > 1;
            m_need = displayText(core::betterPolicyNeed(files > 0 ? files - 1 : 0));
            Q_EMIT changed();
        });
}

void BetterPolicySearch::startOrStop()
{
    if (m_find.isRunning())
        m_find.cancel();
    else if (isPossible())
        start();
    Q_EMIT changed();
}

void BetterPolicySearch::start()
{
    m_found = nullptr;
    m_done = 0;
    const auto tell = [this, run = ++m_run](size_t done) {
        QMetaObject::invokeMethod(
            this,
            [this, run, done] {
                if (run != m_run)
                    return;
                m_done = done;
                Q_EMIT changed();
            },
            Qt::QueuedConnection);
    };
    m_find.start(
        this,
        [file = m_workspace.path().string(), session = m_workspace.session(), prices = m_workspace.figures().prices(),
            tell](core::Progress &progress) -> BetterPolicyPtr {
            core::RunSweepOptions options;
            options.threads = static_cast<unsigned>(std::max(1, QThread::idealThreadCount()));
            options.progress = &progress;
            auto found = core::findBetterPolicy(file, session, core::filesBeside(file), *prices, options, tell);
            return found ? std::make_shared<const core::BetterPolicy>(std::move(*found)) : nullptr;
        },
        [this](BetterPolicyPtr found) {
            m_found = std::move(found);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

void BetterPolicySearch::take()
{
    if (!m_found || !m_found->choice.chosen)
        return;
    const core::PolicyPtr policy = policyOf(m_found->choice.policies[*m_found->choice.chosen]);
    m_workspace.commitPlan(m_workspace.planWith(policy), tr("Choose %1").arg(displayText(policy->name)));
}

void BetterPolicySearch::wait()
{
    m_count.wait();
    m_find.wait();
}

} // namespace ui
