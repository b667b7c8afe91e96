// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/reach.h"
#include "core/sweep/sweep_set.h"

#include <array>
#include <memory>

namespace ui {

/// The statistic over many runs that a cell shows: see core::CellSpread.
enum class Spread : uint8_t { Median, P90, Worst };
inline constexpr size_t kSpreadCount = 3;

/// The sweeps of many runs as maps. Immutable.
struct FolderMap {
    core::SweepSet set;
    /// By Spread: scaled figures (core::scaled); cells are hatched if they are extrapolated in most runs. nullptr
    /// without runs.
    std::array<core::SweepPtr, kSpreadCount> maps;
    std::array<core::SweepFigures, kSpreadCount> recorded; ///< by Spread: the recorded runs, scaled alike
    core::ReachSummary::Spread reach;                      ///< of the runs' quotes

    [[nodiscard]] const core::SweepPtr &map(Spread spread) const { return maps[static_cast<size_t>(spread)]; }
};
using FolderMapPtr = std::shared_ptr<const FolderMap>;

/// O(cells × metrics × runs log runs).
[[nodiscard]] FolderMapPtr folderMap(core::SweepSet set);

} // namespace ui
