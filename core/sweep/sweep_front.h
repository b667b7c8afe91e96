// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

namespace core {

/// The Pareto front of two metrics: cells that no other cell beats in one metric without being worse in the other.
/// Sorted by the first metric, best first; of equal cells the first is kept. Skips cells that lack either figure, and
/// those that are not eligible. `eligible`: by cell; empty if all are. O(cells × log cells).
[[nodiscard]] std::vector<size_t> sweepFront(
    const Sweep &sweep, SweepMetric first, SweepMetric second, const std::vector<bool> &eligible = {});

/// What a setting may lose at most.
struct CellLimits {
    double lostUses = kUnknownFigure; ///< NaN: no limit
    double lostMessages = kUnknownFigure;
    double window = 0; ///< of the model, in tokens: see isRefused
};

/// Whether a provider would accept every call, and nothing exceeds the limits.
[[nodiscard]] bool isWithin(const SweepFigures &figures, const CellLimits &limits);
/// By cell. Cells that are not computed yet are not eligible.
[[nodiscard]] std::vector<bool> eligibleCells(const Sweep &sweep, const CellLimits &limits);

/// The cells that touch a cell, at most eight.
[[nodiscard]] std::vector<size_t> cellsAround(const SweepAxis &x, const SweepAxis &y, size_t cell);
/// By cell: whether it and all cells around it that a provider would accept are eligible, so that a small change of a
/// setting keeps the limits. `accepted` and `eligible`: by cell.
[[nodiscard]] std::vector<bool> steadyCells(
    const SweepAxis &x, const SweepAxis &y, const std::vector<bool> &accepted, const std::vector<bool> &eligible);

/// The setting that the policy's harness does not have, if it has the other one; else nullptr.
[[nodiscard]] const SweepAxis *fixedAxis(const Policy &policy, const SweepAxis &x, const SweepAxis &y);
/// By cell: whether the policy's harness can be set to it. A setting that it lacks stays as in the policy's preset, or
/// as in the policy itself if there is no preset; one that it can only lower is not above that. `window`: see
/// `valueIn`.
[[nodiscard]] std::vector<bool> settableCells(
    const Policy &policy, const SweepAxis &x, const SweepAxis &y, double window = 0);

/// With fewer uses, one lost use is more than 3 %, so lost uses say little.
inline constexpr size_t kFewUses = 30;
/// `This is the edge of the map: a smaller keep may be better still.`, if the cell is the last one in a direction in
/// which the setting could go on; else empty.
[[nodiscard]] std::string edgeSentence(const Policy &policy, const SweepAxis &x, const SweepAxis &y, size_t cell);

/// The eligible cell with the best figure of a metric; of equal ones that with fewest lost uses, then the first.
[[nodiscard]] std::optional<size_t> bestCell(const Sweep &sweep, SweepMetric metric, const std::vector<bool> &eligible);

} // namespace core
