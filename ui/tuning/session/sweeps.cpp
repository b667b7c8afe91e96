// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/sweeps.h"

#include "core/sweep/sweep_marks.h"
#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"
#include "ui/hub/workspace.h"

#include <QEventLoop>
#include <QThread>

#include <algorithm>

namespace ui {

namespace {

/// Leaves one processor for the jobs that follow the marker.
unsigned sweepThreads() { return static_cast<unsigned>(std::max(1, QThread::idealThreadCount() - 1)); }

/// What the harness's own policy costs and loses by the same rules: the reference for losses, which a recording does
/// not have.
void addOwn(TuningGround &ground, const core::SweepGround &sweep, core::Progress *progress)
{
    const auto own = core::ownRun(sweep, progress);
    if (!own)
        return;
    ground.ownPolicy = own->replay->policy;
    ground.ownDeeds = core::compactionWords(*own->replay);
    for (const core::ContextRewrite &each : core::rewritesOf(*own->replay))
        ground.ownCalls.push_back(each.firstCall);
    ground.own = own->figures;
}

TuningGroundPtr groundOf(core::SweepGround sweep, core::Progress *progress = nullptr)
{
    const core::ReplayGround &replay = *sweep.recorded->ground;
    TuningGround ground;
    ground.recorded = core::recordedSweepFigures(*sweep.recorded);
    ground.triggers = core::recordedTriggers(replay);
    ground.cliffs = core::priceCliffs(*sweep.recorded->costs);
    const std::vector<double> distances = core::useDistances(replay.session(), *sweep.uses, *replay.tokens);
    std::array<std::vector<double>, 2> kinds;
    std::vector<double> all;
    for (size_t i = 0; i < distances.size(); ++i) {
        const core::Use &use = sweep.uses->uses[i];
        if ((core::kHeadlineUses & core::only(use.kind)) == 0 || sweep.uses->isUnsure(use, *replay.sums))
            continue;
        all.push_back(distances[i]);
        kinds[use.kind == core::UseKind::Quote ? 0 : 1].push_back(distances[i]);
    }
    ground.reach = core::Reach(std::move(all));
    for (size_t i = 0; i < kinds.size(); ++i)
        ground.kinds[i] = core::Reach(std::move(kinds[i]));
    addOwn(ground, sweep, progress);
    ground.sweep = std::make_shared<const core::SweepGround>(std::move(sweep));
    return std::make_shared<const TuningGround>(std::move(ground));
}

} // namespace

Sweeps::Sweeps(Workspace &workspace)
    : m_workspace(workspace)
    , m_settings(workspace, kGrid)
{
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &Sweeps::start);
    connect(&m_settings, &SweptSettings::changed, this, &Sweeps::refresh);
    connect(&workspace, &Workspace::sessionChanged, this, &Sweeps::refresh);
    connect(&workspace, &Workspace::planChanged, this, &Sweeps::refresh);
    connect(&workspace.figures(), &RunFigures::recordedChanged, this, &Sweeps::refresh);
    connect(&workspace.facts(), &ThreadFacts::usesChanged, this, &Sweeps::refresh);
}

Sweeps::~Sweeps() = default;

void Sweeps::setWanted(bool isWanted)
{
    if (std::exchange(m_isWanted, isWanted) == isWanted)
        return;
    if (isWanted)
        return refresh();
    m_stillness.stop();
    if (!m_job.isRunning())
        return;
    m_job.cancel();
    m_asked.reset();
}

std::optional<Sweeps::Wanted> Sweeps::wanted() const
{
    const core::RecordedFiguresPtr &recorded = m_workspace.figures().recorded();
    const auto &uses = m_workspace.facts().uses();
    const bool isOfThis = recorded && recorded->ground->log.session == m_workspace.session()
        && recorded->ground->log.thread == m_workspace.shownThread();
    if (!isOfThis || !uses)
        return std::nullopt;
    auto swept = m_settings.swept(*m_workspace.session(), m_asked ? std::optional(m_asked->swept) : std::nullopt);
    if (!swept)
        return std::nullopt;
    return Wanted { recorded, uses, m_workspace.plan().overrides, std::move(*swept) };
}

