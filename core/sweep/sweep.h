// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep_axis.h"
#include "core/sweep/sweep_figures.h"

#include <functional>
#include <memory>

namespace core {

/// What all cells of the sweeps over one thread share. Immutable.
struct SweepGround {
    RecordedFiguresPtr recorded; ///< contains the data that all replays share (ReplayGround)
    std::shared_ptr<const Uses> uses;
    std::shared_ptr<const Prices> prices;
    std::shared_ptr<ChangeMemo> memo; ///< of the session; may be null
    Overrides overrides {};           ///< blocks that all cells keep or drop
};
using SweepGroundPtr = std::shared_ptr<const SweepGround>;

/// Finds uses, cache and costs of a thread; reads all texts once. nullptr if cancelled.
[[nodiscard]] SweepGroundPtr sweepGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens,
    const Prices &prices, Progress *progress = nullptr);

/// The preset that imitates the session's harness, replayed with its usual settings.
struct OwnRun {
    ReplayPtr replay;
    SweepFigures figures;
};
/// nullopt if no preset imitates the harness, or if cancelled.
[[nodiscard]] std::optional<OwnRun> ownRun(const SweepGround &ground, Progress *progress = nullptr);

/// A map of what a policy would have cost and lost, over two of its settings.
struct Sweep {
    PolicyPtr policy; ///< all other settings
    SweepAxis x;
    SweepAxis y;
    std::vector<std::optional<SweepFigures>> cells; ///< row by row of y; nullopt if not computed yet

    [[nodiscard]] size_t indexOf(size_t column, size_t row) const { return row * x.values.size() + column; }
    [[nodiscard]] const std::optional<SweepFigures> &at(size_t column, size_t row) const
    {
        return cells[indexOf(column, row)];
    }
};
using SweepPtr = std::shared_ptr<const Sweep>;

/// The policy of one cell, with a matching document.
[[nodiscard]] Result<Policy> policyAt(const Sweep &sweep, size_t column, size_t row);

struct SweepOptions {
    unsigned threads = 1;
    Progress *progress = nullptr; ///< cancels
    /// Receives the cells so far, on the sweeping thread: first when every fourth cell of every fourth row is done,
    /// then at most four times a second.
    std::function<void(const SweepPtr &)> publish;
};

/// Replays the policy for each pair of values; each cell equals the figures of one `replay`. nullptr if cancelled.
/// Where cuts can describe the policy's arrays, a cell costs O(firings × log calls + uses). Otherwise it costs a
/// replay, which cells share if no stage uses the trigger. Texts read for one cell are not read again.
[[nodiscard]] SweepPtr sweep(const SweepGroundPtr &ground, const PolicyPtr &policy, const SweepAxis &x,
    const SweepAxis &y, const SweepOptions &options = {});

/// Computes one cell with `replay`.
[[nodiscard]] std::optional<SweepFigures> sweepCell(
    const SweepGround &ground, const PolicyPtr &policy, Progress *progress = nullptr);

} // namespace core
