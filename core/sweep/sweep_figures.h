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

/// Stands for a figure that is not known.
inline constexpr double kUnknownFigure = std::numeric_limits<double>::quiet_NaN();

/// What a map of policies shows: totals of one replay.
enum class SweepMetric : uint8_t {
    Cost,         ///< dollars
    Tokens,       ///< of all prompts
    Peak,         ///< of one prompt, tokens
    Mean,         ///< of one prompt, tokens
    Compactions,  ///< each 100 calls
    HitShare,     ///< of prompt tokens, those read from the cache
    Removed,      ///< tokens that were not sent: those of the log without any policy, less those of the policy
    LostUses,     ///< text that a later edit quoted, and that was gone
    FetchedUses,  ///< text that was gone when the recorded agent showed it to itself again
    FetchTokens,  ///< to fetch again what lost uses needed
    LostMessages, ///< typed by the person, not in context at the end
    LostBytes,    ///< taken out for good, without an artifact: beyond the harness's own means
    TornCalls,    ///< that a provider would have refused
};
inline constexpr size_t kSweepMetricCount = static_cast<size_t>(SweepMetric::TornCalls) + 1;

/// How a metric is called and read.
struct SweepMetricInfo {
    std::string_view id;    ///< in documents and options: `lost_uses`
    std::string_view title; ///< `Lost uses`
    std::string_view unit;  ///< `$`, `tokens`, `bytes`, ``
    bool isLessBetter = true;
};
[[nodiscard]] const SweepMetricInfo &infoOf(SweepMetric metric);
/// The metric of that id.
[[nodiscard]] std::optional<SweepMetric> sweepMetric(std::string_view id);
/// `$4.02`, `48.1k tokens`, `97.3 %`, `12`; `no price` and the like where the value is not known.
[[nodiscard]] std::string shownMetric(SweepMetric metric, double value);

/// The totals of one replay. A figure that is not known (no price, no model of the cache, no uses) is not a number.
struct SweepFigures {
    std::array<double, kSweepMetricCount> values {};
    double counterfactualShare = 0; ///< of the calls
    /// A counterfactual call was sent more than any recorded one: nobody knows how the model would have fared.
    bool isExtrapolated = false;

    [[nodiscard]] double operator[](SweepMetric metric) const { return values[static_cast<size_t>(metric)]; }
    double &operator[](SweepMetric metric) { return values[static_cast<size_t>(metric)]; }
};

/// What is known of the recorded run: tokens, cost and cache hits as we compute them, so that cells can be compared
/// with them (see RecordedFigures), and the compactions. What it lost is not: all that the recorded agent used was
/// there. Without usage nothing is.
[[nodiscard]] SweepFigures recordedSweepFigures(const RecordedFigures &recorded);

[[nodiscard]] SweepFigures sweepFigures(const PolicyFigures &policy, const RecordedFigures &recorded);
/// The same without a count of compactions, if no stage of the policy waits for a trigger: such stages work on as
/// blocks come in, and how often is the session's doing, not the policy's.
[[nodiscard]] SweepFigures withoutIdleCount(SweepFigures figures, const Policy &policy);
/// The same of the last run of a policy by cuts. `costing` is over the same tables.
[[nodiscard]] SweepFigures cutFigures(CutReplay &replay, CutCosting &costing, const RecordedFigures &recorded);

} // namespace core
