// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/sweep_report.h"

#include "core/base/format.h"
#include "core/base/visible.h"
#include "core/compaction/texts.h"
#include "core/report/document_parts.h"
#include "core/report/sweep_parts.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

/// The recorded run by usage, and as computed; cells are compared with the latter.
Json recordedJson(const RecordedFigures &recorded)
{
    const ReplayGround &ground = *recorded.ground;
    const PromptSums &usage = recorded.prompts.byUsage;
    const bool hasUsage = usage.calls > 0;
    const auto known = [&](double tokens) { return hasUsage ? Json(std::llround(tokens)) : Json(nullptr); };
    const SweepFigures computed = recordedSweepFigures(recorded);
    return { { "calls", ground.callCount() }, { "recorded_calls", usage.calls }, { "tokens", known(usage.sum.value) },
        { "peak", known(usage.peak.value) },
        { "computed_tokens", metricJson(SweepMetric::Tokens, computed[SweepMetric::Tokens]) },
        { "computed_peak", metricJson(SweepMetric::Peak, computed[SweepMetric::Peak]) },
        { "cost", recorded.bill.isKnown() ? Json(recorded.bill.recorded) : Json(nullptr) },
        { "computed_cost", metricJson(SweepMetric::Cost, computed[SweepMetric::Cost]) },
        { "cache_hit_share", hasUsage && !recorded.run.rule.empty() ? Json(recorded.run.hitShare()) : Json(nullptr) },
        { "computed_cache_hit_share", metricJson(SweepMetric::HitShare, computed[SweepMetric::HitShare]) } };
}

Json cellJson(const Sweep &sweep, size_t column, size_t row)
{
    Json json { { "x", sweep.x.textOf(sweep.x.values[column]) }, { "y", sweep.y.textOf(sweep.y.values[row]) } };
    const SweepFigures &figures = *sweep.at(column, row);
    forEachMetric(
        [&](SweepMetric metric) { json[std::string(infoOf(metric).id)] = metricJson(metric, figures[metric]); });
    json["counterfactual_share"] = figures.counterfactualShare;
    json["extrapolated"] = figures.isExtrapolated;
    return json;
}

/// The best cells by a metric, best first; ties by smaller settings.
std::vector<size_t> ranked(const Sweep &sweep, SweepMetric metric)
{
    std::vector<size_t> cells;
    for (size_t i = 0; i < sweep.cells.size(); ++i) {
        if (!std::isnan((*sweep.cells[i])[metric]))
            cells.push_back(i);
    }
    const double sign = infoOf(metric).isLessBetter ? 1 : -1;
    std::ranges::stable_sort(cells, {}, [&](size_t cell) { return sign * (*sweep.cells[cell])[metric]; });
    cells.resize(std::min(cells.size(), kBest));
    return cells;
}

std::string cellWords(const Sweep &sweep, size_t cell)
{
    const size_t columns = sweep.x.values.size();
    const SweepFigures &figures = *sweep.cells[cell];
    std::string words = formatted("{} {}, {} {}", sweep.x.setting, sweep.x.wordsOf(sweep.x.values[cell % columns]),
        sweep.y.setting, sweep.y.wordsOf(sweep.y.values[cell / columns]));
    for (const SweepMetric metric : { SweepMetric::Cost, SweepMetric::Peak, SweepMetric::LostUses })
        words += formatted(" · {} {}", infoOf(metric).title, shownMetric(metric, figures[metric]));
    return words + (figures.isExtrapolated ? " · some contexts are larger than every recorded context" : "");
}

} // namespace

Json sweepJson(const SweepReport &report)
{
    const Sweep &sweep = *report.sweep;
    Json document { { "schema", "palimpsest.sweep/1" }, { "file", report.file },
        { "thread", report.ground->recorded->ground->log.thread.value() },
        { "policy", parseJson(sweep.policy->document) } };
    document["uses"] = kHeadlineUsesName;
    document["token_basis"] = nameOf(report.ground->recorded->ground->tokens->basis);
    document["prices_of"] = report.ground->prices->date();
    document["x"] = sweepAxisJson(sweep.x);
    document["y"] = sweepAxisJson(sweep.y);
    document["recorded"] = recordedJson(*report.ground->recorded);
    document["cells"] = Json::array();
    for (size_t row = 0; row < sweep.y.values.size(); ++row) {
        for (size_t column = 0; column < sweep.x.values.size(); ++column)
            document["cells"].push_back(cellJson(sweep, column, row));
    }
    return document;
}

std::string sweepCsv(const SweepReport &report)
{
    const Sweep &sweep = *report.sweep;
    std::string text = csvField(sweep.x.setting) + "," + csvField(sweep.y.setting);
    forEachMetric([&](SweepMetric metric) { text += formatted(",{}", infoOf(metric).id); });
    text += ",extrapolated\n";
    for (size_t row = 0; row < sweep.y.values.size(); ++row) {
        for (size_t column = 0; column < sweep.x.values.size(); ++column) {
            const SweepFigures &figures = *sweep.at(column, row);
            text += sweep.x.textOf(sweep.x.values[column]) + "," + sweep.y.textOf(sweep.y.values[row]);
            forEachMetric([&](SweepMetric metric) {
                const Json value = metricJson(metric, figures[metric]);
                text += "," + (value.is_null() ? std::string() : value.dump());
            });
            text += figures.isExtrapolated ? ",1\n" : ",0\n";
        }
    }
    return text;
}

std::string drawSweep(const SweepReport &report)
{
    const Sweep &sweep = *report.sweep;
    const SweepMetricInfo &info = infoOf(report.metric);
    const std::vector<size_t> cells = ranked(sweep, report.metric);
    const DrawnSweep drawn
        = drawSweepMap({ sweep.x, sweep.y, [&](size_t cell) { return (*sweep.cells[cell])[report.metric]; },
            [&](size_t cell) { return sweep.cells[cell]->isExtrapolated; }, cells });
    std::string text = formatted("{}: {} over {} of 1 session, by {} and {}\n\n", visibleText(report.file), info.title,
        counted(report.ground->recorded->ground->callCount(), "call"), sweep.x.setting, sweep.y.setting);
    if (drawn.map.empty())
        return text + "    " + shownMetric(report.metric, std::numeric_limits<double>::quiet_NaN()) + "\n";
    text += drawn.map;
    text += formatted("    1 to {} = the best cells; shades from blank ({}) to @ ({}); / = some contexts are larger "
                      "than every recorded context\n\n",
        cells.size(), shownMetric(report.metric, drawn.least), shownMetric(report.metric, drawn.most));
    for (size_t i = 0; i < cells.size(); ++i)
        text += formatted("    {}  {}\n", i + 1, cellWords(sweep, cells[i]));
    return text;
}

} // namespace core
