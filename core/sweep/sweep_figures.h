// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"

#include <array>
#include <cmath>
#include <limits>

namespace core {

class CutReplay;
class CutCosting;

/// An unknown figure.
inline constexpr double kUnknownFigure = std::numeric_limits<double>::quiet_NaN();

/// The metrics of a sweep map: totals of one replay.
enum class SweepMetric : uint8_t {
    Cost,         ///< dollars
    Tokens,       ///< sum of all prompts
    Peak,         ///< largest prompt, tokens
    Mean,         ///< mean prompt, tokens
    Compactions,  ///< per 100 calls
    HitShare,     ///< share of prompt tokens read from the cache
    Uncached,     ///< prompt tokens not read from the cache
    Removed,      ///< tokens not sent: those of the log without a policy minus those of the policy
    LostUses,     ///< texts that a later edit quoted and that were not in context
    FetchedUses,  ///< texts that were not in context when the recorded agent read them again
    FetchTokens,  ///< tokens to fetch the lost uses' texts again
    LostMessages, ///< user messages not in context at the end
    LostBytes,    ///< removed for good: the harness keeps no artifact
    TornCalls,    ///< calls that a provider would have refused
};
/// The metrics before this one describe a run.
inline constexpr bool isLoss(SweepMetric metric) { return metric >= SweepMetric::LostUses; }
inline constexpr size_t kSweepMetricCount = static_cast<size_t>(SweepMetric::TornCalls) + 1;

/// Names, meaning and unit of a metric.
struct SweepMetricInfo {
    std::string_view id;       ///< in documents and options: `lost_uses`
    std::string_view title;    ///< `Lost uses`
    std::string_view unit;     ///< `$`, `tokens`, `bytes`, ``
    std::string_view sentence; ///< what it counts
    bool isLessBetter = true;
};
[[nodiscard]] const SweepMetricInfo &infoOf(SweepMetric metric);
/// The metric with this id.
[[nodiscard]] std::optional<SweepMetric> sweepMetric(std::string_view id);
/// `$4.02`, `48.1k tokens`, `97.3 %`, `12`; `no price` and the like if unknown.
[[nodiscard]] std::string shownMetric(SweepMetric metric, double value);

/// The totals of one replay. Unknown figures (no price, no model of the cache, no uses) are NaN.
struct SweepFigures {
    std::array<double, kSweepMetricCount> values {};
    double counterfactualShare = 0; ///< share of counterfactual calls
    /// A counterfactual call sent more tokens than every recorded call, so the model's behaviour there is unknown.
    bool isExtrapolated = false;
    size_t summaries = 0;     ///< requests for summaries that the user waits for
    double summaryTokens = 0; ///< that they write

    [[nodiscard]] double operator[](SweepMetric metric) const { return values[static_cast<size_t>(metric)]; }
    double &operator[](SweepMetric metric) { return values[static_cast<size_t>(metric)]; }
};

/// What a run costs and loses beside another run of the same session: `$2.39 less, 4 fewer lost uses, 2 more lost user
/// messages`. Leaves out figures that either run lacks; tokens stand for an unknown cost. Empty if none is known.
[[nodiscard]] std::string differenceWords(const SweepFigures &run, const SweepFigures &other);

/// Whether a provider would refuse a call: a tool result has no tool call, or a prompt is above the model's window.
/// `window`: in tokens; 0 if it is not known.
[[nodiscard]] bool isRefused(const SweepFigures &figures, double window);

/// The figures of the recorded run: computed tokens, cost and cache hits, comparable with those of cells (see
/// RecordedFigures), and the compactions and silent clearings. If there were any, losses are unknown, because the
/// recorded agent had everything it used; without any, they are 0.
/// Without usage all figures are unknown.
[[nodiscard]] SweepFigures recordedSweepFigures(const RecordedFigures &recorded);

[[nodiscard]] SweepFigures sweepFigures(const PolicyFigures &policy, const RecordedFigures &recorded);
/// Drops the count of compactions if no stage of the policy waits for a trigger. Such stages act as blocks come in, so
/// the count describes the session, not the policy.
[[nodiscard]] SweepFigures withoutIdleCount(SweepFigures figures, const Policy &policy);
/// Figures of the last run of `replay`. `costing` must use the same tables.
[[nodiscard]] SweepFigures cutFigures(CutReplay &replay, CutCosting &costing, const RecordedFigures &recorded);

} // namespace core
