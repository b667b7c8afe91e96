// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/tuning_model.h"

#include "core/replay/sweep_front.h"
#include "ui/base/run_figures.h"

#include <algorithm>
#include <cmath>

namespace ui {

using core::SweepMetric;

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
    if (sweep && !m_isMetricChosen)
        chooseMetrics(*sweep);
    setMap(sweep ? SweepMap(sweep, m_metric, m_sweeps.ground()->cliffs) : SweepMap());
    findFront();
}

void TuningModel::chooseMetrics(const core::Sweep &sweep)
{
    const auto made = std::ranges::find_if(sweep.cells, [](const auto &cell) { return cell.has_value(); });
    if (made == sweep.cells.end())
        return;
    m_metric = std::isnan((**made)[SweepMetric::Cost]) ? SweepMetric::Tokens : SweepMetric::Cost;
    m_frontMetrics = { m_metric, SweepMetric::LostUses };
}

void TuningModel::setMetric(SweepMetric metric)
{
    m_isMetricChosen = true;
    if (std::exchange(m_metric, metric) != metric)
        takeMap();
}

void TuningModel::setFrontMetric(size_t which, SweepMetric metric)
{
    m_isMetricChosen = true;
    if (m_frontMetrics[which] == metric)
        return;
    if (m_frontMetrics[1 - which] == metric)
        m_frontMetrics[1 - which] = m_frontMetrics[which];
    m_frontMetrics[which] = metric;
    findFront();
}

void TuningModel::findFront()
{
    m_front = map().isEmpty() ? std::vector<size_t>()
                              : core::sweepFront(*map().sweep(), m_frontMetrics[0], m_frontMetrics[1]);
    Q_EMIT frontChanged();
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
