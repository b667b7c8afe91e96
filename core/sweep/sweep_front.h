// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/sweep.h"

namespace core {

/// The cells that no other beats in one of two metrics without being worse in the other (Pareto), by the first metric,
/// best first; of cells that are equal in both the first. Cells without either figure, or not made yet, are not among
/// them. O(cells × log cells).
[[nodiscard]] std::vector<size_t> sweepFront(const Sweep &sweep, SweepMetric first, SweepMetric second);

} // namespace core
