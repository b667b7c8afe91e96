// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"

#include <optional>

namespace core {

/// How fast the thread's model wrote: the median over the recorded calls that have times, and usage with at least 100
/// tokens of output. A call lasts from the last message before it to the last block of its answer.
struct OutputSpeed {
    double tokensPerSecond = 0; ///< 0: no such call
    size_t calls = 0;

    /// nullopt if the speed is not known.
    [[nodiscard]] std::optional<double> secondsFor(double tokens) const;
};
[[nodiscard]] OutputSpeed outputSpeed(const ReplayGround &ground);

/// Requests that a policy adds to a run.
struct ExtraCalls {
    size_t count = 0;
    BilledTokens tokens;
    std::optional<double> cost; ///< nullopt if one of them has no price
};
enum class ExtraCall : uint8_t {
    Summary,       ///< the user waits for it
    WorkerSummary, ///< a worker writes it beside the session
    LogEntry,
};
/// `cost` must have its calls.
[[nodiscard]] ExtraCalls extraCalls(const ReplayCost &cost, ExtraCall kind);

} // namespace core
