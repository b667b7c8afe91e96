// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/sweep_set_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/report/document_parts.h"
#include "core/report/suggestion_words.h"
#include "core/report/sweep_parts.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace core {

namespace {

constexpr size_t kWorst = 5;

/// Shares need more digits than counts.
Json scaledJson(SweepMetric metric, double value)
{
    if (std::isnan(value))
        return nullptr;
    return scaleOf(metric) == SweepScale::Plain ? metricJson(metric, value) : Json(value);
}

Json dateJson(std::optional<Timestamp> time) { return time ? Json(isoSeconds(*time)) : Json(nullptr); }

Json runJson(const RunSweep &run)
{
    Json json { { "file", run.file }, { "thread", run.thread }, { "title", run.title }, { "model", run.model },
        { "begun", dateJson(run.begun) }, { "ended", dateJson(run.ended) }, { "calls", run.calls },
        { "later_uses", run.uses }, { "typed_messages", run.typedMessages }, { "token_basis", nameOf(run.basis) },
        { "counterfactual_share", run.counterfactualShare } };
    json["recorded"] = Json::object();
    forEachMetric([&](SweepMetric metric) {
        if (const double value = run.recorded[metric]; !std::isnan(value))
            json["recorded"][std::string(infoOf(metric).id)] = metricJson(metric, value);
    });
    json["recorded"]["cost_by_usage"] = run.bill.isKnown() ? Json(run.bill.recorded) : Json(nullptr);
    json["recorded"]["calls_with_cost"] = run.bill.calls;
    return json;
}

Json cellJson(const SweepSet &set, size_t cell)
{
    const size_t columns = set.plan.x.values.size();
    const CellCounts counts = countsOf(set, cell);
    Json json { { "x", set.plan.x.textOf(set.plan.x.values[cell % columns]) },
        { "y", set.plan.y.textOf(set.plan.y.values[cell / columns]) }, { "fired_in", counts.fired },
        { "extrapolated_in", counts.extrapolated } };
    forEachMetric([&](SweepMetric metric) {
        const CellSpread spread = spreadOf(set, cell, metric);
        Json entry { { "known_in", spread.known }, { "median", scaledJson(metric, spread.median) },
            { "p90", scaledJson(metric, spread.p90) }, { "worst", scaledJson(metric, spread.worst) },
            { "worst_run", spread.known > 0 ? Json(spread.worstRun) : Json(nullptr) } };
        if (!std::isnan(spread.sum))
            entry["sum"] = metricJson(metric, spread.sum);
        json[std::string(infoOf(metric).id)] = std::move(entry);
    });
    return json;
}

Json scalesJson()
{
    Json json = Json::object();
    forEachMetric([&](SweepMetric metric) {
        const SweepScale scale = scaleOf(metric);
        json[std::string(infoOf(metric).id)] = scale == SweepScale::OfRecorded ? "share of recorded"
            : scale == SweepScale::OfUses                                      ? "share of later uses"
                                                                               : "as it is";
    });
    return json;
}

/// The best cells by the median of a metric, best first; ties by smaller settings.
std::vector<size_t> ranked(const SweepSet &set, SweepMetric metric, const std::vector<double> &medians)
{
    std::vector<size_t> cells;
    for (size_t i = 0; i < medians.size(); ++i) {
        if (!std::isnan(medians[i]))
            cells.push_back(i);
    }
    const double sign = infoOf(metric).isLessBetter ? 1 : -1;
    std::ranges::stable_sort(cells, {}, [&](size_t cell) { return sign * medians[cell]; });
    cells.resize(std::min(cells.size(), kBest));
    return set.runs.empty() ? std::vector<size_t>() : cells;
}

std::string cellWords(const SweepSet &set, size_t cell)
{
    std::string words = set.plan.settingsOf(cell);
    for (const SweepMetric metric : { SweepMetric::Cost, SweepMetric::Peak, SweepMetric::LostUses }) {
        const CellSpread spread = spreadOf(set, cell, metric);
        words += formatted(" · {} {}, worst {}", infoOf(metric).title, shownScaled(metric, spread.median),
            shownScaled(metric, spread.worst));
    }
    return words;
}

std::string worstLines(const SweepSet &set, size_t cell, SweepMetric metric)
{
    std::string text = formatted("\n    {} has the worst results on:\n", set.plan.settingsOf(cell));
    const std::vector<size_t> runs = worstRuns(set, cell, metric);
    for (size_t i = 0; i < std::min(kWorst, runs.size()); ++i) {
        const RunSweep &run = set.runs[runs[i]];
        text += formatted("    {:>20}  {:>10}  {}\n", shownScaled(metric, scaled(run, cell, metric)),
            scaleOf(metric) == SweepScale::Plain ? "" : shownMetric(metric, run.cells[cell][metric]),
            visibleText(runName(run)));
    }
    return text;
}

/// Files and runs left out, by reason; the document names each.
std::string leftOutLines(const SweepSet &set)
{
    std::map<std::string_view, size_t> reasons;
    for (const LeftOut &each : set.leftOut)
        ++reasons[each.reason];
    std::string text;
    for (const auto &[reason, count] : reasons)
        text += formatted("    {:>6}  {}\n", groupedNumber(count), visibleText(reason));
    return text.empty() ? text : "\nLeft out:\n" + text;
}

std::string mapText(const SweepSetReport &report)
{
    const SweepSet &set = report.set;
    std::vector<double> medians;
    std::vector<bool> isExtrapolated; // in most runs
    for (size_t cell = 0; cell < set.plan.cellCount(); ++cell) {
        medians.push_back(spreadOf(set, cell, report.metric).median);
        isExtrapolated.push_back(2 * countsOf(set, cell).extrapolated > set.runs.size());
    }
    const std::vector<size_t> cells = ranked(set, report.metric, medians);
    const DrawnSweep drawn = drawSweepMap({ set.plan.x, set.plan.y, [&](size_t cell) { return medians[cell]; },
        [&](size_t cell) { return isExtrapolated[cell]; }, cells });
    if (drawn.map.empty())
        return "    " + shownScaled(report.metric, std::numeric_limits<double>::quiet_NaN()) + "\n";
    std::string text = drawn.map
        + formatted("    1 to {} = the best cells; shades from blank ({}) to @ ({}); / = in most runs, some contexts "
                    "are larger than every recorded context\n\n",
            cells.size(), shownScaled(report.metric, drawn.least), shownScaled(report.metric, drawn.most));
    for (size_t i = 0; i < cells.size(); ++i)
        text += formatted("    {}  {}\n", i + 1, cellWords(set, cells[i]));
    return text + worstLines(set, cells.front(), report.metric);
}

} // namespace

