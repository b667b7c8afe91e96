// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_cost.h"
#include "core/tokens/weights.h"

#include <optional>
#include <string>

namespace core {

/// Calls whose usage counts less than half of the answer that the log holds. Claude Code writes the records of a
/// response while it streams, many with the usage that was told as it began: a few output tokens, whatever followed. A
/// bill made from them lacks the rest; so do the costs of policies, whose answers are the recorded ones.
struct PartialOutput {
    size_t calls = 0;
    size_t callCount = 0;       ///< with usage
    double recorded = 0;        ///< output tokens of those calls, by usage
    double allRecorded = 0;     ///< of all calls
    TokenFigure weighed;        ///< of their texts and tool calls; what they thought is not among them
    std::optional<double> cost; ///< dollars that the bill lacks at least; nothing where a call has no price

    /// It lacks so much that a reader of the bill has to know.
    [[nodiscard]] bool matters() const;
    /// `usage counts 163 output tokens of 73 of 73 calls whose answers weigh ~38.2k: it tells how they began; about
    /// $0.95 is missing here and under every policy`; empty where it does not matter.
    [[nodiscard]] std::string sentence() const;
};

/// Of the ground's thread. O(calls + blocks of their answers).
[[nodiscard]] PartialOutput partialOutput(const ReplayGround &ground, const CostGround &costs);

} // namespace core
