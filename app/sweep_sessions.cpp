// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/sweep_sessions.h"

#include "app/session_options.h"
#include "app/sweep_options.h"
#include "app/sweep_picture.h"
#include "core/formats/session_files.h"
#include "core/json/json.h"
#include "core/report/policy_choice.h"
#include "core/report/run_sweep_lines.h"
#include "core/report/sweep_set_report.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <span>

namespace app {

namespace {

/// The named files, the files in named folders, and the files listed on standard input.
struct NamedFiles {
    std::vector<std::string> all;
    std::set<std::string> named; ///< named directly: one that is not a session is a problem
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

/// The options of the sweeps.
struct ManySweep {
    std::vector<core::SweepPlan> plans; ///< one for each policy
    core::Prices prices;
    core::RunSweepOptions options;
};

core::Result<ManySweep> parseMany(const Arguments &arguments, std::span<const core::PolicyPtr> policies)
{
    if (arguments.has("thread"))
        return core::failure(core::ErrorKind::Usage, "--thread is for a single file; for many use --subagents.");
    auto prices = parsePrices(arguments);
    if (!prices)
        return std::unexpected(prices.error());
    ManySweep many { {}, std::move(*prices), {} };
    for (const core::PolicyPtr &policy : policies) {
        // A default range must be the same for all sessions, so it ignores their windows.
        auto axes = parseAxes(*policy, core::Session {}, arguments);
        if (!axes)
            return core::failure(axes.error().kind, axes.error().message, policy->id);
        many.plans.push_back({ policy, std::move(axes->x), std::move(axes->y), many.prices.date() });
    }
    const auto since = parseSince(arguments);
    if (!since)
        return std::unexpected(since.error());
    many.options.withSubagents = arguments.has("subagents");
    many.options.since = *since;
    many.options.threads = threadCount();
    return many;
}

core::Result<ManySweep> parseMany(const Arguments &arguments)
{
    const auto policy = parseOnePolicy(arguments);
    return policy ? parseMany(arguments, std::span(&*policy, 1)) : std::unexpected(policy.error());
}

/// Reports the files that could not be read; returns the exit code.
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

/// Prints the lines of each file as soon as they are ready.
int printLines(const Arguments &arguments)
{
    const auto many = parseMany(arguments);
    if (!many)
        return report(many.error());
    const NamedFiles files = namedFiles(arguments);
    const core::SweepPlan &plan = many->plans.front();
    int exitCode = Done;
    core::sweepFiles(files.all, plan, many->prices, many->options, [&](const core::FileSweep &file) {
        exitCode = std::max({ exitCode, reportUnreadable(file, files), print(core::runSweepLines(plan, file)) });
    });
    return exitCode;
}

core::Result<core::SweepSet> readLines(const Arguments &arguments)
{
    core::RunSweepReader reader;
    const auto read = eachMergedLine(
        arguments, [&](const core::Json &line, const std::string &where) { return reader.add(line, where); });
    if (!read)
        return std::unexpected(read.error());
    return core::sweepSet(*reader.plan(), reader.take());
}

/// The options of the report.
struct ReportOptions {
    core::SweepMetric metric = core::SweepMetric::Cost;
    core::SuggestionOptions suggestion;
};

core::Result<ReportOptions> parseReportOptions(const Arguments &arguments)
{
    const auto metric = parseMetric(arguments);
    if (!metric)
        return std::unexpected(metric.error());
    auto options = parseSuggestionOptions(arguments);
    if (!options)
        return std::unexpected(options.error());
    return ReportOptions { *metric, std::move(*options) };
}

/// Prints `set` or writes its picture; returns the exit code.
int printSet(core::SweepSet set, const Arguments &arguments)
{
    const auto words = parseReportOptions(arguments);
    if (!words)
        return report(words.error());
    core::SweepSetReport made { std::move(set), words->metric, std::nullopt };
    if (arguments.has("png"))
        return writeSweepPicture(std::move(made), arguments);
    if (arguments.has("suggest"))
        made.suggestion = core::suggest(made.set, words->suggestion);
    if (arguments.has("json"))
        return printJson(core::sweepSetJson(made));
    return print(arguments.has("csv") ? core::sweepSetCsv(made) : core::drawSweepSet(made));
}

/// The sweeps by each plan. Reads each file once and reports unreadable files.
struct SweptPlans {
    std::vector<core::SweepSet> sets;
    int exitCode = 0;
};

SweptPlans sweptFiles(const ManySweep &many, const NamedFiles &files)
{
    SweptPlans swept;
    std::vector<std::vector<core::FileSweep>> made(many.plans.size());
    core::sweepFiles(
        files.all, std::span(many.plans), many.prices, many.options, [&](std::vector<core::FileSweep> file) {
            swept.exitCode = std::max(swept.exitCode, reportUnreadable(file.front(), files));
            for (size_t i = 0; i < file.size(); ++i)
                made[i].push_back(std::move(file[i]));
        });
    for (size_t i = 0; i < made.size(); ++i)
        swept.sets.push_back(core::sweepSet(many.plans[i], std::move(made[i])));
    return swept;
}

/// `--suggest` among several policies, each swept over settings of its own.
int suggestAmong(const std::vector<core::PolicyPtr> &policies, const Arguments &arguments)
{
    if (arguments.has("csv"))
        return report({ core::ErrorKind::Usage, "--csv writes the map of a single policy.", {} });
    const auto words = parseReportOptions(arguments);
    if (!words)
        return report(words.error());
    const auto many = parseMany(arguments, policies);
    if (!many)
        return report(many.error());
    SweptPlans swept = sweptFiles(*many, namedFiles(arguments));
    std::vector<core::SweepSetReport> reports;
    for (core::SweepSet &set : swept.sets) {
        auto suggestion = core::suggest(set, words->suggestion);
        reports.push_back({ std::move(set), words->metric, std::move(suggestion) });
    }
    const core::PolicyChoice choice = core::choosePolicy(std::move(reports));
    return std::max(swept.exitCode,
        arguments.has("json") ? printJson(core::policyChoiceJson(choice)) : print(core::drawPolicyChoice(choice)));
}

int merge(const Arguments &arguments)
{
    if (arguments.has("policy"))
        return report(
            { core::ErrorKind::Usage, "Do not give --policy with --merge: the merged lines name the policy.", {} });
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
    const auto many = parseMany(arguments);
    if (!many)
        return std::unexpected(many.error());
    SweptPlans swept = sweptFiles(*many, namedFiles(arguments));
    return SweptSessions { std::move(swept.sets.front()), swept.exitCode };
}

int runSweepOfMany(const Arguments &arguments)
{
    if (arguments.has("suggest") && arguments.has("png"))
        return report({ core::ErrorKind::Usage, "--png writes a map; a suggestion has none.", {} });
    if (arguments.has("merge"))
        return merge(arguments);
    if (arguments.has("ndjson"))
        return printLines(arguments);
    if (arguments.has("suggest") && arguments.values("policy").size() > 1) {
        const auto policies = parsePolicies(arguments);
        return policies ? suggestAmong(*policies, arguments) : report(policies.error());
    }
    // Reports wrong options before it reads the files.
    if (const auto words = parseReportOptions(arguments); !words)
        return report(words.error());
    auto swept = sweptSessions(arguments);
    if (!swept)
        return report(swept.error());
    if (swept->set.runs.empty() && swept->exitCode == Done)
        swept->exitCode = report({ core::ErrorKind::Empty, "No session with calls was found.", {} });
    return std::max(swept->exitCode, printSet(std::move(swept->set), arguments));
}

} // namespace app
