// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

#include "core/sweep/suggestion.h"

namespace app {

/// The policy of `--policy`, of which there is to be one.
[[nodiscard]] core::Result<core::PolicyPtr> parseOnePolicy(const Arguments &arguments);

/// The two settings that `--x` and `--y`, or `--keep` and `--trigger`, name, with the values of `--grid`. What is not
/// said is read off the policy and the session.
struct SweepAxes {
    core::SweepAxis x;
    core::SweepAxis y;
};
[[nodiscard]] core::Result<SweepAxes> parseAxes(
    const core::Policy &policy, const core::Session &session, const Arguments &arguments);

/// The metric of `--metric`; cost without it.
[[nodiscard]] core::Result<core::SweepMetric> parseMetric(const Arguments &arguments);

/// The date of `--since`: `2026-01-31`, or `7d`, `12h`, `2w` before now; nothing without it.
[[nodiscard]] core::Result<std::optional<core::Timestamp>> parseSince(const Arguments &arguments);

/// What `--limit` and `--seed` say. Without a limit: at most 1 % of later uses lost.
[[nodiscard]] core::Result<core::SuggestionOptions> parseSuggestionOptions(const Arguments &arguments);

} // namespace app
