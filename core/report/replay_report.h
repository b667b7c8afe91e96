// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "core/replay/replay_figures.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace core {

/// What `palimpsest replay` says of a thread: the recording, and policies beside it.
struct ReplayReport {
    std::string file;
    SessionPtr session;
    ReplayGroundPtr ground;
    Uses uses;
    RecordedFiguresPtr recorded;
    Regret recordedRegret;      ///< what the recorded arrays lost that was needed later
    InContext recordedMessages; ///< of the person, at the end: summaries may hold them
    std::string priceDate;
    std::vector<PolicyFiguresPtr> policies;
};

/// Replays the policies over a thread. Reads all texts once, for the uses. Nothing if cancelled.
[[nodiscard]] std::optional<ReplayReport> replayReport(std::string file, const SessionPtr &session, ThreadIndex thread,
    const BlockTokensPtr &tokens, const std::vector<PolicyPtr> &policies, const Prices &prices,
    const ReplayOptions &options = {});

/// The document `palimpsest.replay/1`: `policies`, the recorded run first. Costs are in dollars, null without a price.
/// Of the recorded run `cost` is what usage says and `computed_cost` what our model makes of it. A difference is
/// positive where the first costs more: a policy's `cost_difference` is its cost less the recorded run's
/// `computed_cost`, in five parts that add up to its `total`; `model_error` is what is computed less what usage says,
/// of the calls that have it.
[[nodiscard]] nlohmann::ordered_json replayJson(const ReplayReport &report);

/// A line for each call, columns for each policy.
[[nodiscard]] std::string replayCsv(const ReplayReport &report);

/// For the terminal: the context of each run as a curve, its figures, where it fired and why.
[[nodiscard]] std::string drawReplay(const ReplayReport &report);

} // namespace core
