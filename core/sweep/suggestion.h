// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/resampling.h"
#include "core/sweep/sweep_set.h"

#include <memory>

namespace core {

/// The highest acceptable value of a metric.
struct SweepLimit {
    SweepMetric metric = SweepMetric::LostUses;
    double most = 0;
    bool isShare = false; ///< the limit is a share of later uses; else a plain number
    bool isByOwn = false; ///< what `RunSweep::own` of the same runs comes to is acceptable, too

    /// `Lost uses at most 1 % of all uses`
    [[nodiscard]] std::string text() const;
    bool operator==(const SweepLimit &) const = default;
};

/// The share of uses that a setting may lose in any case.
inline constexpr double kUsualLoss = 0.01;
/// The limits unless others are given, as for one session: at most 1 % of the uses lost, or as many as by the harness's
/// own policy, and no more user messages than by that policy.
[[nodiscard]] std::vector<SweepLimit> usualLimits();

/// Parses `METRIC=MOST`: `lost_uses=1%` or a number of uses, `fetched_uses` alike, `peak=150k tok`,
/// `lost_user_messages=0`, `lost_bytes=0`, `refetch_tokens=20000`, and `METRIC=own`: see `isByOwn`; lost uses may be
/// 1 % then. Fails with Usage and lists the possible metrics.
[[nodiscard]] Result<SweepLimit> parseLimit(std::string_view text);

/// One figure of a metric over several runs. Lost and fetched uses: share of all uses. Peak: median of the runs. Mean,
/// compactions, cache hits: over all calls and prompts together. Other metrics: mean of the runs.
[[nodiscard]] double pooled(
    const SweepSet &set, std::span<const size_t> runs, std::optional<size_t> cell, SweepMetric metric);

/// The highest acceptable figure over these runs, in the unit of the limit.
[[nodiscard]] double mostOver(const SweepSet &set, std::span<const size_t> runs, const SweepLimit &limit);

struct SuggestionOptions {
    std::vector<SweepLimit> limits;
    double earlier = 0.6; ///< share of runs, oldest first, on which the policy is chosen
    uint64_t seed = 1;
    size_t rounds = 2000; ///< rounds of resampling
};

/// The cheapest cell of a set that keeps the limits, chosen on earlier runs and judged on later runs.
struct Suggestion {
    /// Both parts need enough runs for resampling; with fewer in all there is no suggestion.
    static constexpr size_t kFewestRuns = 10;
    /// Says so, and how many there are.
    [[nodiscard]] static std::string fewRunsSentence(size_t dated);

    /// A figure of the cell on later runs, beside the recorded figure of the same runs.
    struct Figure {
        SweepMetric metric = SweepMetric::Cost;
        double value = 0; ///< see `pooled`
        Interval interval;
        double recorded = 0; ///< NaN if the recording does not contain it
    };
    /// A limit on later runs.
    struct Verdict {
        SweepLimit limit;
        double earlier = 0; ///< in the unit of the limit
        double later = 0;
        double mostEarlier = 0; ///< see `mostOver`
        double mostLater = 0;
        [[nodiscard]] bool isKept() const { return later <= mostLater; }
    };
    /// A cell that was the best on the earlier runs, but exceeds a limit on the later ones.
    struct PassedOver {
        size_t cell = 0;
        double laterShare = 0; ///< of the aim
        Verdict broken;
    };

    /// What the later runs say.
    enum class Advice : uint8_t {
        Use,           ///< a saving is shown and all limits are kept
        Try,           ///< the same, but the later runs took part in the choice: see `passedOver`
        LimitExceeded, ///< a saving is shown, but a limit is not kept
        NoSaving,
        Unknown, ///< no later run has a recorded figure to compare with
    };

    SweepMetric aim = SweepMetric::Cost; ///< the metric to minimise: cost, or tokens if prices are missing
    size_t cell = 0;
    std::optional<PassedOver> passedOver; ///< another cell, in whose place `cell` is the next that keeps the limits
    std::vector<size_t> earlier;          ///< indices into SweepSet::runs, by date
    std::vector<size_t> later;
    size_t withoutDate = 0;  ///< runs in neither part for want of a date
    size_t withoutPrice = 0; ///< the same for want of a price, if the aim is cost
    size_t excluded = 0;     ///< cells below the recorded aim on the earlier runs that are not eligible
    double earlierShare = 0; ///< of the aim: sum over all earlier runs divided by the recorded sum
    double laterShare = 0;
    double laterOfOwn = kUnknownFigure; ///< of the aim, divided by the sum of `RunSweep::own`; NaN if that is unknown
    Interval laterInterval;             ///< of laterShare
    double agreement = 0;               ///< share of resampled earlier parts that choose the same cell
    std::vector<Figure> figures;
    std::vector<Verdict> verdicts;
    std::string fixed; ///< the setting that the policy's harness lacks, so that it stays; empty if there is none
    /// What is suggested without a limit on lost user messages, if that saves more; else nullptr.
    std::shared_ptr<const Suggestion> wider;
    std::vector<size_t> worst; ///< up to three of `later`, largest share of the recorded figure first

    /// Whether the whole interval is below the recorded figure.
    [[nodiscard]] bool isSavingShown() const { return laterInterval.high < 1; }
    [[nodiscard]] bool keepsLimits() const;
    [[nodiscard]] Advice advice() const;
    /// Whether the advice is to use or try the cell.
    [[nodiscard]] bool isUseful() const { return advice() == Advice::Use || advice() == Advice::Try; }
};

/// By cell: whether it keeps all limits over these runs, and a provider would refuse no call in them: uses and counts
/// over all runs together, peaks in each run. O(cells × runs).
[[nodiscard]] std::vector<bool> eligibleCells(
    const SweepSet &set, std::span<const size_t> runs, std::span<const SweepLimit> limits);

/// Excludes cells in which a provider would have refused a call, because a tool result had no tool call or a prompt
/// exceeded the model's window, and cells that the policy's harness cannot be set to. A cell must be eligible on the
/// earlier runs, and the cells around it, too, if such a cell saves: see `steadyCells`. Among equally cheap cells it
/// chooses the one with fewest lost uses, then the first. If that one exceeds a limit on the later runs, the next
/// cheapest that keeps them there and saves, too, takes its place. Fails with Empty and the reason if there is nothing
/// to suggest.
[[nodiscard]] Result<Suggestion> suggest(const SweepSet &set, const SuggestionOptions &options = {});

} // namespace core
