// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/resampling.h"
#include "core/sweep/sweep_set.h"

namespace core {

/// The most that a person accepts of a metric.
struct SweepLimit {
    SweepMetric metric = SweepMetric::LostUses;
    double most = 0;
    bool isShare = false; ///< of later uses; else the number itself

    /// `lost uses at most 1 %`
    [[nodiscard]] std::string text() const;
};

/// Reads `METRIC=MOST`: `lost_uses=1%` or a number of uses, `fetched_uses` alike, `peak=150k tok`,
/// `lost_user_messages=0`, `lost_bytes=0`, `refetch_tokens=20000`. An error of kind Usage says what there is.
[[nodiscard]] Result<SweepLimit> parseLimit(std::string_view text);

/// A metric over several runs, as one figure. Uses: lost or fetched ones of all uses. Peak: the median run's. Mean,
/// compactions, cache hits: of all calls and prompts together. The others: the mean run's.
[[nodiscard]] double pooled(
    const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric);

struct SuggestionOptions {
    std::vector<SweepLimit> limits;
    double earlier = 0.6; ///< the share of runs, by date, on which the policy is chosen
    uint64_t seed = 1;
    size_t rounds = 2000; ///< of resampling
};

/// The cheapest cell of a set that keeps limits, chosen on earlier runs and judged on later ones.
struct Suggestion {
    /// A part has to have runs enough to be resampled; with fewer in all nothing is suggested.
    static constexpr size_t kFewestRuns = 10;

    /// A figure of the cell on later runs, beside what was recorded of the same runs.
    struct Figure {
        SweepMetric metric = SweepMetric::Cost;
        double value = 0; ///< see `pooled`
        Interval interval;
        double recorded = 0; ///< not a number where the recording does not tell
    };
    /// What became of a limit on later runs.
    struct Verdict {
        SweepLimit limit;
        double earlier = 0; ///< on the scale of the limit
        double later = 0;
        [[nodiscard]] bool isKept() const { return later <= limit.most; }
    };

    SweepMetric aim = SweepMetric::Cost; ///< what is least: cost, or tokens where prices are missing
    size_t cell = 0;
    std::vector<size_t> earlier; ///< of SweepSet::runs, by date
    std::vector<size_t> later;
    size_t withoutDate = 0;  ///< runs that are in neither part
    size_t withoutPrice = 0; ///< the same, where the aim is cost
    double earlierShare = 0; ///< of the aim: all runs' sum by that recorded
    double laterShare = 0;
    Interval laterInterval; ///< of laterShare
    double agreement = 0;   ///< of resampled earlier parts, those in which this cell is chosen
    std::vector<Figure> figures;
    std::vector<Verdict> verdicts;
    std::vector<size_t> worst; ///< up to three of `later`, that with the largest share of what was recorded first

    /// The interval lies below what was recorded.
    [[nodiscard]] bool isSavingShown() const { return laterInterval.high < 1; }
};

/// Cells in which a provider would have refused a call, because a tool result was torn from its call or a prompt was
/// larger than the model's window, are no policies that one could run; the others are eligible where they keep all
/// limits: uses and counts over all earlier runs together, peaks in each. Of equally cheap ones that with fewer lost
/// uses is chosen, then the first. An error of kind Empty says why there is nothing to suggest.
[[nodiscard]] Result<Suggestion> suggest(const SweepSet &set, const SuggestionOptions &options = {});

} // namespace core
