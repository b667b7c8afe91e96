// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/folder_model.h"

#include "core/sweep/sweep_front.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace ui {

using namespace Qt::StringLiterals;
using core::SweepMetric;
using core::SweepScale;

FolderModel::FolderModel(ViewState &state, QObject *parent)
    : MapModel(state, parent)
    , m_sweeps(state.workspace())
    , m_suggestions(state.workspace())
{
    connect(&m_sweeps, &FolderSweeps::changed, this, &FolderModel::takeMap);
    connect(&m_sweeps, &FolderSweeps::stateChanged, this, [this] {
        suggestOfMap();
        Q_EMIT stateChanged();
    });
    connect(&m_suggestions, &Suggestions::changed, this, &FolderModel::followLimits);
    connect(this, &FolderModel::markerChanged, this, &FolderModel::orderRuns);
}

const core::SweepSet *FolderModel::set() const { return map().isEmpty() ? nullptr : &m_sweeps.current()->set; }

double FolderModel::window() const
{
    const core::SweepSet *shown = set();
    if (shown == nullptr || shown->runs.empty())
        return 0;
    const double window = shown->runs.front().window;
    const bool isSame
        = std::ranges::all_of(shown->runs, [&](const core::RunSweep &run) { return run.window == window; });
    return isSame ? window : 0;
}

void FolderModel::takeMap()
{
    const FolderMapPtr &made = m_sweeps.current();
    const core::SweepPtr shown = made ? made->map(m_spread) : nullptr;
    if (shown)
        chooseMetrics(*shown);
    m_accepted = eligible({});
    m_eligible = eligible(m_suggestions.limits());
    const double reference = shown ? made->recorded[static_cast<size_t>(m_spread)][metric()] : std::nan("");
    setMap(shown ? SweepMap(shown, metric(), { {}, reference, m_accepted }) : SweepMap());
    suggestOfMap();
}

/// The dots and the suggestion follow the same limits.
std::vector<bool> FolderModel::eligible(std::span<const core::SweepLimit> limits) const
{
    const FolderMapPtr &made = m_sweeps.current();
    if (!made || !made->map(m_spread))
        return {};
    std::vector<size_t> runs(made->set.runs.size());
    std::iota(runs.begin(), runs.end(), size_t { 0 });
    std::vector<bool> eligible = core::eligibleCells(made->set, runs, limits);
    const core::SweepPlan &plan = made->set.plan;
    const std::vector<bool> settable
        = limits.empty() ? std::vector<bool>() : core::settableCells(*plan.policy, plan.x, plan.y);
    for (size_t cell = 0; cell < settable.size(); ++cell)
        eligible[cell] = eligible[cell] && settable[cell];
    return eligible;
}

void FolderModel::followLimits()
{
    if (auto now = map().isEmpty() ? std::vector<bool>() : eligible(m_suggestions.limits()); now != m_eligible) {
        m_eligible = std::move(now);
        Q_EMIT mapChanged(); // its dots
    }
    Q_EMIT stateChanged();
}

QString FolderModel::acceptableWords() const { return tr("within the limits of the suggestion"); }

QString FolderModel::doubtWords() const
{
    const bool isStay = suggestedCell() && !isSuggestionUseful();
    return isStay && metric() == (**m_suggestions.chosen()->suggestion).aim && std::ranges::contains(dotted(), true)
        ? tr("the later runs do not confirm the dots")
        : QString();
}

void FolderModel::suggestOfMap()
{
    if (m_sweeps.isOutdated())
        return; // the map shows other runs or settings than the chosen ones
    const FolderMapPtr &made = m_sweeps.current();
    const bool hasRuns = made && made->map(m_spread) != nullptr;
    m_suggestions.setMap(m_sweeps.isWhole() && hasRuns ? made : nullptr, m_sweeps.choice(), m_sweeps.settings().grid());
}

void FolderModel::setSpread(Spread spread)
{
    if (std::exchange(m_spread, spread) != spread)
        takeMap();
}

