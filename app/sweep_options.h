// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/command_line.h"

#include "core/sweep/suggestion.h"

namespace app {

// Options of the commands that measure many sessions.
inline constexpr Option kSinceOption { "since", "AGE|DATE",
    "for many sessions: only sessions that ended within the last AGE (such as 12h, 7d or 2w), or on or after DATE (a "
    "day such as 2026-01-31, UTC)" };
inline constexpr Option kSubagentsOption { "subagents", "", "for many sessions: counts each subagent as a run, too" };
inline constexpr Option kLimitOption { "limit", "METRIC=MOST",
    "for many sessions: a limit of the suggestion, for example lost_uses=1%, peak=150ktok or lost_uses=own: no "
    "more than by the harness's own policy. METRIC is lost_uses, fetched_uses, refetch_tokens, peak, "
    "lost_user_messages or "
    "lost_bytes. Default: lost_uses=own and lost_user_messages=own. May be repeated" };
inline constexpr Option kSeedOption { "seed", "N", "for many sessions: the random seed for the intervals. Default: 1" };

/// The names of the metrics of a sweep, with commas between them.
[[nodiscard]] std::string metricNames();

/// The policy of `--policy`, which must be given exactly once.
[[nodiscard]] core::Result<core::PolicyPtr> parseOnePolicy(const Arguments &arguments);

/// The two settings of `--x` and `--y`, or of `--keep` and `--trigger`, with the values of `--grid`. Defaults come from
/// the policy and the session.
struct SweepAxes {
    core::SweepAxis x;
    core::SweepAxis y;
};
[[nodiscard]] core::Result<SweepAxes> parseAxes(
    const core::Policy &policy, const core::Session &session, const Arguments &arguments);

/// The metric of `--metric`; cost by default.
[[nodiscard]] core::Result<core::SweepMetric> parseMetric(const Arguments &arguments);

/// The date of `--since`: `2026-01-31`, or `7d`, `12h`, `2w` before now; nullopt without the option.
[[nodiscard]] core::Result<std::optional<core::Timestamp>> parseSince(const Arguments &arguments);

/// The options `--limit` and `--seed`. The default limits are `core::usualLimits`.
[[nodiscard]] core::Result<core::SuggestionOptions> parseSuggestionOptions(const Arguments &arguments);

} // namespace app