Json sweepSetJson(const SweepSetReport &report)
{
    const SweepSet &set = report.set;
    Json document { { "schema", "palimpsest.sweep_set/1" }, { "files", set.fileCount },
        { "policy", parseJson(set.plan.policy->document) }, { "uses", kHeadlineUsesName },
        { "prices_of", set.plan.pricesOf }, { "x", sweepAxisJson(set.plan.x) }, { "y", sweepAxisJson(set.plan.y) },
        { "shared_calls", set.sharedCalls } };
    for (const char *member : { "runs", "merged", "left_out", "cells" })
        document[member] = Json::array();
    for (const RunSweep &run : set.runs)
        document["runs"].push_back(runJson(run));
    for (const MergedRun &each : set.merged)
        document["merged"].push_back({ { "file", each.file }, { "thread", each.thread }, { "into", each.into } });
    for (const LeftOut &each : set.leftOut)
        document["left_out"].push_back(
            { { "file", each.file }, { "thread", orNull(each.thread) }, { "reason", each.reason } });
    document["scales"] = scalesJson();
    for (size_t cell = 0; cell < set.plan.cellCount() && !set.runs.empty(); ++cell)
        document["cells"].push_back(cellJson(set, cell));
    if (report.suggestion)
        document["suggestion"] = *report.suggestion ? suggestionJson(set, **report.suggestion)
                                                    : Json { { "reason", report.suggestion->error().message } };
    return document;
}

std::string sweepSetCsv(const SweepSetReport &report)
{
    const SweepSet &set = report.set;
    const auto field = [](const Json &value) { return "," + (value.is_null() ? std::string() : value.dump()); };
    std::string text = csvField(set.plan.x.setting) + "," + csvField(set.plan.y.setting);
    forEachMetric([&](SweepMetric metric) {
        for (const std::string_view name : { "sum", "median", "p90", "worst" })
            text += formatted(",{}_{}", infoOf(metric).id, name);
    });
    text += ",fired_in,extrapolated_in\n";
    const size_t columns = set.plan.x.values.size();
    for (size_t cell = 0; cell < set.plan.cellCount() && !set.runs.empty(); ++cell) {
        text += set.plan.x.textOf(set.plan.x.values[cell % columns]) + ","
            + set.plan.y.textOf(set.plan.y.values[cell / columns]);
        forEachMetric([&](SweepMetric metric) {
            const CellSpread spread = spreadOf(set, cell, metric);
            text += field(metricJson(metric, spread.sum));
            for (const double value : { spread.median, spread.p90, spread.worst })
                text += field(scaledJson(metric, value));
        });
        const CellCounts counts = countsOf(set, cell);
        text += formatted(",{},{}\n", counts.fired, counts.extrapolated);
    }
    return text;
}

std::string linesOf(std::span<const std::string> sentences)
{
    std::string text;
    for (const std::string &sentence : sentences)
        text += visibleText(sentence) + "\n";
    return text;
}

std::string drawSweepSet(const SweepSetReport &report)
{
    const SweepSet &set = report.set;
    size_t calls = 0;
    for (const RunSweep &run : set.runs)
        calls += run.calls;
    std::string text = formatted("{}\n", countSentence(set));
    if (set.runs.empty())
        return text + leftOutLines(set);
    const Suggestion *made = report.suggestion && *report.suggestion ? &**report.suggestion : nullptr;
    if (made != nullptr)
        text += linesOf(suggestionHead(set, *made)) + "\n";
    else if (report.suggestion)
        text += report.suggestion->error().message + "\n\n";
    text += formatted("{}: the median of {} over {}, by {} and {}\n\n", infoOf(report.metric).title,
        counted(set.runs.size(), "run"), counted(calls, "call"), set.plan.x.setting, set.plan.y.setting);
    text += mapText(report);
    if (made != nullptr)
        text += "\n" + linesOf(suggestionDetails(set, *made));
    return text + leftOutLines(set);
}

std::string countSentence(const SweepSet &set)
{
    std::string text = formatted("{}, {}, {} merged", counted(set.fileCount, "file"), counted(set.runs.size(), "run"),
        counted(set.merged.size(), "duplicate"));
    if (!set.leftOut.empty())
        text += formatted(", {} left out", groupedNumber(set.leftOut.size()));
    if (set.sharedCalls > 0)
        text += formatted(
            ", {} in two runs each", counted(set.sharedCalls, "call") + (set.sharedCalls == 1 ? " occurs" : " occur"));
    return text;
}

std::string runName(const RunSweep &run)
{
    return run.thread == 0 ? run.file : formatted("{}, thread {}", run.file, run.thread);
}

} // namespace core
