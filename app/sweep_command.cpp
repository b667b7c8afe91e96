// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "app/sweep_options.h"
#include "app/sweep_picture.h"
#include "app/sweep_sessions.h"
#include "core/json/json.h"
#include "core/report/sweep_report.h"

#include <algorithm>
#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "policy", "P",
        "the compaction policy: the name of a preset (`palimpsest policies` lists them) or a policy file. With "
        "--suggest you can give several policies; the suggestion chooses one" },
    kSetOption,
    { "x", "SETTING[=FIRST..LAST]", "the setting of the horizontal axis. Default: keep. Example: keep=0.02w..0.5w" },
    { "y", "SETTING[=FIRST..LAST]", "the setting of the vertical axis. Default: trigger" },
    { "keep", "FIRST:LAST:COUNT",
        "the values of keep, from left to right: 4000tok:24000tok:8 are 8 values from 4,000 to 24,000 tokens" },
    { "trigger", "FIRST:LAST:COUNT", "the values of the trigger, from bottom to top" },
    { "grid", "N", "how many values of each setting, 1 to 256. Default: 16" },
    { "metric", "NAME", "the figure that the map shows. Default: cost. There are", '\0', metricNames },
    kThreadOption,
    kSinceOption,
    kSubagentsOption,
    { "suggest", "",
        "for many sessions: finds the cheapest settings within limits. It chooses on the earlier sessions and tests on "
        "the later ones" },
    kLimitOption,
    kSeedOption,
    { "ndjson", "", "for many sessions: prints a line for each run, which another sweep can merge" },
    { "merge", "",
        "in place of sessions, reads files that --ndjson wrote, and combines their runs. A FILE named - is standard "
        "input" },
    kPricesOption,
    { "json", "", "prints JSON of schema palimpsest.sweep/1, for many sessions palimpsest.sweep_set/1" },
    { "csv", "", "prints a table: a line for each cell of the map" },
    { "png", "OUT", "writes the map as a picture; for many sessions a map of their medians" },
    kThemeOption,
});

core::Result<core::SweepReport> swept(const Arguments &arguments)
{
    const auto policy = parseOnePolicy(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    const auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    const auto metric = parseMetric(arguments);
    if (!metric)
        return std::unexpected(metric.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    const auto axes = parseAxes(**policy, *opened->session, arguments);
    if (!axes)
        return std::unexpected(axes.error());
    core::SweepReport report;
    report.file = arguments.files.front();
    report.metric = *metric;
    report.ground = core::sweepGround(opened->session, opened->position.thread, opened->tokens, *prices);
    core::SweepOptions options;
    options.threads = threadCount();
    report.sweep = core::sweep(report.ground, *policy, axes->x, axes->y, options);
    return unlessTorn(*opened->session, std::move(report));
}

int runSweep(const Arguments &arguments)
{
    constexpr std::array kForms { "json", "csv", "ndjson", "png" };
    if (std::ranges::count_if(kForms, [&](const char *form) { return arguments.has(form); }) > 1)
        return report({ core::ErrorKind::Usage, "sweep writes only one of --json, --csv, --ndjson and --png.", {} });
    if (isSweepOfMany(arguments))
        return runSweepOfMany(arguments);
    const auto made = swept(arguments);
    if (!made)
        return report(made.error());
    if (arguments.has("png"))
        return writeSweepPicture(*made, arguments);
    if (arguments.has("json"))
        return printJson(core::sweepJson(*made));
    return print(arguments.has("csv") ? core::sweepCsv(*made) : core::drawSweep(*made));
}

} // namespace

const Command kSweep { "sweep", "FILE|DIR|-…", 1, static_cast<size_t>(-1),
    "replays a policy with many values of two settings, on one session or many, and prints cost, context and losses",
    kOptions, runSweep };

} // namespace app
