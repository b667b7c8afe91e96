// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/observe.h"
#include "core/compaction/recovery.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The document of `compact` and `observe`, schema `palimpsest.compaction/1` (see architecture.md): what policy,
/// whether it fired and why, sizes before and after, slots after, rewrites, artifacts, what is not valid. With the
/// recoveries rewrites and artifacts tell from where the harness can have them back, and when the agent did. With the
/// recorded sizes `recorded` holds what the log tells of the compaction, and `unlogged` the tokens that were in context
/// on each side and are not in the log.
[[nodiscard]] nlohmann::ordered_json compactionJson(const Compaction &compaction, const BlockTokens &tokensBefore,
    const Recoveries *recoveries = nullptr, const RecordedSizes *recorded = nullptr);

/// The same for people: a headline, a line a stage, a line a slot that changed.
[[nodiscard]] std::string drawCompaction(
    const Compaction &compaction, const BlockTokens &tokensBefore, const RecordedSizes *recorded = nullptr);

/// Sum of an array's tokens.
[[nodiscard]] TokenFigure tokensOf(const Transcript &transcript, const BlockTokens &tokens);
[[nodiscard]] TextLengths lengthsOf(const Transcript &transcript);

/// A policy as one document: `palimpsest.policies/1` lists all presets.
[[nodiscard]] nlohmann::ordered_json policiesJson();
[[nodiscard]] std::string drawPolicies();
[[nodiscard]] std::string drawPolicy(const Policy &policy);

} // namespace core