void FolderModel::orderRuns()
{
    const auto cell = markerCell();
    m_worst = cell ? core::worstRuns(*set(), *cell, metric()) : std::vector<size_t>();
    const std::vector<core::RunSweep> none;
    const std::vector<core::RunSweep> &runs = set() != nullptr ? set()->runs : none;
    std::vector<bool> isListed(runs.size());
    for (const size_t run : m_worst)
        isListed[run] = true;
    std::vector<size_t> others;
    for (size_t i = 0; i < runs.size(); ++i) {
        if (!isListed[i])
            others.push_back(i);
    }
    const auto recorded = [&](size_t run) {
        const double value = runs[run].recorded[metric()];
        return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
    };
    std::ranges::stable_sort(others, std::greater(), recorded);
    m_worst.insert(m_worst.end(), others.begin(), others.end());
    Q_EMIT worstChanged();
}

bool FolderModel::isSuggestionOfThis() const
{
    return m_suggestions.chosen() != nullptr && m_suggestions.map() == m_sweeps.current() && !m_sweeps.isOutdated();
}

std::optional<size_t> FolderModel::suggestedCell() const
{
    return isSuggestionOfThis() ? m_suggestions.ownCell() : std::nullopt;
}

bool FolderModel::isSuggestionUseful() const
{
    return isSuggestionOfThis() && (**m_suggestions.chosen()->suggestion).isUseful();
}

void FolderModel::takeSuggestion()
{
    if (!isSuggestionOfThis())
        return;
    if (const auto cell = suggestedCell())
        return take(*cell);
    const core::SweepSetReport &made = *m_suggestions.chosen();
    const core::SweepPlan &plan = made.set.plan;
    const size_t cell = (**made.suggestion).cell;
    const size_t columns = plan.x.values.size();
    auto policy = core::policyAt({ plan.policy, plan.x, plan.y, {} }, cell % columns, cell / columns);
    if (!policy)
        return;
    m_suggestions.changeOwn();
    Workspace &workspace = state().workspace();
    workspace.commitPlan(workspace.planWith(std::move(*policy)),
        tr("Choose %1 with %2").arg(displayText(plan.policy->name), displayText(plan.settingsOf(cell))));
}

std::optional<MapModel::Place> FolderModel::readPlace() const
{
    const auto cell = hovered() ? hovered() : markerCell();
    return cell ? std::optional(placeOf(*cell)) : std::nullopt;
}

QString FolderModel::readNote() const
{
    const auto cell = hovered() ? hovered() : markerCell();
    if (!cell || set() == nullptr)
        return {};
    const size_t runs = set()->runs.size();
    const size_t fired = core::countsOf(*set(), *cell).fired;
    return tr("%1 of %2; acts in %3").arg(spreadName(), counted(runs, tr("run"), tr("runs"))).arg(fired);
}

QString FolderModel::suggestionWords() const { return isSuggestionUseful() ? tr("suggested") : tr("best alternative"); }

QString FolderModel::spreadName() const
{
    const std::array names { tr("median"), tr("90th percentile"), tr("worst") };
    return names[static_cast<size_t>(m_spread)];
}

const core::SweepFigures *FolderModel::recorded() const
{
    return map().isEmpty() ? nullptr : &m_sweeps.current()->recorded[static_cast<size_t>(m_spread)];
}

QString FolderModel::shown(SweepMetric metric, double value) const
{
    const QString whole = QString::fromStdString(core::shownScaled(metric, value));
    return core::scaleOf(metric) == SweepScale::Plain || std::isnan(value) ? whole : whole.section(u" of "_s, 0, 0);
}

QString FolderModel::title(SweepMetric metric) const
{
    switch (core::scaleOf(metric)) {
    case SweepScale::OfRecorded:
        return tr("%1, share of recorded").arg(titleOf(metric));
    case SweepScale::OfUses:
        return tr("%1, share of uses").arg(titleOf(metric));
    default:
        return titleOf(metric);
    }
}

} // namespace ui
