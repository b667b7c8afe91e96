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
    RecordedFiguresPtr recorded; ///< and in it the ground of all replays
    std::shared_ptr<const Uses> uses;
    std::shared_ptr<const Prices> prices;
    std::shared_ptr<ChangeMemo> memo; ///< of the session; may be none
    Overrides overrides {};           ///< what no cell drops, and what all of them do
};
using SweepGroundPtr = std::shared_ptr<const SweepGround>;

/// Finds uses, cache and costs of a thread: reads all texts once. nullptr if cancelled.
[[nodiscard]] SweepGroundPtr sweepGround(const SessionPtr &session, ThreadIndex thread, const BlockTokensPtr &tokens,
    const Prices &prices, Progress *progress = nullptr);

/// A map of what a policy would have cost and lost, over two of its settings.
struct Sweep {
    PolicyPtr policy; ///< all settings but the two
    SweepAxis x;
    SweepAxis y;
    std::vector<std::optional<SweepFigures>> cells; ///< row by row of y; nothing where it is not made yet

    [[nodiscard]] size_t indexOf(size_t column, size_t row) const { return row * x.values.size() + column; }
    [[nodiscard]] const std::optional<SweepFigures> &at(size_t column, size_t row) const
    {
        return cells[indexOf(column, row)];
    }
};
using SweepPtr = std::shared_ptr<const Sweep>;

/// The policy of one cell; its document says so too.
[[nodiscard]] Result<Policy> policyAt(const Sweep &sweep, size_t column, size_t row);

struct SweepOptions {
    unsigned threads = 1;
    Progress *progress = nullptr; ///< cancels
    /// Called on the thread that sweeps with what is there so far: first when every fourth cell of every fourth row is,
    /// then at most every quarter of a second.
    std::function<void(const SweepPtr &)> publish;
};

/// The policy at every call, for each pair of values: each cell is what one `replay` says. nullptr if cancelled. Where
/// cuts tell the policy's arrays a cell costs O(firings × log calls + uses), else a replay, which cells share where no
/// stage looks at the trigger; no text is read that other cells have read.
[[nodiscard]] SweepPtr sweep(const SweepGroundPtr &ground, const PolicyPtr &policy, const SweepAxis &x,
    const SweepAxis &y, const SweepOptions &options = {});

/// One cell by itself: what `replay` and its figures say of the policy.
[[nodiscard]] std::optional<SweepFigures> sweepCell(
    const SweepGround &ground, const PolicyPtr &policy, Progress *progress = nullptr);

} // namespace core
