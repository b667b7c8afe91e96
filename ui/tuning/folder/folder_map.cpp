// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/tuning/folder/folder_map.h"

#include "core/sweep/sweep.h"

namespace ui {

namespace {

using Spreads = std::array<core::SweepFigures, kSpreadCount>;

void setMetric(Spreads &figures, core::SweepMetric metric, const core::CellSpread &spread)
{
    figures[static_cast<size_t>(Spread::Median)][metric] = spread.median;
    figures[static_cast<size_t>(Spread::P90)][metric] = spread.p90;
    figures[static_cast<size_t>(Spread::Worst)][metric] = spread.worst;
}

} // namespace

FolderMapPtr folderMap(core::SweepSet set)
{
    auto made = std::make_shared<FolderMap>();
    made->set = std::move(set);
    const core::SweepPlan &plan = made->set.plan;
    if (made->set.runs.empty())
        return made;
    made->reach = core::reachOf(made->set).spread();
    std::array<core::Sweep, kSpreadCount> maps;
    for (core::Sweep &map : maps)
        map = { plan.policy, plan.x, plan.y, std::vector<std::optional<core::SweepFigures>>(plan.cellCount()) };
    for (size_t cell = 0; cell < plan.cellCount(); ++cell) {
        core::SweepFigures common;
        common.isExtrapolated = 2 * core::countsOf(made->set, cell).extrapolated > made->set.runs.size();
        Spreads figures;
        figures.fill(common);
        for (size_t i = 0; i < core::kSweepMetricCount; ++i) {
            const auto metric = static_cast<core::SweepMetric>(i);
            setMetric(figures, metric, core::spreadOf(made->set, cell, metric));
        }
        for (size_t i = 0; i < kSpreadCount; ++i)
            maps[i].cells[cell] = figures[i];
    }
    for (size_t i = 0; i < core::kSweepMetricCount; ++i) {
        const auto metric = static_cast<core::SweepMetric>(i);
        setMetric(made->recorded, metric, core::recordedSpreadOf(made->set, metric));
    }
    for (size_t i = 0; i < kSpreadCount; ++i)
        made->maps[i] = std::make_shared<const core::Sweep>(std::move(maps[i]));
    return made;
}

} // namespace ui
