// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "core/session/session.h"

#include <string>
#include <vector>

namespace core {

/// A numeric setting of a policy and the values that a sweep gives it.
struct SweepAxis {
    std::string setting;               ///< as in `withSetting`: `trigger`, `keep`, `cap`, `STAGE.PARAMETER`
    std::optional<Measure::Unit> unit; ///< of `trigger` and `keep`; nullopt for a stage's parameter
    std::vector<double> values;        ///< ascending

    /// A value as shown to people: `35 % of window`, `20,000 tokens`, `1500`.
    [[nodiscard]] std::string wordsOf(double value) const;
    /// A value as `withSetting` parses it: `0.35w`, `20000tok`, `1500`.
    [[nodiscard]] std::string textOf(double value) const;
    /// Index of the nearest value.
    [[nodiscard]] size_t nearest(double value) const;
};

/// Parses `SETTING` or `SETTING=FIRST..LAST`. Measures have a unit (`keep=0.02w..0.5w`, `trigger=20k tok..150k tok`,
/// `cap=100..4000`); the default is the policy's unit. Default ranges: `trigger` from 10 to 95 % of the window, `keep`
/// from 2 to 60 %, counted measures from 1 to 64, each widened to the values of the policy and of its preset; a
/// parameter from an eighth to eight times its value. Returns fewer than `count` values if the range has fewer whole
/// numbers. Fails with Usage and lists the policy's settings.
[[nodiscard]] Result<SweepAxis> parseAxis(
    const Policy &policy, const Session &session, std::string_view text, size_t count);

/// The settings of a policy that `parseAxis` accepts: `trigger`, `keep`, and each numeric parameter of its stages.
[[nodiscard]] std::vector<std::string> sweepSettings(const Policy &policy);

/// A setting as shown to people: `keep`, `cap results: characters`.
[[nodiscard]] std::string settingWords(std::string_view setting);

/// Sets the axis' setting like `withSetting`, but leaves the policy's document unchanged.
void set(Policy &policy, const SweepAxis &axis, double value);
/// The value of the setting in a policy, in the unit of the axis. `window`: the model's window in tokens, which turns
/// shares into tokens and back; 0 if it is not known. nullopt if the units cannot be compared.
[[nodiscard]] std::optional<double> valueIn(const Policy &policy, const SweepAxis &axis, double window = 0);

} // namespace core
