// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"

#include <vector>

namespace core {

/// Estimates the harness's own trigger, in tokens. For each recorded compaction that replaced the array: the largest
/// recorded prompt since the previous compaction. Skips compactions without usage before them.
[[nodiscard]] std::vector<double> recordedTriggers(const ReplayGround &ground);

/// Prompt sizes in tokens above which a request of the thread has other prices, ascending. The whole request is billed
/// at the higher price.
[[nodiscard]] std::vector<double> priceCliffs(const CostGround &costs);

} // namespace core