bool Sweeps::isSame(const Wanted &a, const Wanted &b)
{
    return a.recorded == b.recorded && a.uses == b.uses && a.overrides == b.overrides && a.swept.isSame(b.swept);
}

TuningGroundPtr Sweeps::groundFor(const Wanted &now) const
{
    if (!m_ground)
        return nullptr;
    const core::SweepGround &known = *m_ground->sweep;
    return known.recorded == now.recorded && known.uses == now.uses && known.overrides == now.overrides ? m_ground
                                                                                                        : nullptr;
}

void Sweeps::forget()
{
    m_job.cancel();
    m_stillness.stop();
    m_asked.reset();
    ++m_run;
    m_isOutdated = false;
    if (std::exchange(m_current, nullptr))
        Q_EMIT changed();
    Q_EMIT stateChanged();
}

void Sweeps::refresh()
{
    m_settings.keepKnown();
    const core::SessionPtr &session = m_workspace.session();
    const bool isOfOther = m_ground && m_current && m_ground->sweep->recorded->ground->log.session != session;
    if (m_settings.all().empty() || isOfOther)
        forget();
    if (!m_isWanted)
        return;
    const auto now = wanted();
    if (now && m_asked && isSame(*now, *m_asked)) {
        // The map of these settings is there, or is being made.
        m_stillness.stop();
        return setOutdated(m_job.isRunning() && m_isOutdated);
    }
    setOutdated(m_current != nullptr);
    if (now)
        m_stillness.start();
    Q_EMIT stateChanged();
}

void Sweeps::start()
{
    auto now = wanted();
    if (!now || !m_isWanted)
        return;
    m_asked = now;
    core::SweepGround ground;
    ground.recorded = now->recorded;
    ground.uses = now->uses;
    ground.prices = m_workspace.figures().prices();
    ground.memo = m_workspace.memo();
    ground.overrides = now->overrides;
    const uint64_t run = ++m_run;
    const auto known = std::make_shared<TuningGroundPtr>(groundFor(*now));
    const auto publish = [this, run, known](const core::SweepPtr &sweep) {
        QMetaObject::invokeMethod(
            this, [this, run, made = *known, sweep] { take(run, made, sweep); }, Qt::QueuedConnection);
    };
    m_job.start(
        this,
        [ground, now = std::move(*now), known, publish](core::Progress &progress) -> core::SweepPtr {
            if (!*known)
                *known = groundOf(ground, &progress);
            core::SweepOptions options;
            options.threads = sweepThreads();
            options.progress = &progress;
            options.publish = publish;
            return core::sweep((*known)->sweep, now.swept.policy, now.swept.x, now.swept.y, options);
        },
        [this, run, known](const core::SweepPtr &sweep) { take(run, *known, sweep); });
    Q_EMIT stateChanged();
}

void Sweeps::take(uint64_t run, TuningGroundPtr ground, core::SweepPtr sweep)
{
    if (run != m_run || !sweep)
        return;
    m_ground = std::move(ground);
    m_current = std::move(sweep);
    setOutdated(m_stillness.isActive());
    Q_EMIT changed();
    Q_EMIT stateChanged();
}

void Sweeps::show(core::SweepGround ground, core::SweepPtr sweep)
{
    take(++m_run, groundOf(std::move(ground)), std::move(sweep));
}

void Sweeps::setOutdated(bool isOutdated)
{
    if (std::exchange(m_isOutdated, isOutdated) != isOutdated)
        Q_EMIT stateChanged();
}

void Sweeps::waitForSweep()
{
    while (isRunning()) {
        QEventLoop loop;
        connect(this, &Sweeps::changed, &loop, &QEventLoop::quit);
        connect(this, &Sweeps::stateChanged, &loop, &QEventLoop::quit);
        loop.exec(QEventLoop::ExcludeUserInputEvents);
    }
}

} // namespace ui
