// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "sweep_bench.h"

#include "core/compaction/change_memo.h"
#include "core/cuts/cut_track.h"
#include "core/formats/reading/format.h"
#include "core/sweep/sweep.h"
#include "generate.h"
#include "measure.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace bench {

namespace {

constexpr uint64_t kFileSize = 25'000'000; ///< about 2,000 calls
constexpr size_t kValues = 64;
constexpr double kWanted = 0.25; ///< seconds, on two cores

core::SweepGroundPtr groundOf(const std::filesystem::path &file)
{
    const auto session = core::loadSession(file);
    if (!session) {
        std::fprintf(stderr, "bench: %s\n", session.error().sentence().c_str());
        return nullptr;
    }
    return core::sweepGround(
        *session, core::ThreadIndex(0U), core::estimateTokens(**session, 2, nullptr), core::Prices::bundled());
}

struct Grid {
    core::SweepAxis keep;
    core::SweepAxis trigger;
};

Grid gridOf(const core::SweepGround &ground, const core::Policy &policy)
{
    const core::Session &session = ground.recorded->ground->session();
    return { *core::parseAxis(policy, session, "keep", kValues),
        *core::parseAxis(policy, session, "trigger", kValues) };
}

/// The seconds that a map takes on two threads, by the clock on the wall.
double secondsOf(const core::SweepGroundPtr &ground, const core::PolicyPtr &policy)
{
    const Grid grid = gridOf(*ground, *policy);
    core::SweepOptions options;
    options.threads = 2;
    const auto begin = std::chrono::steady_clock::now();
    (void)core::sweep(ground, policy, grid.keep, grid.trigger, options);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The processor's microseconds for one cell, behind the tables that all share.
double cellMicroseconds(const core::SweepGround &ground, const core::PolicyPtr &policy)
{
    const Grid grid = gridOf(ground, *policy);
    const auto tables = core::cutTables(ground.recorded->ground, policy, ground.uses.get(), ground.memo);
    if (!tables)
        return 0;
    core::CutReplay cuts(tables);
    core::CutCosting costing(tables, *ground.recorded->costs);
    constexpr size_t kStep = 4;
    const double seconds = median(processorSecondsOf(3, [&] {
        for (size_t i = 0; i < grid.keep.values.size(); i += kStep) {
            for (size_t k = 0; k < grid.trigger.values.size(); k += kStep) {
                core::Policy cell = *policy;
                core::set(cell, grid.keep, grid.keep.values[i]);
                core::set(cell, grid.trigger, grid.trigger.values[k]);
                if (cuts.run(cell))
                    (void)core::cutFigures(cuts, costing, *ground.recorded);
            }
        }
    }));
    const size_t cells
        = ((grid.keep.values.size() + kStep - 1) / kStep) * ((grid.trigger.values.size() + kStep - 1) / kStep);
    return seconds / static_cast<double>(cells) * 1e6;
}

/// As many calls with little text and with much, each in a window that is as much larger: a cell is to cost the same.
void benchText(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    constexpr double kWindow = 200'000;
    constexpr uint64_t kCalls = 2'000;
    for (const double scale : { 0.1, 1.0, 20.0 }) {
        const std::filesystem::path file = folder / "scaled.jsonl";
        const Generated made = writeClaudeCalls(file, kCalls, scale, texts);
        auto policy = core::withSetting(
            *core::preset("langchain-summarization"), "window", std::to_string(std::llround(kWindow * scale)) + "tok");
        const core::SweepGroundPtr ground = groundOf(file);
        if (!ground || !policy)
            continue;
        const double microseconds = cellMicroseconds(*ground, std::make_shared<const core::Policy>(std::move(*policy)));
        reference("a cell over " + std::to_string(ground->recorded->ground->callCount()) + " calls with "
                + fixed(static_cast<double>(made.textBytes) / 1e6, 0) + " MB of text",
            fixed(microseconds, 1) + " us");
    }
}

} // namespace

void benchSweep(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    const std::filesystem::path file = folder / "calls.jsonl";
    (void)writeClaudeSession(file, kFileSize, texts);
    const core::SweepGroundPtr ground = groundOf(file);
    if (!ground)
        return;
    const std::string calls = std::to_string(ground->recorded->ground->callCount()) + " calls";
    for (const std::string_view id : { "langchain-summarization", "langchain-clear-tool-uses", "deep-agents",
             "genkit-recipe", "iii-pr140-intended" }) {
        const core::PolicyPtr policy = core::preset(id);
        const double seconds = secondsOf(ground, policy);
        report("map of " + std::to_string(kValues) + " x " + std::to_string(kValues) + " over " + calls + ", "
                + policy->id,
            fixed(seconds, 3) + " s", "below 0.25 s", seconds < kWanted);
        reference("a cell of it", fixed(cellMicroseconds(*ground, policy), 1) + " us");
    }
    benchText(folder, texts);
    const core::PolicyPtr policy = core::preset("langchain-summarization");
    reference("the same cell by a replay",
        fixed(median(processorSecondsOf(5, [&] { (void)core::sweepCell(*ground, policy); })) * 1e6, 0) + " us");
}

} // namespace bench
