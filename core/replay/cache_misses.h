// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"

#include <string>

namespace core {

/// Calls that found less in the provider's cache than the cache model computes: the provider dropped entries early, or
/// something that the log does not show changed the prompt. They make a bill larger than the computed cost.
struct CacheMisses {
    size_t calls = 0;
    double tokens = 0;  ///< not read, although the model reads them
    double dollars = 0; ///< paid for them beyond the price of reading

    /// Whether they are a large part of a difference between bill and computed cost. `error` is computed minus
    /// recorded, in dollars.
    [[nodiscard]] bool explain(double error) const;
    /// `at 32 calls, the provider read less from its cache than Palimpsest computes; that cost $12.52`.
    [[nodiscard]] std::string sentence() const;
};

/// `recorded`: the calls of a thread that have usage; `computed`: all its calls, in order, and requests for summaries.
[[nodiscard]] CacheMisses cacheMisses(std::span<const RunCall> recorded, std::span<const RunCall> computed);

} // namespace core
