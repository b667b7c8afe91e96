// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/array_sums.h"

#include <vector>

namespace core {

/// Size of one call's context.
struct ContextPoint {
    double tokens = 0;
    Basis basis = Basis::Estimated; ///< exact if the call's usage was recorded, else the basis of the blocks' token
                                    ///< counts
};

/// The context size at every call of a thread.
struct ContextCurve {
    std::vector<ContextPoint> calls;
    ContextPoint end;             ///< the array after the last record, which a next call would send
    std::vector<SumEvent> events; ///< calls whose prompts depart from the log, by call
    size_t recordedCount = 0;     ///< calls with a recorded prompt
    double peak = 0;              ///< largest size, end included
    double error = 0;             ///< relative error of the calibrated points; see `BlockTokens::error`
};

/// The totals of a thread's arrays. O(calls).
[[nodiscard]] ContextCurve contextCurve(const ArraySums &sums, const BlockTokens &tokens);

} // namespace core
