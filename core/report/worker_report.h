// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/worker_figures.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What a policy's worker did: the member `worker` of a run's totals in `palimpsest.replay/1`. null without a worker.
[[nodiscard]] nlohmann::ordered_json workerJson(const Replay &replay, const ReplayCost &cost);
/// What the worker did at one call: an array of `starts`, `writes`, `lands`, `save fails` and `outdated`.
[[nodiscard]] nlohmann::ordered_json workerCallJson(const Replay &replay, size_t call);
/// The member `defects` of a run.
[[nodiscard]] nlohmann::ordered_json defectsJson(const std::vector<HarnessDefect> &defects);
/// The member `fetched_outputs` of the document.
[[nodiscard]] nlohmann::ordered_json fetchedJson(const FetchedOutputs &fetched);

/// The lines of the terminal about the worker, and about defects that do harm in the session; indented.
[[nodiscard]] std::string workerText(
    const Replay &replay, const ReplayCost &cost, const std::vector<HarnessDefect> &defects);

} // namespace core
