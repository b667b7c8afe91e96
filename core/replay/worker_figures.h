// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/fetched_outputs.h"
#include "core/replay/replay_figures.h"

namespace core {

/// One summary of a worker, and what it cost.
struct WorkerSummaryFigures {
    WorkerSummary summary;
    bool isBehindLast = false;  ///< it ended behind the last call
    size_t refused = 0;         ///< calls above the window from its start to its end
    BilledTokens tokens;        ///< of its request
    std::optional<double> cost; ///< nullopt without a price

    /// `call 12 → call 15: covers ~41.2k tokens. Meanwhile 4 messages of ~2.1k tokens (1 typed): all stay`.
    [[nodiscard]] std::string sentence() const;
};

/// What a policy's worker did; empty for a policy without one. The cost must have its calls.
[[nodiscard]] std::vector<WorkerSummaryFigures> workerSummaries(const Replay &replay, const ReplayCost &cost);

/// For the terminal: how often it started, landed and failed, what failed saves cost, then a line for each summary.
/// `nullopt` without a worker.
struct WorkerWords {
    std::string head;
    std::vector<std::string> lines;
};
[[nodiscard]] std::optional<WorkerWords> workerWords(const Replay &replay, const ReplayCost &cost);

/// What the worker did directly before a call: `the worker starts a summary`, `a summary lands, which started before
/// call 12`; empty if nothing.
[[nodiscard]] std::string workerDeed(const Replay &replay, size_t call);

/// A defect of a harness at the calls where it does harm in a session.
struct HarnessDefect {
    std::string_view name;     ///< for JSON
    std::string sentence;      ///< what happens, and when
    bool isOfReview = false;   ///< the review of the harness names it
    std::vector<size_t> calls; ///< ascending; empty: at no call
};
/// The defects of the harness of iii-hq/workers PR #140 that this replay can show: those that its policy has. Sorted
/// as in the manual.
[[nodiscard]] std::vector<HarnessDefect> harnessDefects(
    const Replay &replay, const Regret *regret, const FetchedOutputs &fetched);

} // namespace core
