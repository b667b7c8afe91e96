// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/sweep/run_sweep.h"

namespace core {

/// A run whose calls stand in another one too: the file of a session that was resumed holds copies of what it goes on
/// from.
struct MergedRun {
    std::string file;
    uint32_t thread = 0;
    size_t into = 0; ///< the run that counts for it, of SweepSet::runs
};

/// The sweeps of many runs, each run once.
struct SweepSet {
    SweepPlan plan;
    size_t fileCount = 0;
    std::vector<RunSweep> runs; ///< by the time of their first call, those without one behind; then by file and thread
    std::vector<MergedRun> merged;
    std::vector<LeftOut> leftOut;
    size_t sharedCalls = 0; ///< that stand in two of the runs: where a session was resumed twice, and went on in both
};

/// A run is merged where more than half of its calls stand in longer ones. The order in which files come does not
/// matter. O(calls × log).
[[nodiscard]] SweepSet sweepSet(SweepPlan plan, std::vector<FileSweep> files);

/// How far back the quotes of its runs reach, a curve for each run.
[[nodiscard]] ReachSummary reachOf(const SweepSet &set);

/// What a metric of one run is divided by, so that runs can stand beside each other.
enum class SweepScale : uint8_t {
    Plain,      ///< nothing: sizes of prompts, rates, counts
    OfRecorded, ///< what was recorded: cost, tokens
    OfUses,     ///< the run's later uses: lost and fetched ones
};
[[nodiscard]] SweepScale scaleOf(SweepMetric metric);
/// A cell of one run on its metric's scale; not a number where the cell, or what divides it, is not known.
[[nodiscard]] double scaled(const RunSweep &run, size_t cell, SweepMetric metric);
/// `93.1 % of recorded`, `1.2 % of uses`, else as `shownMetric`.
[[nodiscard]] std::string shownScaled(SweepMetric metric, double value);

/// One cell and metric over the runs of a set. Quantiles are of scaled figures, and towards the worse: of hit shares
/// the 90th is that which nine of ten runs exceed.
struct CellSpread {
    double median = 0;
    double p90 = 0;
    double worst = 0;
    double sum = 0;      ///< of what is not scaled: dollars, tokens, uses; of rates, shares and sizes not a number
    size_t known = 0;    ///< runs in which the figure is known; where there are none all is not a number
    size_t worstRun = 0; ///< of SweepSet::runs
};
[[nodiscard]] CellSpread spreadOf(const SweepSet &set, size_t cell, SweepMetric metric);
/// The same of what was recorded; cost and tokens are 1, on their scale.
[[nodiscard]] CellSpread recordedSpreadOf(const SweepSet &set, SweepMetric metric);
/// In how many runs the policy ever fires, and in how many a figure rests on larger contexts than any recorded.
struct CellCounts {
    size_t fired = 0;
    size_t extrapolated = 0;
};
[[nodiscard]] CellCounts countsOf(const SweepSet &set, size_t cell);
/// The runs that a cell serves worst in a metric, worst first; those in which it is not known are not among them.
[[nodiscard]] std::vector<size_t> worstRuns(const SweepSet &set, size_t cell, SweepMetric metric);

} // namespace core
