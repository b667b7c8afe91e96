// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/run_sweep_lines.h"

#include "core/base/decimal_text.h"
#include "core/base/format.h"
#include "core/report/document_parts.h"
#include "core/report/json_lines.h"
#include "core/report/sweep_parts.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr std::string_view kSchema = "palimpsest.sweep_run/2";
/// Its cost and cache hits of the recorded run were those of usage, not comparable with computed ones.
constexpr std::string_view kOlderSchema = "palimpsest.sweep_run/1";
constexpr std::array kBases { Basis::Exact, Basis::Calibrated, Basis::Estimated };

double numberOf(const Json &json)
{
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

/// The members that lines must share to be combined.
Json planJson(const SweepPlan &plan)
{
    return { { "policy", parseJson(plan.policy->document) }, { "x", sweepAxisJson(plan.x) },
        { "y", sweepAxisJson(plan.y) }, { "uses", kHeadlineUsesName }, { "prices_of", plan.pricesOf } };
}

SweepAxis axisOf(const Json &json)
{
    SweepAxis axis;
    axis.setting = json.at("setting").get<std::string>();
    const bool isMeasure = axis.setting == "trigger" || axis.setting == "keep";
    for (const Json &value : json.at("values")) {
        const auto text = value.get<std::string>();
        if (!isMeasure) {
            const auto number = parseDecimal(text);
            if (!number)
                throw std::invalid_argument("“" + text + "” is not a number.");
            axis.values.push_back(*number);
            continue;
        }
        const auto measure = parseMeasure(text);
        if (!measure)
            throw std::invalid_argument(measure.error().message);
        axis.values.push_back(measure->value);
        axis.unit = measure->unit;
    }
    return axis;
}

Result<SweepPlan> planOf(const Json &json)
{
    SweepPlan plan;
    auto policy = parsePolicy(jsonText(json.at("policy"), -1));
    if (!policy)
        return std::unexpected(policy.error());
    policy->document = jsonText(json.at("policy"));
    plan.policy = std::make_shared<const Policy>(std::move(*policy));
    plan.x = axisOf(json.at("x"));
    plan.y = axisOf(json.at("y"));
    plan.pricesOf = json.at("prices_of").get<std::string>();
    return plan;
}

Json cellsJson(const RunSweep &run)
{
    Json cells = Json::object();
    forEachMetric([&](SweepMetric metric) {
        Json values = Json::array();
        for (const SweepFigures &figures : run.cells)
            values.push_back(numberJson(figures[metric]));
        cells[std::string(infoOf(metric).id)] = std::move(values);
    });
    cells["extrapolated"] = Json::array();
    for (const SweepFigures &figures : run.cells)
        cells["extrapolated"].push_back(figures.isExtrapolated);
    return cells;
}

/// The member of a metric; nullptr for one that lines of older versions lack.
const Json *memberOf(const Json &json, SweepMetric metric)
{
    const std::string id(infoOf(metric).id);
    return metric == SweepMetric::Uncached && !json.contains(id) ? nullptr : &json.at(id);
}

void readCells(RunSweep &run, const Json &json, size_t count)
{
    run.cells.resize(count);
    const auto check = [&](const Json &values) {
        if (values.size() != count)
            throw std::invalid_argument("cells");
    };
    forEachMetric([&](SweepMetric metric) {
        const Json *values = memberOf(json, metric);
        if (values != nullptr)
            check(*values);
        for (size_t i = 0; i < count; ++i)
            run.cells[i][metric] = values != nullptr ? numberOf((*values)[i]) : kUnknownFigure;
    });
    check(json.at("extrapolated"));
    for (size_t i = 0; i < count; ++i) {
        run.cells[i].isExtrapolated = json.at("extrapolated")[i].get<bool>();
        run.cells[i].counterfactualShare = run.counterfactualShare;
    }
}

Json billJson(const RecordedBill &bill)
{
    return { { "calls", bill.calls }, { "of_calls", bill.callCount }, { "recorded_cost", bill.recorded },
        { "computed_cost", bill.computed } };
}

RecordedBill billOf(const Json &json)
{
    return { .recorded = json.at("recorded_cost").get<double>(),
        .computed = json.at("computed_cost").get<double>(),
        .calls = wholeNumber<size_t>(json.at("calls")),
        .callCount = wholeNumber<size_t>(json.at("of_calls")) };
}

Json figuresJson(const SweepFigures &figures)
{
    Json json = Json::object();
    forEachMetric([&](SweepMetric metric) { json[std::string(infoOf(metric).id)] = numberJson(figures[metric]); });
    return json;
}

SweepFigures figuresOf(const Json &json)
{
    SweepFigures figures;
    forEachMetric([&](SweepMetric metric) {
        const Json *value = memberOf(json, metric);
        figures[metric] = value != nullptr ? numberOf(*value) : kUnknownFigure;
    });
    return figures;
}

Json runJson(const RunSweep &run, const Json &plan)
{
    Json json { { "schema", kSchema }, { "file", run.file }, { "thread", run.thread }, { "title", run.title },
        { "model", run.model }, { "begun", orNull(run.begun) }, { "ended", orNull(run.ended) }, { "calls", run.calls },
        { "later_uses", run.uses }, { "typed_messages", run.typedMessages }, { "window", run.window },
        { "token_basis", nameOf(run.basis) }, { "counterfactual_share", run.counterfactualShare } };
    json.update(plan);
    json["recorded"] = figuresJson(run.recorded);
    json["own"] = run.own ? figuresJson(*run.own) : Json(nullptr);
    json["quote_reach"] = Json::array();
    for (const double tokens : run.reach.distances())
        json["quote_reach"].push_back(static_cast<uint64_t>(tokens));
    json["bill"] = billJson(run.bill);
    json["cells"] = cellsJson(run);
    json["call_ids"] = Json::array();
    for (const uint64_t id : run.callIds)
        json["call_ids"].push_back(formatted("{:016x}", id));
    return json;
}

std::optional<Timestamp> timeOf(const Json &json)
{
    return json.is_null() ? std::nullopt : std::optional(wholeNumber<Timestamp>(json));
}

RunSweep runOf(const Json &json, size_t cellCount)
{
    RunSweep run;
    run.file = json.at("file").get<std::string>();
    run.thread = wholeNumber<uint32_t>(json.at("thread"));
    run.title = json.at("title").get<std::string>();
    run.model = json.at("model").get<std::string>();
    run.begun = timeOf(json.at("begun"));
    run.ended = timeOf(json.at("ended"));
    run.calls = wholeNumber<size_t>(json.at("calls"));
    run.uses = wholeNumber<size_t>(json.at("later_uses"));
    run.typedMessages = wholeNumber<size_t>(json.at("typed_messages"));
    run.window = json.at("window").get<double>();
    const auto basis = json.at("token_basis").get<std::string>();
    const auto *const found = std::ranges::find(kBases, basis, [](Basis each) { return nameOf(each); });
    run.basis = found != kBases.end() ? *found : Basis::Estimated;
    run.counterfactualShare = json.at("counterfactual_share").get<double>();
    run.recorded = figuresOf(json.at("recorded"));
    if (const auto own = json.find("own"); own != json.end() && !own->is_null()) // lines of older versions lack it
        run.own = figuresOf(*own);
    if (json.at("schema").get<std::string>() == kOlderSchema) {
        run.recorded[SweepMetric::Cost] = std::numeric_limits<double>::quiet_NaN();
        run.recorded[SweepMetric::HitShare] = std::numeric_limits<double>::quiet_NaN();
    } else {
        run.bill = billOf(json.at("bill"));
        run.reach = Reach(json.at("quote_reach").get<std::vector<double>>());
    }
    readCells(run, json.at("cells"), cellCount);
    for (const Json &id : json.at("call_ids"))
        run.callIds.push_back(std::stoull(id.get<std::string>(), nullptr, 16));
    return run;
}

Json leftOutJson(const LeftOut &leftOut, const Json &plan)
{
    Json json { { "schema", kSchema }, { "file", leftOut.file }, { "thread", orNull(leftOut.thread) },
        { "left_out", leftOut.reason }, { "is_unreadable", leftOut.isUnreadable } };
    json.update(plan);
    return json;
}

LeftOut leftOutOf(const Json &json)
{
    LeftOut leftOut { json.at("file").get<std::string>(), std::nullopt, json.at("left_out").get<std::string>(),
        json.at("is_unreadable").get<bool>() };
    if (!json.at("thread").is_null())
        leftOut.thread = wholeNumber<uint32_t>(json.at("thread"));
    return leftOut;
}

} // namespace

