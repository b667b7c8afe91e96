// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/replay/worker_figures.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// The content of `palimpsest replay` for a thread: the recording and the policies.
struct ReplayReport {
    std::string file;
    SessionPtr session;
    ReplayGroundPtr ground;
    Uses uses;
    RecordedFiguresPtr recorded;
    Regret recordedRegret;      ///< what the recorded arrays lost that was needed later
    InContext recordedMessages; ///< user messages at the end, which summaries may hold
    FetchedOutputs fetched;     ///< results that the recorded agent fetched again
    std::string priceDate;
    std::vector<PolicyFiguresPtr> policies;
};

/// Replays the policies over a thread. Reads all texts once to find uses. nullopt if cancelled.
[[nodiscard]] std::optional<ReplayReport> replayReport(std::string file, const SessionPtr &session, ThreadIndex thread,
    const BlockTokensPtr &tokens, const std::vector<PolicyPtr> &policies, const Prices &prices,
    const ReplayOptions &options = {});

/// The document `palimpsest.replay/1`: `policies`, the recorded run first. Costs are in dollars, null without a price.
/// For the recorded run `cost` is by usage and `computed_cost` by our model. Differences are positive if the first
/// costs more: a policy's `cost_difference` is its cost minus the recorded run's `computed_cost`, in five parts that
/// add up to `total`; `model_error` is computed minus recorded cost, for calls with usage.
[[nodiscard]] nlohmann::ordered_json replayJson(const ReplayReport &report);

/// A line per call, columns per policy.
[[nodiscard]] std::string replayCsv(const ReplayReport &report);

/// For the terminal: the context curve of each run, its figures, where it fired and why.
[[nodiscard]] std::string drawReplay(const ReplayReport &report);

} // namespace core
