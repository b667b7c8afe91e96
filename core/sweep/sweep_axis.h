// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/policy.h"
#include "core/session/session.h"

#include <string>
#include <vector>

namespace core {

/// A numeric setting of a policy, and the values that a sweep gives it.
struct SweepAxis {
    std::string setting;               ///< as `withSetting` knows it: `trigger`, `keep`, `cap`, `STAGE.PARAMETER`
    std::optional<Measure::Unit> unit; ///< of `trigger` and `keep`; a parameter of a stage has none
    std::vector<double> values;        ///< ascending

    /// A value for people to read: `35 % of window`, `20,000 tokens`, `1500`.
    [[nodiscard]] std::string wordsOf(double value) const;
    /// A value as `withSetting` reads it: `0.35w`, `20000tok`, `1500`.
    [[nodiscard]] std::string textOf(double value) const;
    /// The index of the value nearest to this one.
    [[nodiscard]] size_t nearest(double value) const;
};

/// Reads `SETTING` or `SETTING=FIRST..LAST`, measures with their unit (`keep=0.02w..0.5w`, `trigger=20k tok..150k tok`,
/// `cap=100..4000`); without a unit, that of the policy. Without a range: `trigger` from a tenth to 95 % of the window,
/// `keep` from 2 to 60 %, counted measures from 1 to 64, a parameter from an eighth to eight times what it is. Where
/// fewer than `count` whole numbers lie between, there are fewer values. An error of kind Usage says what the policy
/// has instead.
[[nodiscard]] Result<SweepAxis> parseAxis(
    const Policy &policy, const Session &session, std::string_view text, size_t count);

/// The settings of a policy that `parseAxis` knows: `trigger`, `keep`, and each numeric parameter of its stages.
[[nodiscard]] std::vector<std::string> sweepSettings(const Policy &policy);

/// Sets the axis' setting in a policy: what `withSetting` does, but for the policy's document, which stays.
void set(Policy &policy, const SweepAxis &axis, double value);
/// What the setting is in a policy; nothing where that is another unit than the axis'.
[[nodiscard]] std::optional<double> valueIn(const Policy &policy, const SweepAxis &axis);

} // namespace core
