// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/run_sweep.h"

namespace core {

/// A run whose calls are copies of another run's: the file of a resumed session repeats the calls it continues.
struct MergedRun {
    std::string file;
    uint32_t thread = 0;
    size_t into = 0; ///< index into SweepSet::runs: the run that counts instead
};

/// The sweeps of many runs, without copies.
struct SweepSet {
    SweepPlan plan;
    size_t fileCount = 0;
    std::vector<RunSweep> runs; ///< by the time of their first call, runs without a time last; then by file and thread
    std::vector<MergedRun> merged;
    std::vector<LeftOut> leftOut;
    size_t sharedCalls = 0; ///< calls in two runs: a session was resumed twice and continued in both
};

/// Merges a run if more than half of its calls are in longer runs. The order of files does not matter. O(calls × log).
[[nodiscard]] SweepSet sweepSet(SweepPlan plan, std::vector<FileSweep> files);

/// How far back the quotes reach, a curve for each run.
[[nodiscard]] ReachSummary reachOf(const SweepSet &set);

/// What a run's figure is divided by to be comparable between runs.
enum class SweepScale : uint8_t {
    Plain,      ///< nothing: prompt sizes, rates, counts
    OfRecorded, ///< the recorded figure: cost, tokens
    OfUses,     ///< the number of the run's later uses: lost and fetched uses
};
[[nodiscard]] SweepScale scaleOf(SweepMetric metric);
/// A cell of one run, scaled; NaN if the figure or its divisor is unknown.
[[nodiscard]] double scaled(const RunSweep &run, size_t cell, SweepMetric metric);
/// `93.1 % of recorded`, `1.2 % of uses`, or as `shownMetric`.
[[nodiscard]] std::string shownScaled(SweepMetric metric, double value);

/// One cell and metric over the runs of a set. Quantiles are of scaled figures, ordered from good to bad. So the 90th
/// percentile of the hit share is a low value: nine of ten runs have a higher one.
struct CellSpread {
    double median = 0;
    double p90 = 0;
    double worst = 0;
    double sum = 0;      ///< of unscaled dollars, tokens or uses; NaN for rates, shares and sizes
    size_t known = 0;    ///< runs with a known figure; if none, all figures are NaN
    size_t worstRun = 0; ///< index into SweepSet::runs
};
[[nodiscard]] CellSpread spreadOf(const SweepSet &set, size_t cell, SweepMetric metric);
/// The spread of the recorded figures; cost and tokens are 1, as scaled.
[[nodiscard]] CellSpread recordedSpreadOf(const SweepSet &set, SweepMetric metric);
/// The number of runs in which the policy ever acts; the number of runs in which some contexts are larger than
/// every recorded context.
struct CellCounts {
    size_t fired = 0;
    size_t extrapolated = 0;
};
[[nodiscard]] CellCounts countsOf(const SweepSet &set, size_t cell);
/// The runs where a cell is worst in a metric, worst first, without runs of unknown figure.
[[nodiscard]] std::vector<size_t> worstRuns(const SweepSet &set, size_t cell, SweepMetric metric);

} // namespace core
