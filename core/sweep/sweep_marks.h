// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"

#include <vector>

namespace core {

/// What is known of the harness' own trigger: before each recorded compaction that wrote the array anew the largest
/// prompt since the one before it, in tokens, as usage says. Compactions before which no call has usage have none.
[[nodiscard]] std::vector<double> recordedTriggers(const ReplayGround &ground);

/// From how many prompt tokens on a request of the thread would have had other prices, ascending: a prompt of more than
/// that is dearer as a whole.
[[nodiscard]] std::vector<double> priceCliffs(const CostGround &costs);

} // namespace core
