// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"
#include "core/json/json.h"
#include "core/report/comparison.h"
#include "core/report/replay_report.h"

#include <array>

namespace app {

namespace {

constexpr std::array<Option, 7> kOptions {
    { { "policy", "NAME", "a preset or a policy's file; several times for several side by side" },
        { "set", "KEY=VALUE", "changes every policy: trigger=0.7w, keep=20000tok, summary.text=…" },
        { "thread", "N", "another thread of the session, a subagent or run, counted from 0" },
        { "prices", "FILE",
            "prices of your own, laid over those of the program; else prices.json in the configuration folder" },
        { "table", "", "as a table: a row for each policy and the recorded run, the best of each column marked" },
        { "json", "", "as a document of schema palimpsest.replay/1" },
        { "csv", "", "as a table: a line for each call" } }
};

core::Result<core::ReplayReport> replayed(const Arguments &arguments)
{
    const auto policies = parsePolicies(arguments);
    if (!policies)
        return std::unexpected(policies.error());
    if (policies->empty())
        return core::failure(core::ErrorKind::Usage, "replay wants at least one --policy; \"policies\" lists them.");
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
        return report(core::Error { core::ErrorKind::Usage, "replay writes --json or --csv, not both.", {} });
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
    "policies at every call: context, cache, money, and what was needed later and gone", kOptions, runReplay };

} // namespace app
