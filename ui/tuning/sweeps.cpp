// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/sweeps.h"

#include "core/replay/sweep_marks.h"
#include "ui/base/run_figures.h"
#include "ui/base/thread_facts.h"
#include "ui/base/workspace.h"

#include <QEventLoop>
#include <QThread>

#include <algorithm>

namespace ui {

namespace {

/// One processor is left to what follows the marker.
unsigned sweepThreads() { return static_cast<unsigned>(std::max(1, QThread::idealThreadCount() - 1)); }

bool isSameAxis(const core::SweepAxis &a, const core::SweepAxis &b)
{
    return a.setting == b.setting && a.unit == b.unit && a.values == b.values;
}

core::PolicyPtr withFirstValues(const core::Policy &policy, const core::SweepAxis &x, const core::SweepAxis &y)
{
    auto first = core::withSetting(policy, x.setting, x.textOf(x.values.front()));
    if (first)
        first = core::withSetting(*first, y.setting, y.textOf(y.values.front()));
    return first ? std::make_shared<const core::Policy>(std::move(*first)) : nullptr;
}

TuningGroundPtr groundOf(core::SweepGround sweep)
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
        const core::UseKind kind = sweep.uses->uses[i].kind;
        if ((core::kHeadlineUses & core::only(kind)) == 0)
            continue;
        all.push_back(distances[i]);
        kinds[kind == core::UseKind::Quote ? 0 : 1].push_back(distances[i]);
    }
    ground.reach = core::Reach(std::move(all));
    for (size_t i = 0; i < kinds.size(); ++i)
        ground.kinds[i] = core::Reach(std::move(kinds[i]));
    ground.sweep = std::make_shared<const core::SweepGround>(std::move(sweep));
    return std::make_shared<const TuningGround>(std::move(ground));
}

} // namespace

Sweeps::Sweeps(Workspace &workspace)
    : m_workspace(workspace)
{
    m_stillness.setSingleShot(true);
    m_stillness.setInterval(kStillness);
    connect(&m_stillness, &QTimer::timeout, this, &Sweeps::start);
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

std::vector<std::string> Sweeps::settings() const
{
    const core::PolicyPtr &policy = m_workspace.plan().policy;
    return policy ? core::sweepSettings(*policy) : std::vector<std::string>();
}

void Sweeps::setSetting(Axis axis, const std::string &setting)
{
    std::string &own = m_settings[static_cast<size_t>(axis)];
    std::string &other = m_settings[axis == Axis::X ? 1 : 0];
    if (own == setting)
        return;
    if (other == setting)
        other = own;
    own = setting;
    Q_EMIT settingsChanged();
    refresh();
}

void Sweeps::keepSettings()
{
    const std::vector<std::string> known = settings();
    const auto isKnown = [&](const std::string &each) { return std::ranges::find(known, each) != known.end(); };
    if (known.empty() || std::ranges::all_of(m_settings, isKnown))
        return;
    m_settings = { "keep", "trigger" };
    Q_EMIT settingsChanged();
}

std::optional<core::SweepAxis> Sweeps::axisFor(const core::Policy &policy, Axis which) const
{
    // The values stay while the policy's own is among them: a map does not slip away below the marker.
    const std::string &setting = this->setting(which);
    if (m_asked) {
        const core::SweepAxis &before = which == Axis::X ? m_asked->x : m_asked->y;
        const auto value = before.setting == setting ? core::valueIn(policy, before) : std::nullopt;
        if (value && m_asked->policy->id == policy.id && *value >= before.values.front()
            && *value <= before.values.back())
            return before;
    }
    const auto axis = core::parseAxis(policy, *m_workspace.session(), setting, m_grid);
    return axis && !axis->values.empty() ? std::optional(*axis) : std::nullopt;
}

std::optional<Sweeps::Wanted> Sweeps::wanted() const
{
    const core::PolicyPtr &policy = m_workspace.plan().policy;
    const core::RecordedFiguresPtr &recorded = m_workspace.figures().recorded();
    const auto &uses = m_workspace.facts().uses();
    const bool isOfThis = recorded && recorded->ground->log.session == m_workspace.session()
        && recorded->ground->log.thread == m_workspace.shownThread();
    if (!policy || !isOfThis || !uses)
        return std::nullopt;
    auto x = axisFor(*policy, Axis::X);
    auto y = axisFor(*policy, Axis::Y);
    if (!x || !y)
        return std::nullopt;
    core::PolicyPtr first = withFirstValues(*policy, *x, *y);
    if (!first)
        return std::nullopt;
    return Wanted { recorded, uses, m_workspace.plan().overrides, std::move(first), std::move(*x), std::move(*y) };
}

bool Sweeps::isSame(const Wanted &a, const Wanted &b)
{
    return a.recorded == b.recorded && a.uses == b.uses && a.overrides.keep == b.overrides.keep
        && a.overrides.drop == b.overrides.drop && a.policy->document == b.policy->document && isSameAxis(a.x, b.x)
        && isSameAxis(a.y, b.y);
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
    keepSettings();
    const core::SessionPtr &session = m_workspace.session();
    const bool isOfOther = m_ground && m_current && m_ground->sweep->recorded->ground->log.session != session;
    if (!m_workspace.plan().policy || isOfOther)
        forget();
    if (!m_isWanted)
        return;
    const auto now = wanted();
    if (now && m_asked && isSame(*now, *m_asked)) {
        // Back to what is there, or on its way.
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
    const auto known = std::make_shared<TuningGroundPtr>();
    const auto publish = [this, run, known](const core::SweepPtr &sweep) {
        QMetaObject::invokeMethod(
            this, [this, run, made = *known, sweep] { take(run, made, sweep); }, Qt::QueuedConnection);
    };
    m_job.start(
        this,
        [ground, now = std::move(*now), known, publish](core::Progress &progress) -> core::SweepPtr {
            *known = groundOf(ground);
            core::SweepOptions options;
            options.threads = sweepThreads();
            options.progress = &progress;
            options.publish = publish;
            return core::sweep((*known)->sweep, now.policy, now.x, now.y, options);
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
