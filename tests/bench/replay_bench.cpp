// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "replay_bench.h"

#include "core/compaction/change_memo.h"
#include "core/formats/reading/format.h"
#include "core/replay/replay.h"
#include "generate.h"
#include "measure.h"

#include <algorithm>
#include <cstdio>

namespace bench {

namespace {

constexpr uint64_t kFileSize = 25'000'000; ///< about 2,000 calls
constexpr double kWanted = 10;             ///< milliseconds

struct Bench {
    core::ReplayGroundPtr ground;
    core::ReplayOptions options;
};

double milliseconds(const Bench &bench, const core::PolicyPtr &policy, int rounds)
{
    return median(processorSecondsOf(rounds, [&] { (void)core::replay(bench.ground, policy, bench.options); })) * 1000;
}

} // namespace

void benchReplay(const std::filesystem::path &folder, const std::vector<std::string> &texts)
{
    const std::filesystem::path file = folder / "calls.jsonl";
    (void)writeClaudeSession(file, kFileSize, texts);
    const auto session = core::loadSession(file);
    if (!session) {
        std::fprintf(stderr, "bench: %s\n", session.error().sentence().c_str());
        return;
    }
    Bench bench;
    bench.ground = core::replayGround(*session, core::ThreadIndex(0U), core::estimateTokens(**session, 2, nullptr));
    bench.options.memo = std::make_shared<core::ChangeMemo>(*session);
    const std::string calls = std::to_string(bench.ground->callCount()) + " calls";
    for (const core::PolicyPtr &policy : core::presets()) {
        const double time = milliseconds(bench, policy, 9);
        report("replay " + calls + " under " + policy->id, fixed(time, 2) + " ms", "below 10 ms", time < kWanted);
    }
    const core::PolicyPtr policy = core::preset("deep-agents");
    reference("deep-agents, planned from scratch at every call",
        fixed(median(processorSecondsOf(1, [&] { (void)core::replayFromScratch(bench.ground, policy, bench.options); }))
                * 1000,
            0)
            + " ms");
    reference("the ground of all replays",
        fixed(median(processorSecondsOf(
                  5, [&] { (void)core::replayGround(*session, core::ThreadIndex(0U), bench.ground->tokens); }))
                * 1000,
            2)
            + " ms");
    bench.options.keepsSpans = false;
    reference("deep-agents without keeping what stood where", fixed(milliseconds(bench, policy, 9), 2) + " ms");
}

} // namespace bench
