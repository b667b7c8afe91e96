// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/tuning_model.h"

#include "core/replay/sweep_front.h"
#include "ui/base/run_figures.h"

#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;

namespace {

/// A line of the read-out each; lost quotes and repeats stand behind their sum.
constexpr std::array kRead { SweepMetric::Cost, SweepMetric::Tokens, SweepMetric::Removed, SweepMetric::Peak,
    SweepMetric::Mean, SweepMetric::Compactions, SweepMetric::HitShare, SweepMetric::LostUses, SweepMetric::FetchTokens,
    SweepMetric::LostMessages, SweepMetric::LostBytes, SweepMetric::TornCalls };
static_assert(kRead.size() == TuningModel::kFigureLines);

/// Those before say what a run is like, not what it lost.
bool isLoss(SweepMetric metric) { return metric >= SweepMetric::LostUses; }

QString utf8(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

} // namespace

TuningModel::TuningModel(ViewState &state, QObject *parent)
    : QObject(parent)
    , m_state(state)
    , m_sweeps(state.workspace())
{
    connect(&m_sweeps, &Sweeps::changed, this, &TuningModel::takeMap);
    connect(&state.workspace(), &Workspace::planChanged, this, &TuningModel::findMarker);
    connect(&state.workspace().figures(), &RunFigures::policyChanged, this, &TuningModel::findExact);
}

double TuningModel::window() const
{
    const SweepMap &shown = map();
    return shown.isEmpty() ? 0 : shown.sweep()->policy->windowOf(m_sweeps.ground()->sweep->recorded->ground->session());
}

void TuningModel::takeMap()
{
    const core::SweepPtr &sweep = m_sweeps.current();
    if (sweep && !m_isMetricChosen)
        chooseMetrics(*sweep);
    const bool isSameGrid = sweep && !m_map.isEmpty() && sweep->x.values == m_map.sweep()->x.values
        && sweep->y.values == m_map.sweep()->y.values;
    m_map = sweep ? SweepMap(sweep, m_metric, m_sweeps.ground()->cliffs) : SweepMap();
    if (!isSameGrid)
        setHovered(std::nullopt);
    Q_EMIT mapChanged();
    findFront();
    findMarker();
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
    m_front = m_map.isEmpty() ? std::vector<size_t>()
                              : core::sweepFront(*m_map.sweep(), m_frontMetrics[0], m_frontMetrics[1]);
    Q_EMIT frontChanged();
}

void TuningModel::setHovered(std::optional<size_t> cell)
{
    if (std::exchange(m_hovered, cell) != cell)
        Q_EMIT hoverChanged();
}

void TuningModel::findMarker()
{
    const core::PolicyPtr &policy = m_state.workspace().plan().policy;
    m_marker.reset();
    if (policy && !m_map.isEmpty()) {
        const auto x = core::valueIn(*policy, m_map.sweep()->x);
        const auto y = core::valueIn(*policy, m_map.sweep()->y);
        if (x && y)
            m_marker = Place { *x, *y };
    }
    Q_EMIT markerChanged();
}

void TuningModel::findExact()
{
    const RunFigures &figures = m_state.workspace().figures();
    m_exact.reset();
    if (figures.policy() && figures.policy()->regret && figures.recorded())
        m_exact = core::sweepFigures(*figures.policy(), *figures.recorded());
    Q_EMIT markerChanged();
}

const core::SweepFigures *TuningModel::markerFigures() const
{
    const auto cell = markerCell();
    return !cell ? nullptr : m_exact ? &*m_exact : m_map.figures(*cell);
}

std::optional<TuningModel::Place> TuningModel::readPlace() const
{
    return m_hovered ? std::optional(placeOf(*m_hovered)) : m_marker;
}

const core::SweepFigures *TuningModel::readFigures() const
{
    return m_hovered ? m_map.figures(*m_hovered) : markerFigures();
}

std::optional<size_t> TuningModel::markerCell() const
{
    if (!m_marker)
        return std::nullopt;
    const core::Sweep &sweep = *m_map.sweep();
    return sweep.indexOf(sweep.x.nearest(m_marker->x), sweep.y.nearest(m_marker->y));
}

TuningModel::Place TuningModel::placeOf(size_t cell) const
{
    const core::Sweep &sweep = *m_map.sweep();
    return { sweep.x.values[m_map.columnOf(cell)], sweep.y.values[m_map.rowOf(cell)] };
}

std::optional<core::Policy> TuningModel::policyAt(const Place &place) const
{
    const core::PolicyPtr &now = m_state.workspace().plan().policy;
    if (!now || m_map.isEmpty())
        return std::nullopt;
    const core::Sweep &sweep = *m_map.sweep();
    auto policy = core::withSetting(*now, sweep.x.setting, sweep.x.textOf(place.x));
    if (policy)
        policy = core::withSetting(*policy, sweep.y.setting, sweep.y.textOf(place.y));
    return policy ? std::optional(std::move(*policy)) : std::nullopt;
}

QString TuningModel::deed() const { return m_marker ? tr("Change %1").arg(words(*m_marker)) : QString(); }

void TuningModel::beginMove()
{
    if (!std::exchange(m_isMoving, true))
        m_state.workspace().beginGesture();
}

void TuningModel::moveTo(const Place &place)
{
    if (m_marker && *m_marker == place)
        return;
    if (auto policy = policyAt(place))
        m_state.workspace().previewPlan(m_state.workspace().planWith(std::move(*policy)));
}

void TuningModel::endMove()
{
    if (std::exchange(m_isMoving, false))
        m_state.workspace().endGesture(deed());
}

void TuningModel::cancelMove()
{
    if (std::exchange(m_isMoving, false))
        m_state.workspace().cancelGesture();
}

void TuningModel::take(size_t cell)
{
    beginMove();
    moveTo(placeOf(cell));
    endMove();
}

QString TuningModel::words(const Place &place) const
{
    const core::Sweep &sweep = *m_map.sweep();
    return u"%1 %2 · %3 %4"_s.arg(
        utf8(sweep.x.setting), utf8(sweep.x.textOf(place.x)), utf8(sweep.y.setting), utf8(sweep.y.textOf(place.y)));
}

std::vector<TuningModel::Figure> TuningModel::linesOf(const core::SweepFigures &figures)
{
    std::vector<Figure> lines;
    for (const SweepMetric metric : kRead) {
        const double value = figures[metric];
        lines.push_back({ titleOf(metric), utf8(core::shownMetric(metric, value)), isLoss(metric) && value > 0 });
    }
    return lines;
}

QString TuningModel::spoken(const Place &place, const core::SweepFigures *figures) const
{
    QString spoken = words(place).replace(u" · "_s, u", "_s);
    if (figures == nullptr)
        return spoken + tr(", not swept yet");
    for (const Figure &figure : linesOf(*figures))
        spoken += u", "_s + figure.title + u' ' + figure.value;
    if (figures->isExtrapolated)
        spoken += tr(", extrapolated beyond the recorded contexts");
    return spoken;
}

QString TuningModel::titleOf(SweepMetric metric) { return utf8(core::infoOf(metric).title); }

} // namespace ui
