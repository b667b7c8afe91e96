// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

namespace core {

/// The Pareto front of two metrics: cells that no other cell beats in one metric without being worse in the other.
/// Sorted by the first metric, best first; of equal cells the first is kept. Skips cells that lack either figure.
/// O(cells × log cells).
[[nodiscard]] std::vector<size_t> sweepFront(const Sweep &sweep, SweepMetric first, SweepMetric second);

} // namespace core
