// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/sweep_sessions.h"

#include "app/session_options.h"
#include "app/sweep_options.h"
#include "core/base/json.h"
#include "core/formats/session_files.h"
#include "core/report/run_sweep_lines.h"
#include "core/report/sweep_set_report.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>

namespace app {

namespace {

/// The files that were named, those in folders that were named, and those of the list on standard input.
struct NamedFiles {
    std::vector<std::string> all;
    std::set<std::string> named; ///< by themselves: one that is no session is a problem
};

NamedFiles namedFiles(const Arguments &arguments)
{
    std::vector<std::filesystem::path> places;
    for (const std::string &name : arguments.files) {
        if (name != "-") {
            places.emplace_back(name);
            continue;
        }
        for (std::string line; std::getline(std::cin, line);) {
            if (!line.empty())
                places.emplace_back(line);
        }
    }
    NamedFiles files { core::filesOf(places), {} };
    for (const std::filesystem::path &place : places)
        files.named.insert(place.string());
    return files;
}

/// Everything that the words say of the runs to come.
struct ManySweep {
    core::SweepPlan plan;
    core::Prices prices;
    core::RunSweepOptions options;
};

core::Result<ManySweep> parseMany(const Arguments &arguments)
{
    if (!arguments.has("policy"))
        return core::failure(core::ErrorKind::Usage, "sweep wants a --policy; \"policies\" lists them.");
    if (arguments.has("thread"))
        return core::failure(core::ErrorKind::Usage, "--thread is for a single file; many take --subagents.");
    if (arguments.has("png"))
        return core::failure(core::ErrorKind::Usage, "--png draws the map of a single file.");
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return std::unexpected(policy.error());
    auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    // What a range is without words must be the same for all sessions: it knows no session's window.
    auto axes = parseAxes(**policy, core::Session {}, arguments);
    if (!axes)
        return std::unexpected(axes.error());
    const auto since = parseSince(arguments);
    if (!since)
        return std::unexpected(since.error());
    ManySweep many { { *policy, std::move(axes->x), std::move(axes->y), {} }, std::move(*prices), {} };
    many.plan.pricesOf = many.prices.date();
    many.options.withSubagents = arguments.has("subagents");
    many.options.since = *since;
    many.options.threads = threadCount();
    return many;
}

/// Says what could not be read, and with which exit code that ends.
int reportUnreadable(const core::FileSweep &file, const NamedFiles &files)
{
    int exitCode = Done;
    for (const core::LeftOut &each : file.leftOut) {
        if (!each.isUnreadable)
            continue;
        const int code = report({ core::ErrorKind::UnknownFormat, each.reason, each.file });
        if (files.named.contains(each.file))
            exitCode = std::max(exitCode, code);
    }
    return exitCode;
}

/// The lines of each file as soon as they are there.
int printLines(const Arguments &arguments)
{
    const auto many = parseMany(arguments);
    if (!many)
        return report(many.error());
    const NamedFiles files = namedFiles(arguments);
    int exitCode = Done;
    core::sweepFiles(files.all, many->plan, many->prices, many->options, [&](const core::FileSweep &file) {
        exitCode = std::max({ exitCode, reportUnreadable(file, files), print(core::runSweepLines(many->plan, file)) });
    });
    return exitCode;
}

core::Result<core::SweepSet> readLines(const Arguments &arguments)
{
    core::RunSweepReader reader;
    for (const std::string &name : arguments.files) {
        std::ifstream file;
        if (name != "-")
            file.open(name, std::ios::binary);
        if (name != "-" && !file)
            return core::failure(core::ErrorKind::NotFound, "This file cannot be read.", name);
        std::istream &stream = name == "-" ? std::cin : file;
        const std::string lines(std::istreambuf_iterator<char>(stream), {});
        if (auto added = reader.add(lines, name == "-" ? "standard input" : name); !added)
            return std::unexpected(added.error());
    }
    if (!reader.plan())
        return core::failure(core::ErrorKind::Empty, "There are no lines of sweeps to put together.");
    return core::sweepSet(*reader.plan(), reader.take());
}

/// What was printed of `set`, and the exit code.
int printSet(core::SweepSet set, const Arguments &arguments)
{
    const auto metric = parseMetric(arguments);
    if (!metric)
        return report(metric.error());
    const auto options = parseSuggestionOptions(arguments);
    if (!options)
        return report(options.error());
    core::SweepSetReport made { std::move(set), *metric, std::nullopt };
    if (arguments.has("suggest"))
        made.suggestion = core::suggest(made.set, *options);
    if (arguments.has("json"))
        return printJson(core::sweepSetJson(made));
    return print(arguments.has("csv") ? core::sweepSetCsv(made) : core::drawSweepSet(made));
}

int merge(const Arguments &arguments)
{
    if (arguments.has("policy"))
        return report({ core::ErrorKind::Usage, "--merge reads the policy from its lines.", {} });
    auto set = readLines(arguments);
    return set ? printSet(std::move(*set), arguments) : report(set.error());
}

} // namespace

bool isSweepOfMany(const Arguments &arguments)
{
    std::error_code error;
    const auto has = [&](std::string_view option) { return arguments.has(option); };
    constexpr std::array kOfMany { "ndjson", "merge", "suggest", "since", "subagents", "limit", "seed" };
    return arguments.files.size() != 1 || arguments.files.front() == "-" || std::ranges::any_of(kOfMany, has)
        || std::filesystem::is_directory(arguments.files.front(), error);
}

core::Result<SweptSessions> sweptSessions(const Arguments &arguments)
{
    auto many = parseMany(arguments);
    if (!many)
        return std::unexpected(many.error());
    const NamedFiles files = namedFiles(arguments);
    SweptSessions swept;
    std::vector<core::FileSweep> made;
    core::sweepFiles(files.all, many->plan, many->prices, many->options, [&](core::FileSweep file) {
        swept.exitCode = std::max(swept.exitCode, reportUnreadable(file, files));
        made.push_back(std::move(file));
    });
    swept.set = core::sweepSet(std::move(many->plan), std::move(made));
    return swept;
}

int runSweepOfMany(const Arguments &arguments)
{
    if (arguments.has("merge"))
        return merge(arguments);
    if (arguments.has("ndjson"))
        return printLines(arguments);
    // What can be wrong without the files is said before they are read.
    if (const auto metric = parseMetric(arguments); !metric)
        return report(metric.error());
    if (const auto options = parseSuggestionOptions(arguments); !options)
        return report(options.error());
    auto swept = sweptSessions(arguments);
    if (!swept)
        return report(swept.error());
    if (swept->set.runs.empty() && swept->exitCode == Done)
        swept->exitCode = report({ core::ErrorKind::Empty, "There is no session with calls here.", {} });
    return std::max(swept->exitCode, printSet(std::move(swept->set), arguments));
}

} // namespace app