std::string runSweepLines(const SweepPlan &plan, const FileSweep &file)
{
    const Json shared = planJson(plan);
    std::string lines;
    for (const RunSweep &run : file.runs)
        lines += jsonText(runJson(run, shared), -1) + "\n";
    for (const LeftOut &each : file.leftOut)
        lines += jsonText(leftOutJson(each, shared), -1) + "\n";
    return lines;
}

Result<void> RunSweepReader::add(const Json &line, const std::string &where)
{
    if (!line.is_object() || line.value("schema", "") != kOlderSchema) {
        if (auto checked = checkSchema(line, kSchema, where); !checked)
            return checked;
    }
    Json shared = Json::object();
    for (const char *member : { "policy", "x", "y", "uses", "prices_of" })
        shared[member] = line.at(member);
    const std::string text = jsonText(shared, -1);
    if (!m_plan) {
        auto plan = planOf(shared);
        if (!plan)
            return failure(ErrorKind::Malformed, plan.error().message, where);
        m_plan = std::move(*plan);
        m_planText = text;
    }
    if (text != m_planText)
        return failure(ErrorKind::Malformed,
            "The policy, settings or prices of this line differ from those of the first line.", where);
    if (line.contains("left_out"))
        m_files.push_back({ {}, { leftOutOf(line) } });
    else
        m_files.push_back({ { runOf(line, m_plan->cellCount()) }, {} });
    return {};
}

} // namespace core
