// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/replays.h"

#include "ui/hub/workspace.h"

namespace ui {

Replays::Replays(Workspace &workspace)
    : m_workspace(workspace)
{
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &Replays::start);
    connect(&workspace, &Workspace::sessionChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::tokensChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::planChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::shownThreadChanged, this, &Replays::refresh);
}

Replays::~Replays() = default;

Replays::Ground Replays::ground() const
{
    const core::ThreadIndex thread = m_workspace.shownThread();
    return { m_workspace.session(), m_workspace.tokens(), thread, m_workspace.sums(thread) };
}

void Replays::refresh()
{
    if (m_workspace.isGrowing())
        return; // the replay before stays until records stop arriving
    const Ground wanted = ground();
    const bool isPossible = wanted.session && wanted.tokens && m_workspace.plan().isSimulated()
        && wanted.thread.index() < wanted.session->threads.size();
    const bool isSameGround = wanted == m_ground;
    if (!isSameGround) {
        m_ground = wanted;
        m_made.reset();
        m_lastTime = {};
    }
    if (!isSameGround || !isPossible) {
        m_stillness.stop();
        m_job.cancel();
        setCurrent(nullptr);
        if (isPossible)
            start();
        return;
    }
    if (m_job.isRunning() && !isSlow()) {
        m_isOutdated = true;
        return;
    }
    m_job.cancel(); // results that nobody waits for
    startSoon();
}

void Replays::startSoon()
{
    if (m_workspace.isPreviewing() && isSlow())
        m_stillness.start();
    else
        start();
}

void Replays::start()
{
    m_stillness.stop();
    m_isOutdated = false;
    const Plan &plan = m_workspace.plan();
    core::ReplayOptions options;
    options.overrides = plan.overrides;
    options.memo = m_workspace.memo();
    m_job.start(
        this,
        [ground = m_ground, made = m_made, policy = plan.policy ? plan.policy : core::preset("none"), options](
            core::Progress &progress) mutable {
            if (!made)
                made = core::replayGround(ground.session, ground.thread, ground.tokens, ground.sums);
            options.progress = &progress;
            const auto began = std::chrono::steady_clock::now();
            core::ReplayPtr replay = core::replay(made, policy, options);
            return Made { std::move(replay), std::chrono::steady_clock::now() - began };
        },
        [this](Made made) { take(std::move(made)); }, m_workspace.reporter());
}

void Replays::take(Made made)
{
    if (made.replay)
        m_made = made.replay->ground;
    m_lastTime = made.time;
    if (m_isOutdated)
        startSoon();
    setCurrent(std::move(made.replay));
}

void Replays::setCurrent(core::ReplayPtr replay)
{
    if (replay == m_current)
        return;
    m_current = std::move(replay);
    Q_EMIT changed();
}

void Replays::waitForReplay()
{
    while (isRunning()) {
        if (m_stillness.isActive())
            start();
        m_job.wait();
    }
}

} // namespace ui
