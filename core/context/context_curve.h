// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/tokens/weights.h"

#include <vector>

namespace core {

/// Size of one call's context.
struct ContextPoint {
    double tokens = 0;
    Basis basis = Basis::Estimated; ///< exact where the call's usage was recorded, else that of the blocks' tokens
};

/// The context at every call of a thread: the saw-tooth.
struct ContextCurve {
    std::vector<ContextPoint> calls;
    ContextPoint end;         ///< of the array after the last record: what a next call would be sent
    size_t recordedCount = 0; ///< calls with a recorded prompt
    double peak = 0;          ///< of calls and end
    double error = 0;         ///< of points that are calibrated; see `BlockTokens::error`
};

/// Recorded prompts are taken as they are. A call without usage, and the end, get the weight of their array plus what
/// the nearest recorded call since the same summary or replacement was sent beyond its own array (system prompt, tools,
/// what the harness put back); where nothing was recorded, plus the recorded prelude. One pass over the calls' ranges
/// by prefix sums over the pool: O(blocks + ranges).
[[nodiscard]] ContextCurve contextCurve(const Session &session, ThreadIndex thread, const BlockTokens &tokens);

} // namespace core
