// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/tuning_model.h"

#include "ui/hub/run_figures.h"
#include "ui/hub/thread_facts.h"

#include <cmath>
#include <utility>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

constexpr size_t kFewUses = 30; ///< one lost use is more than 3 %

} // namespace

TuningModel::TuningModel(ViewState &state, QObject *parent)
    : MapModel(state, parent)
    , m_sweeps(state.workspace())
{
    connect(&m_sweeps, &Sweeps::changed, this, &TuningModel::takeMap);
    connect(&m_sweeps, &Sweeps::stateChanged, this, &TuningModel::stateChanged);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &TuningModel::findExact);
    connect(&state.workspace().facts(), &ThreadFacts::traceGroundChanged, this, &TuningModel::takeMap);
}

double TuningModel::window() const
{
    const SweepMap &shown = map();
    return shown.isEmpty() ? 0 : shown.sweep()->policy->windowOf(m_sweeps.ground()->sweep->recorded->ground->session());
}

std::span<const double> TuningModel::recordedTriggers() const
{
    return m_sweeps.ground() ? std::span<const double>(m_sweeps.ground()->triggers) : std::span<const double>();
}

core::CellLimits TuningModel::limits() const
{
    const core::SweepGround &ground = *m_sweeps.ground()->sweep;
    core::CellLimits limits;
    limits.lostUses = std::floor(m_lostShare * static_cast<double>(ground.uses->count(core::kHeadlineUses)));
    limits.lostMessages = (*m_recorded)[SweepMetric::LostMessages];
    // If a recorded prompt is larger than the window, this window is wrong.
    const double window = static_cast<double>(ground.recorded->ground->session().windowTokens.value_or(0));
    limits.window = ground.recorded->prompts.byUsage.peak.value > window ? 0 : window;
    return limits;
}

SweepMetric TuningModel::aim() const
{
    return m_recorded && !std::isnan((*m_recorded)[SweepMetric::Cost]) ? SweepMetric::Cost : SweepMetric::Tokens;
}

void TuningModel::judgeCells()
{
    m_accepted.clear();
    m_eligible.clear();
    m_best.reset();
    m_recorded.reset();
    const core::SweepPtr &sweep = m_sweeps.current();
    if (!sweep)
        return;
    m_recorded = m_sweeps.ground()->recorded;
    if (const TraceGroundPtr &traces = state().workspace().facts().traceGround()) {
        const core::InContext messages = core::inContextAt(traces->userMessages, traces->spans.callCount);
        (*m_recorded)[SweepMetric::LostMessages] = static_cast<double>(messages.all - messages.standing);
    }
    m_accepted = core::eligibleCells(*sweep, { .window = limits().window });
    m_eligible = core::eligibleCells(*sweep, limits());
    m_best = core::bestCell(*sweep, aim(), m_eligible);
    const double recorded = (*m_recorded)[aim()];
    if (m_best && !((*sweep->cells[*m_best])[aim()] < recorded * (1 - SweepMap::kVisible)))
        m_best.reset();
}

void TuningModel::takeMap()
{
    const core::SweepPtr &sweep = m_sweeps.current();
    if (sweep)
        chooseMetrics(*sweep);
    judgeCells();
    setMap(sweep ? SweepMap(sweep, metric(), { m_sweeps.ground()->cliffs, (*m_recorded)[metric()], m_accepted })
                 : SweepMap());
}

void TuningModel::setLostShare(double share)
{
    if (std::exchange(m_lostShare, share) != share)
        takeMap();
}

const core::SweepFigures *TuningModel::recorded() const
{
    return map().isEmpty() || !m_recorded ? nullptr : &*m_recorded;
}

QString TuningModel::limitWords() const
{
    QString uses = tr("at most %1 % of the uses lost").arg(m_lostShare * 100);
    const double messages = m_recorded ? (*m_recorded)[SweepMetric::LostMessages] : std::nan("");
    if (std::isnan(messages))
        return uses;
    return tr("%1, no more of your messages lost than recorded (%2), no call that a provider would refuse")
        .arg(uses)
        .arg(messages);
}

QString TuningModel::answer() const
{
    if (map().isEmpty() || !m_recorded)
        return {};
    const double recorded = (*m_recorded)[aim()];
    if (std::isnan(recorded))
        return tr("The recorded run has no usage to compare with.");
    const QString before = shown(aim(), recorded);
    if (!m_best)
        return tr("No setting of this policy within the limits is better than the recorded %1. Keep yours.")
            .arg(before);
    const double best = (*map().sweep()->cells[*m_best])[aim()];
    return tr("Best within the limits: %1. It takes %2, %3 % less than the recorded %4.")
        .arg(settingsAt(placeOf(*m_best)).join(tr(" and ")), shown(aim(), best))
        .arg((1 - best / recorded) * 100, 0, 'f', 1)
        .arg(before);
}

const core::SweepFigures *TuningModel::own() const
{
    return map().isEmpty() || !m_sweeps.ground()->ownPolicy ? nullptr : &m_sweeps.ground()->own;
}

QString TuningModel::besideOwn() const
{
    if (map().isEmpty())
        return {};
    QStringList sentences;
    const core::SweepFigures *figures = m_best ? &*map().sweep()->cells[*m_best] : markerFigures();
    if (figures != nullptr && own() != nullptr) {
        const QString name = displayText(m_sweeps.ground()->ownPolicy->name);
        if (const std::string words = core::differenceWords(*figures, *own()); !words.empty())
            sentences << (m_best ? tr("Beside %1 as it is: %2.") : tr("The chosen settings beside %1 as it is: %2."))
                             .arg(name, displayText(words));
    }
    if (const size_t uses = m_sweeps.ground()->sweep->uses->count(core::kHeadlineUses); uses < kFewUses)
        sentences << (uses == 0 ? tr("This session has no uses of earlier texts, so losses cannot be judged.")
                                : tr("This session has only %1 of earlier texts, so lost uses say little.")
                                      .arg(counted(uses, tr("use"), tr("uses"))));
    return sentences.join(u' ');
}

void TuningModel::findExact()
{
    const RunFigures &figures = state().workspace().figures();
    m_exact.reset();
    if (figures.policy() && figures.policy()->regret && figures.recorded())
        m_exact = core::sweepFigures(*figures.policy(), *figures.recorded());
    Q_EMIT markerChanged();
}

const core::SweepFigures *TuningModel::markerFigures() const
{
    const core::SweepFigures *nearest = MapModel::markerFigures();
    return nearest != nullptr && m_exact ? &*m_exact : nearest;
}

} // namespace ui
