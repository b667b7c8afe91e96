// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/base/replays.h"

#include "ui/base/workspace.h"

#include <QEventLoop>

namespace ui {

Replays::Replays(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::tokensChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::planChanged, this, &Replays::refresh);
    connect(&workspace, &Workspace::shownThreadChanged, this, &Replays::refresh);
}

Replays::~Replays() = default;

Replays::Ground Replays::ground() const
{
    return { m_workspace.session(), m_workspace.tokens(), m_workspace.shownThread() };
}

void Replays::refresh()
{
    const Ground wanted = ground();
    const bool isPossible = wanted.session && wanted.tokens && m_workspace.plan().isSimulated()
        && wanted.thread.index() < wanted.session->threads.size();
    const bool isSameGround = wanted == m_ground;
    if (!isSameGround) {
        m_ground = wanted;
        m_made.reset();
    }
    if (!isPossible) {
        m_job.cancel();
        return setCurrent(nullptr);
    }
    if (!isSameGround)
        setCurrent(nullptr);
    else if (m_job.isRunning()) {
        m_isOutdated = true;
        return;
    }
    start();
}

void Replays::start()
{
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
                made = core::replayGround(ground.session, ground.thread, ground.tokens);
            options.progress = &progress;
            return core::replay(made, policy, options);
        },
        [this](core::ReplayPtr replay) { take(std::move(replay)); });
}

void Replays::take(core::ReplayPtr replay)
{
    if (replay)
        m_made = replay->ground;
    if (m_isOutdated)
        start();
    setCurrent(std::move(replay));
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
    while (m_job.isRunning()) {
        QEventLoop loop;
        connect(this, &Replays::changed, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

} // namespace ui
