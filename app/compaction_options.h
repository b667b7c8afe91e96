// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "app/session_options.h"
#include "core/compaction/compaction.h"
#include "core/report/compaction_report.h"

namespace app {

inline constexpr Option kOverridesOption { "overrides", "FILE",
    "a file of your own changes, which take precedence over the policy: blocks to keep, drop or rewrite, and "
    "messages to insert: {\"schema\": "
    "\"palimpsest.overrides/2\", \"keep\": [KEY…], \"drop\": [KEY…], \"replace\": [{\"block\": KEY, \"text\": "
    "TEXT}…], \"insert\": [{\"after\": KEY, \"role\": ROLE, \"text\": TEXT}…]}. `compact --json` lists the keys of the "
    "blocks under before_slots" };

/// What a policy makes of the array of `--call`, with `--overrides` and `--as-if-fired`.
struct PlannedCompaction {
    OpenedSession opened;
    core::BlockTokensPtr tokens; ///< at the call
    core::Compaction compaction;
    core::CompactionSums sums;
    core::CompactOptions options; ///< with which it was planned
};
[[nodiscard]] core::Result<PlannedCompaction> planCompaction(const Arguments &arguments);

/// Asks for --force if a provider would refuse the new array.
[[nodiscard]] core::Result<void> checkValidity(const core::Compaction &compaction, const Arguments &arguments);

} // namespace app
