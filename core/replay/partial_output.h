// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"
#include "core/tokens/weights.h"

#include <optional>
#include <string>

namespace core {

/// Calls whose usage counts less than half of the response in the log. Claude Code writes the records of a response
/// while it streams, often with the usage from its start: a few output tokens, however long the response became. A bill
/// from these records lacks the rest, and so do policy costs, which use the recorded responses.
struct PartialOutput {
    size_t calls = 0;
    size_t callCount = 0;       ///< calls with usage
    double recorded = 0;        ///< output tokens of those calls by usage
    double allRecorded = 0;     ///< output tokens of all calls by usage
    TokenFigure weighed;        ///< weight of their texts and tool calls, thinking not included
    std::optional<double> cost; ///< dollars missing from the bill, at least; nullopt if a call has no price

    /// Whether the missing share is large enough to show beside the bill.
    [[nodiscard]] bool matters() const;
    /// `usage is too small for some answers. It counts 163 output tokens for 73 of 73 calls, but the answers have
    /// ~38.2k. So about $0.95 is missing from the recorded cost and from the cost of every policy`; empty if it does
    /// not matter.
    [[nodiscard]] std::string sentence() const;
};

/// For the thread of the ground. O(calls + blocks of their responses).
[[nodiscard]] PartialOutput partialOutput(const ReplayGround &ground, const CostGround &costs);

} // namespace core
