// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/export.h"
#include "core/compaction/harness_settings.h"
#include "core/compaction/observe.h"
#include "core/compaction/recovery.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What the two arrays of a compaction add up to.
struct CompactionSums {
    ArraySum before;
    ArraySum after;
};

/// The document of `compact` and `observe`, schema `palimpsest.compaction/1` (see resources/manual/json.md): the
/// policy, whether and why it fired, sizes before and after, slots after, rewrites, artifacts, violations. With
/// `recoveries`, rewrites and artifacts say where the harness can get them back from, and when the agent did. With
/// `recorded`, the member `recorded` has the log's figures for the compaction, and `unlogged` the tokens that were in
/// context on each side but are not in the log. With `sums`, `before` and `after` have the whole prompt.
[[nodiscard]] nlohmann::ordered_json compactionJson(const Compaction &compaction, const BlockTokens &tokensBefore,
    const Recoveries *recoveries = nullptr, const RecordedSizes *recorded = nullptr,
    const CompactionSums *sums = nullptr);

/// The same as text: a headline, a line per stage, a line per changed slot.
[[nodiscard]] std::string drawCompaction(const Compaction &compaction, const BlockTokens &tokensBefore,
    const RecordedSizes *recorded = nullptr, const CompactionSums *sums = nullptr);

/// Puts into the document of a compaction what its store really holds: the store and the originals, read back.
void addExportedJson(nlohmann::ordered_json &document, const Exported &exported);
/// The same for people: where the file and the originals are.
[[nodiscard]] std::string drawExported(const Exported &exported, const std::string &file);

/// Sum of an array's tokens.
[[nodiscard]] TokenFigure tokensOf(const Transcript &transcript, const BlockTokens &tokens);
[[nodiscard]] TextLengths lengthsOf(const Transcript &transcript);

/// All presets as one document, `palimpsest.policies/1`.
[[nodiscard]] nlohmann::ordered_json policiesJson(const std::vector<PolicyPtr> &policies);
[[nodiscard]] std::string drawPolicies(const std::vector<PolicyPtr> &policies);
[[nodiscard]] std::string drawPolicy(const Policy &policy);
/// The document `palimpsest.settings/1`: a policy as the settings of a harness.
[[nodiscard]] nlohmann::ordered_json settingsJson(const Policy &policy, const HarnessSettings &settings);

} // namespace core
