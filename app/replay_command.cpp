// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/commands.h"
#include "app/session_options.h"
#include "core/json/json.h"
#include "core/report/comparison.h"
#include "core/report/replay_report.h"

#include <array>

namespace app {

namespace {

constexpr auto kOptions = std::to_array<Option>({
    { "policy", "P",
        "the compaction policy: the name of a preset (`palimpsest policies` lists them) or a policy file. Several are "
        "shown side by side" },
    kSetOption,
    kThreadOption,
    kPricesOption,
    { "table", "", "prints a row for each policy and the recorded run, and marks the best of each column" },
    { "json", "", "prints JSON of schema palimpsest.replay/1" },
    { "csv", "", "prints a table: a line for each call" },
});

core::Result<core::ReplayReport> replayed(const Arguments &arguments)
{
    const auto policies = parsePolicies(arguments);
    if (!policies)
        return std::unexpected(policies.error());
    if (policies->empty())
        return core::failure(
            core::ErrorKind::Usage, "replay needs at least one --policy; `palimpsest policies` lists the presets.");
    const auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    const auto opened = openSession(arguments);
    if (!opened)
        return std::unexpected(opened.error());
    core::ReplayOptions options;
    options.memo = std::make_shared<core::ChangeMemo>(opened->session);
    auto report = core::replayReport(
        arguments.files.front(), opened->session, opened->position.thread, opened->tokens, *policies, *prices, options);
    return unlessTorn(*opened->session, std::move(*report));
}

int runReplay(const Arguments &arguments)
{
    if (arguments.has("json") && arguments.has("csv"))
        return report(core::Error { core::ErrorKind::Usage, "replay prints --json or --csv, not both.", {} });
    const auto made = replayed(arguments);
    if (!made)
        return report(made.error());
    if (arguments.has("table"))
        return print(core::drawComparison(core::comparisonTable(core::comparedRuns(*made))));
    if (arguments.has("json"))
        return printJson(core::replayJson(*made));
    return print(arguments.has("csv") ? core::replayCsv(*made) : core::drawReplay(*made));
}

} // namespace

const Command kReplay { "replay", "FILE", 1, 1,
    "replays policies at every call, and prints context, cache, cost, and how many later steps needed a removed text",
    kOptions, runReplay };

} // namespace app
