// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "app/session_options.h"

#include "core/compaction/compaction.h"
#include "core/formats/format.h"
#include "core/report/compaction_report.h"
#include "core/tokens/estimate.h"

#include <array>
#include <nlohmann/json.hpp>
#include <thread>

namespace app {

namespace {

constexpr std::array<Option, 6> kOptions { {
    { "policy", "P", "a preset (see `palimpsest policies`) or a policy file" },
    { "set", "KEY=VALUE", "change a setting: window, keep, trigger, STAGE=on|off, STAGE.PARAMETER; may be repeated" },
    { "call", "N", "the array that call N was sent; \"end\", as without it: after the last record" },
    { "thread", "N", "another thread of the session" },
    { "as-if-fired", "", "run every stage, whether its trigger is reached or not" },
    { "json", "", "as a document of schema palimpsest.compaction/1" },
} };

int runCompact(const Arguments &arguments)
{
    if (!arguments.has("policy"))
        return report(
            { core::ErrorKind::Usage, "compact wants a --policy; `palimpsest policies` lists the presets.", {} });
    const auto policy = parsePolicyOptions(arguments);
    if (!policy)
        return report(policy.error());
    const auto session = core::loadSession(arguments.files.front());
    if (!session)
        return report(session.error());
    const auto position = parsePosition(**session, arguments);
    if (!position)
        return report(core::Error { position.error().kind, position.error().message, arguments.files.front() });
    const unsigned threads = std::max(1U, std::thread::hardware_concurrency());
    const auto tokens = core::estimateTokens(**session, threads, nullptr);
    const core::Transcript array(*session, core::rangesAt(**session, *position));
    core::CompactOptions options;
    options.position = *position;
    options.ignoresTriggers = arguments.has("as-if-fired");
    const core::Compaction compaction = core::compact(array, *policy, *tokens, options);
    if (const auto torn = (*session)->torn())
        return report(*torn);
    if (!arguments.has("json"))
        return print(core::drawCompaction(compaction, *tokens));
    const auto document = core::compactionJson(compaction, *tokens);
    return print(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

} // namespace

const Command kCompact { "compact", "FILE", 1, 1, "what a policy makes of an array: a plan, nothing is written",
    kOptions, runCompact };

} // namespace app
