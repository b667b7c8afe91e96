// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/sweep/sweep_set.h"

#include "core/base/format.h"
#include "core/evidence/reach.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>
#include <unordered_map>

namespace core {

namespace {

/// Sorts by date, runs without a date last.
auto dateKey(const RunSweep &run)
{
    return std::tuple(!run.begun, run.begun.value_or(0), std::string_view(run.file), run.thread);
}

/// Visits runs, longest first, and remembers the calls of the accepted ones.
class CopyFinder final {
public:
    /// The accepted run that has more than half of this run's calls; if there is none, accepts this run.
    std::optional<size_t> copiedFrom(size_t index, const RunSweep &run)
    {
        std::map<size_t, size_t> shared; // number of shared calls by run
        size_t sum = 0;
        for (const uint64_t id : run.callIds) {
            if (const auto found = m_owners.find(id); found != m_owners.end()) {
                ++shared[found->second];
                ++sum;
            }
        }
        if (2 * sum > run.callIds.size())
            return std::ranges::max_element(shared, {}, [](const auto &each) { return each.second; })->first;
        m_sharedCalls += sum;
        for (const uint64_t id : run.callIds)
            m_owners.emplace(id, index);
        return std::nullopt;
    }
    [[nodiscard]] size_t sharedCalls() const { return m_sharedCalls; }

private:
    std::unordered_map<uint64_t, size_t> m_owners;
    size_t m_sharedCalls = 0;
};

bool isSummable(SweepMetric metric)
{
    return metric != SweepMetric::Peak && metric != SweepMetric::Mean && metric != SweepMetric::Compactions
        && metric != SweepMetric::HitShare;
}

/// Spread over the runs with a known figure.
template <typename FiguresOf>
double sumOf(const SweepSet &set, SweepMetric metric, const FiguresOf &figuresOf)
{
    double sum = 0;
    bool isKnown = false;
    for (const RunSweep &run : set.runs) {
        const double value = figuresOf(run)[metric];
        if (std::isnan(value))
            continue;
        sum += value;
        isKnown = true;
    }
    return isKnown && isSummable(metric) ? sum : kUnknownFigure;
}

/// Larger is worse.
double badness(SweepMetric metric, double value) { return infoOf(metric).isLessBetter ? value : -value; }

/// Scaled for the metric.
double scaledIn(const RunSweep &run, const SweepFigures &figures, SweepMetric metric)
{
    const double value = figures[metric];
    const SweepScale scale = scaleOf(metric);
    if (scale == SweepScale::Plain)
        return value;
    const double whole = scale == SweepScale::OfUses ? static_cast<double>(run.uses) : run.recorded[metric];
    return whole > 0 ? value / whole : kUnknownFigure;
}

/// A run and a figure that ranks it, worst first.
struct RankedRun {
    double goodness = 0;
    size_t run = 0;
    auto operator<=>(const RankedRun &) const = default;
};
template <typename FiguresOf>
std::vector<RankedRun> worstFirst(const SweepSet &set, SweepMetric metric, const FiguresOf &figuresOf)
{
    std::vector<RankedRun> runs;
    for (size_t i = 0; i < set.runs.size(); ++i) {
        const double value = scaledIn(set.runs[i], figuresOf(set.runs[i]), metric);
        if (!std::isnan(value))
            runs.push_back({ -badness(metric, value), i });
    }
    std::ranges::sort(runs);
    return runs;
}

template <typename FiguresOf>
CellSpread spreadOver(const SweepSet &set, SweepMetric metric, const FiguresOf &figuresOf)
{
    CellSpread spread { kUnknownFigure, kUnknownFigure, kUnknownFigure, kUnknownFigure };
    spread.sum = sumOf(set, metric, figuresOf);
    const std::vector<RankedRun> worst = worstFirst(set, metric, figuresOf);
    std::vector<double> values; // from good to bad
    for (const RankedRun &each : worst | std::views::reverse)
        values.push_back(-each.goodness);
    spread.known = values.size();
    if (values.empty())
        return spread;
    spread.median = badness(metric, quantile(values, 0.5));
    spread.p90 = badness(metric, quantile(values, 0.9));
    spread.worst = badness(metric, values.back());
    spread.worstRun = worst.front().run;
    return spread;
}

auto cellOf(size_t cell)
{
    return [cell](const RunSweep &run) -> const SweepFigures & { return run.cells[cell]; };
}

} // namespace

SweepSet sweepSet(SweepPlan plan, std::vector<FileSweep> files)
{
    SweepSet set;
    set.plan = std::move(plan);
    std::set<std::string> names;
    std::vector<RunSweep> runs;
    for (FileSweep &file : files) {
        for (RunSweep &run : file.runs) {
            names.insert(run.file);
            runs.push_back(std::move(run));
        }
        for (LeftOut &each : file.leftOut) {
            names.insert(each.file);
            set.leftOut.push_back(std::move(each));
        }
    }
    set.fileCount = names.size();
    std::ranges::sort(runs, {}, dateKey);
    std::ranges::sort(set.leftOut, {}, [](const LeftOut &each) { return std::tie(each.file, each.thread); });
    std::vector<size_t> byLength(runs.size());
    for (size_t i = 0; i < runs.size(); ++i)
        byLength[i] = i;
    std::ranges::stable_sort(byLength, std::greater(), [&](size_t i) { return runs[i].callIds.size(); });
    CopyFinder copies;
    std::vector<std::optional<size_t>> copied(runs.size());
    for (const size_t i : byLength)
        copied[i] = copies.copiedFrom(i, runs[i]);
    set.sharedCalls = copies.sharedCalls();
    std::vector<size_t> places(runs.size()); // of runs that are not copies
    for (size_t i = 0; i < runs.size(); ++i) {
        places[i] = set.runs.size();
        if (!copied[i])
            set.runs.push_back(runs[i]);
    }
    for (size_t i = 0; i < runs.size(); ++i) {
        if (copied[i])
            set.merged.push_back({ runs[i].file, runs[i].thread, places[*copied[i]] });
    }
    return set;
}

ReachSummary reachOf(const SweepSet &set)
{
    ReachSummary summary;
    summary.sessions.reserve(set.runs.size());
    for (const RunSweep &run : set.runs)
        summary.sessions.push_back({ run.file, run.reach, 0 });
    return summary;
}

SweepScale scaleOf(SweepMetric metric)
{
    switch (metric) {
    case SweepMetric::Cost:
    case SweepMetric::Tokens:
        return SweepScale::OfRecorded;
    case SweepMetric::LostUses:
    case SweepMetric::FetchedUses:
        return SweepScale::OfUses;
    default:
        return SweepScale::Plain;
    }
}

double scaled(const RunSweep &run, size_t cell, SweepMetric metric) { return scaledIn(run, run.cells[cell], metric); }

std::string shownScaled(SweepMetric metric, double value)
{
    const SweepScale scale = scaleOf(metric);
    if (scale == SweepScale::Plain || std::isnan(value))
        return shownMetric(metric, value);
    return formatted("{:.1f} % of {}", value * 100, scale == SweepScale::OfUses ? "uses" : "recorded");
}

std::vector<size_t> worstRuns(const SweepSet &set, size_t cell, SweepMetric metric)
{
    std::vector<size_t> indices;
    for (const RankedRun &each : worstFirst(set, metric, cellOf(cell)))
        indices.push_back(each.run);
    return indices;
}

CellSpread spreadOf(const SweepSet &set, size_t cell, SweepMetric metric)
{
    return spreadOver(set, metric, cellOf(cell));
}

CellSpread recordedSpreadOf(const SweepSet &set, SweepMetric metric)
{
    // What a recording lost is known only without a compaction: those runs alone would stand for all.
    const bool isUnknown = std::ranges::any_of(
        set.runs, [&](const RunSweep &run) { return isLoss(metric) && std::isnan(run.recorded[metric]); });
    if (isUnknown)
        return { .median = kUnknownFigure, .p90 = kUnknownFigure, .worst = kUnknownFigure, .sum = kUnknownFigure };
    return spreadOver(set, metric, [](const RunSweep &run) -> const SweepFigures & { return run.recorded; });
}

CellCounts countsOf(const SweepSet &set, size_t cell)
{
    CellCounts counts;
    for (const RunSweep &run : set.runs) {
        counts.fired += run.cells[cell][SweepMetric::Compactions] > 0 ? 1 : 0;
        counts.extrapolated += run.cells[cell].isExtrapolated ? 1 : 0;
    }
    return counts;
}

} // namespace core
