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
    double tokens = 0; ///< that a harness compares with: a whole number, at least 1
};

/// The triggers of a policy on a scale of tokens. Measures that are no tokens, and shares of a window that is not
/// known, have no height.
struct TriggerLevels {
    /// Of the policy's own measures the one that decides: the lowest where any of them is enough, the highest where all
    /// are wanted. Where none has a height, the lowest of its stages'.
    std::optional<TriggerLevel> main;
    std::vector<TriggerLevel> others; ///< at other heights, ascending
    bool isMovable = false;           ///< the policy's trigger is one measure, and `main` is it

    /// `windowTokens` is that of the policy; 0 if it is not known.
    [[nodiscard]] static TriggerLevels of(const core::Policy &policy, double windowTokens);
};

/// The measure of the same unit at a height: a round figure, as fine as the tokens of one pixel allow.
[[nodiscard]] core::Measure triggerAt(
    const core::Measure &now, double tokens, double windowTokens, double tokensPerPixel);

/// `85 % · 170k`, `170k`: a level in few words.
[[nodiscard]] std::string levelText(const TriggerLevel &level);

/// The first free place of that width between `from` and `to`; nothing if there is none.
[[nodiscard]] std::optional<double> freePlace(
    double from, double to, double width, std::vector<std::pair<double, double>> taken);

} // namespace ui
