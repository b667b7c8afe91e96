// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "app/sweep_picture.h"
#include "core/base/json.h"
#include "core/compaction/change_memo.h"
#include "core/formats/format.h"
#include "core/report/sweep_report.h"
#include "core/tokens/counted_tokens.h"

#include <array>
#include <charconv>
#include <thread>

namespace app {

namespace {

constexpr std::array<Option, 12> kOptions { {
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
    { "png", "OUT", "the map of the metric as a picture, as the window paints it" },
    { "theme", "NAME", "of the picture: light (the default) or dark" },
} };

constexpr size_t kMostValues = 256;

core::Result<size_t> parseGrid(const Arguments &arguments)
{
    const auto text = arguments.value("grid");
    if (!text)
        return 16;
    size_t count = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
    if (error != std::errc() || end != text->data() + text->size() || count < 1 || count > kMostValues)
        return core::failure(core::ErrorKind::Usage,
            "--grid wants a number from 1 to " + std::to_string(kMostValues) + ", not \"" + std::string(*text) + "\".");
    return count;
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
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const std::string &file = arguments.files.front();
    const auto session = core::loadSession(file, nullptr, {}, threads);
    if (!session)
        return std::unexpected(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return core::failure(position.error().kind, position.error().message, file);
    const auto x = core::parseAxis(**policy, **session, arguments.value("x").value_or("keep"), *grid);
    if (!x)
        return std::unexpected(x.error());
    const auto y = core::parseAxis(**policy, **session, arguments.value("y").value_or("trigger"), *grid);
    if (!y)
        return std::unexpected(y.error());
    if (x->setting == y->setting)
        return core::failure(core::ErrorKind::Usage, "sweep wants two different settings.");
    core::SweepReport report;
    report.file = file;
    report.metric = *metric;
    report.ground
        = core::sweepGround(*session, position->thread, core::countedTokens(**session, threads, nullptr), *prices);
    core::SweepOptions options;
    options.threads = threads;
    report.sweep = core::sweep(report.ground, *policy, *x, *y, options);
    // Reading took a while: what changed in the meantime is not to be trusted.
    if (const auto torn = (*session)->torn())
        return std::unexpected(*torn);
    return report;
}

int runSweep(const Arguments &arguments)
{
    if (arguments.has("json") && arguments.has("csv"))
        return report(core::Error { core::ErrorKind::Usage, "sweep writes --json or --csv, not both.", {} });
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

const Command kSweep { "sweep", "FILE", 1, 1, "a policy over a grid of two settings: context, cache, money, losses",
    kOptions, runSweep };

} // namespace app
