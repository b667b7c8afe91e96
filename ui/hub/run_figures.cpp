// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/run_figures.h"

#include "ui/files/settings.h"
#include "ui/hub/replays.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

namespace ui {

RunFigures::RunFigures(Workspace &workspace)
    : m_workspace(workspace)
{
    auto prices = core::pricesWith(ownPricesFile().toStdString());
    if (!prices)
        m_priceProblem = displayText(prices.error().sentence());
    m_prices = std::make_shared<const core::Prices>(prices ? std::move(*prices) : core::Prices::bundled());
    connect(&workspace, &Workspace::tokensChanged, this, &RunFigures::findRecorded);
    connect(&workspace, &Workspace::shownThreadChanged, this, &RunFigures::findRecorded);
    connect(&workspace.replays(), &Replays::changed, this, &RunFigures::findPolicy);
    connect(&workspace.facts(), &ThreadFacts::usesChanged, this, &RunFigures::findPolicy);
}

RunFigures::~RunFigures() = default;

void RunFigures::findRecorded()
{
    m_findPolicy.cancel();
    setPolicy(nullptr);
    if (std::exchange(m_recorded, nullptr))
        Q_EMIT recordedChanged();
    const core::SessionPtr session = m_workspace.session();
    const core::ThreadIndex thread = m_workspace.shownThread();
    if (!session || m_workspace.isLoading() || thread.index() >= session->threads.size())
        return m_findRecorded.cancel();
    m_findRecorded.start(
        this,
        [session, thread, tokens = m_workspace.tokens(), sums = m_workspace.sums(thread), prices = m_prices,
            memo = m_workspace.memo()](core::Progress &progress) {
            core::ReplayOptions options;
            options.memo = memo;
            options.progress = &progress;
            options.keepsSpans = false;
            return core::recordedFigures(core::replayGround(session, thread, tokens, sums), *prices, options);
        },
        [this](core::RecordedFiguresPtr figures) {
            m_recorded = std::move(figures);
            Q_EMIT recordedChanged();
            findPolicy();
        },
        m_workspace.reporter());
}

void RunFigures::findPolicy()
{
    const core::ReplayPtr replay = m_workspace.replays().current();
    const bool isOfThis = replay && m_recorded && replay->ground->log.session == m_recorded->ground->log.session
        && replay->ground->log.thread == m_recorded->ground->log.thread;
    if (!isOfThis) {
        m_findPolicy.cancel();
        return setPolicy(nullptr);
    }
    // As with replays: during a drag every started job shows its result, then the newest one runs.
    m_isOutdated = m_findPolicy.isRunning();
    if (m_isOutdated)
        return;
    m_findPolicy.start(
        this,
        [replay, recorded = m_recorded, uses = m_workspace.facts().uses()](
            core::Progress &) { return core::policyFigures(replay, *recorded, uses.get()); },
        [this](core::PolicyFiguresPtr figures) { takePolicy(std::move(figures)); }, m_workspace.reporter());
}

void RunFigures::takePolicy(core::PolicyFiguresPtr figures)
{
    if (m_isOutdated)
        findPolicy();
    setPolicy(std::move(figures));
}

void RunFigures::setPolicy(core::PolicyFiguresPtr figures)
{
    if (figures == m_policy)
        return;
    m_policy = std::move(figures);
    Q_EMIT policyChanged();
}

void RunFigures::waitForFigures()
{
    while (m_findRecorded.isRunning() || m_findPolicy.isRunning()) {
        m_findRecorded.wait();
        m_findPolicy.wait();
    }
}

} // namespace ui
