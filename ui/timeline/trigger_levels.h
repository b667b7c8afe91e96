// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ui {

/// A height in a timeline at which a policy acts.
struct TriggerLevel {
    core::Measure measure;
    double tokens = 0; ///< the value that a harness compares with: an integer, at least 1
};

/// The triggers of a policy on the token axis. Measures not in tokens, and shares of an unknown window, have no level.
struct TriggerLevels {
    /// The level that decides: the lowest of the policy's own measures if any of them fires, the highest if all are
    /// required. If none has a level, the lowest of its stages' triggers.
    std::optional<TriggerLevel> main;
    std::vector<TriggerLevel> others; ///< at other values, ascending
    bool isMovable = false;           ///< the policy's trigger is a single measure, and `main` is its level

    /// `windowTokens` is the policy's window; 0 if unknown.
    [[nodiscard]] static TriggerLevels of(const core::Policy &policy, double windowTokens);
};

/// The measure in the same unit at a level, rounded as far as the tokens of one pixel allow.
[[nodiscard]] core::Measure triggerAt(
    const core::Measure &now, double tokens, double windowTokens, double tokensPerPixel);

/// A level as a short text: `85 % · 170k`, `170k`.
[[nodiscard]] std::string levelText(const TriggerLevel &level);

/// The left edge of the first free interval of that width between `from` and `to`; nullopt if there is none.
[[nodiscard]] std::optional<double> freePlace(
    double from, double to, double width, std::vector<std::pair<double, double>> taken);

} // namespace ui
