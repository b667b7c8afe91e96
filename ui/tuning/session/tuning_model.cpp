// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/session/tuning_model.h"

#include "ui/hub/run_figures.h"

namespace ui {

TuningModel::TuningModel(ViewState &state, QObject *parent)
    : MapModel(state, parent)
    , m_sweeps(state.workspace())
{
    connect(&m_sweeps, &Sweeps::changed, this, &TuningModel::takeMap);
    connect(&m_sweeps, &Sweeps::stateChanged, this, &TuningModel::stateChanged);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &TuningModel::findExact);
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

void TuningModel::takeMap()
{
    const core::SweepPtr &sweep = m_sweeps.current();
    if (sweep)
        chooseMetrics(*sweep);
    setMap(sweep ? SweepMap(sweep, metric(), m_sweeps.ground()->cliffs) : SweepMap());
}

const core::SweepFigures *TuningModel::recorded() const
{
    return map().isEmpty() ? nullptr : &m_sweeps.ground()->recorded;
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
