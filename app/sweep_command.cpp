// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/base/json.h"
#include "core/report/sweep_report.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 10> kOptions { {
    { "policy", "NAME", "a preset or a policy's file" },
    { "set", "KEY=VALUE", "changes the policy before it is swept" },
    { "x", "SETTING[=FIRST..LAST]", "the setting across; keep if none is named" },
    { "y", "SETTING[=FIRST..LAST]", "the setting upwards; trigger if none is named" },
    { "grid", "N", "values of each; 16 if none is named" },
    { "metric", "NAME", "what the terminal's map shows: cost, lost_uses, peak, …; cost if none is named" },
    { "thread", "N", "another thread of the session, a subagent or run, counted from 0" },
    { "prices", "FILE",
        "prices of your own, laid over those of the program; else prices.json in the configuration folder" },
    { "json", "", "as a document of schema palimpsest.sweep/1" },
    { "csv", "", "as a table: a line for each cell" },
} };

constexpr size_t kMostValues = 256;

core::Result<size_t> parseGrid(const Arguments &arguments)
{
    const auto text = arguments.value("grid");
    if (!text)
        return 16;
    const auto count = parseNumber("grid", *text);
    if (!count || *count < 1 || *count > kMostValues)
        return core::failure(core::ErrorKind::Usage,
            "--grid wants a number from 1 to " + std::to_string(kMostValues) + ", not \"" + *text + "\".");
    return *count;
}

core::Result<core::SweepMetric> parseMetric(const Arguments &arguments)
{
    const std::string name(arguments.value("metric").value_or("cost"));
    if (const auto metric = core::sweepMetric(name))
        return *metric;
    std::string names;
    for (size_t i = 0; i < core::kSweepMetricCount; ++i)
        names += (names.empty() ? "" : ", ") + std::string(core::infoOf(static_cast<core::SweepMetric>(i)).id);
    return core::failure(core::ErrorKind::Usage, "There is no metric \"" + name + "\"; there are " + names + ".");
}

core::Result<core::SweepReport> swept(const Arguments &arguments)
{
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    if (!arguments.has("policy"))
        return core::failure(core::ErrorKind::Usage, "sweep wants a --policy; \"policies\" lists them.");
    const auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    const auto grid = parseGrid(arguments);
    if (!grid)
        return std::unexpected(grid.error());
    const auto metric = parseMetric(arguments);
    if (!metric)
        return std::unexpected(metric.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    const auto x = core::parseAxis(**policy, *opened->session, arguments.value("x").value_or("keep"), *grid);
    if (!x)
        return std::unexpected(x.error());
    const auto y = core::parseAxis(**policy, *opened->session, arguments.value("y").value_or("trigger"), *grid);
    if (!y)
        return std::unexpected(y.error());
    if (x->setting == y->setting)
        return core::failure(core::ErrorKind::Usage, "sweep wants two different settings.");
    core::SweepReport report;
    report.file = arguments.files.front();
    report.metric = *metric;
    report.ground = core::sweepGround(opened->session, opened->position.thread, opened->tokens, *prices);
    core::SweepOptions options;
    options.threads = threadCount();
    report.sweep = core::sweep(report.ground, *policy, *x, *y, options);
    return unlessTorn(*opened->session, std::move(report));
}

int runSweep(const Arguments &arguments)
{
    if (arguments.has("json") && arguments.has("csv"))
        return report(core::Error { core::ErrorKind::Usage, "sweep writes --json or --csv, not both.", {} });
    const auto made = swept(arguments);
    if (!made)
        return report(made.error());
    if (arguments.has("json"))
        return printJson(core::sweepJson(*made));
    return print(arguments.has("csv") ? core::sweepCsv(*made) : core::drawSweep(*made));
}

} // namespace

const Command kSweep { "sweep", "FILE", 1, 1, "a policy over a grid of two settings: context, cache, money, losses",
    kOptions, runSweep };

} // namespace app
