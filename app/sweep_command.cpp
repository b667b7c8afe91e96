// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

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

constexpr std::array<Option, 21> kOptions { {
    { "policy", "NAME", "a preset or a policy's file; for --suggest several, of which one is chosen" },
    { "set", "KEY=VALUE", "changes the policy before it is swept" },
    { "x", "SETTING[=FIRST..LAST]", "the setting across; keep if none is named" },
    { "y", "SETTING[=FIRST..LAST]", "the setting upwards; trigger if none is named" },
    { "keep", "FIRST:LAST:COUNT", "short for --x keep=FIRST..LAST, with so many values" },
    { "trigger", "FIRST:LAST:COUNT", "the same for --y" },
    { "grid", "N", "values of each; 16 if none is named" },
    { "metric", "NAME", "what the terminal's map shows: cost, lost_uses, peak, …; cost if none is named" },
    { "thread", "N", "of a single file another thread, a subagent or run, counted from 0" },
    { "since", "7d|DATE", "of many, those whose last call is not older" },
    { "subagents", "", "of many, subagents too, each a run of its own" },
    { "suggest", "", "of many, the cheapest policy within limits, chosen on earlier runs and judged on later ones" },
    { "limit", "METRIC=MOST",
        "what the suggestion keeps: lost_uses=1% (as without it), peak=150k tok, lost_bytes=0; may be repeated" },
    { "seed", "N", "of the resampling that intervals rest on; 1 if none is named" },
    { "ndjson", "", "of many, a line for each run, to be put together by --merge" },
    { "merge", "", "the files are such lines, - standard input; the other words say what becomes of them" },
    { "prices", "FILE",
        "prices of your own, laid over those of the program; else prices.json in the configuration folder" },
    { "json", "", "as a document of schema palimpsest.sweep/1, of many palimpsest.sweep_set/1" },
    { "csv", "", "as a table: a line for each cell" },
    { "png", "OUT", "the map of the metric as a picture, as the window paints it; of many their medians" },
    { "theme", "NAME", "of the picture: light (the default) or dark" },
} };

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
        return report(
            { core::ErrorKind::Usage, "sweep writes one of --json, --csv, --ndjson and --png, not two.", {} });
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
    "a policy over a grid of two settings, on one session or many: money, context, losses", kOptions, runSweep };

} // namespace app
