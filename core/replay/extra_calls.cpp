// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/extra_calls.h"

#include "core/replay/call_times.h"

#include <algorithm>

namespace core {

namespace {

/// Shorter answers take about as long as no answer.
constexpr uint64_t kLeastAnswer = 100;
constexpr double kMillisecondsPerSecond = 1000;

} // namespace

std::optional<double> OutputSpeed::secondsFor(double tokens) const
{
    return tokensPerSecond > 0 ? std::optional(tokens / tokensPerSecond) : std::nullopt;
}

OutputSpeed outputSpeed(const ReplayGround &ground)
{
    const Session &session = ground.session();
    std::vector<double> speeds;
    const std::vector<CallTimes> times = callTimes(session, ground.log.thread);
    for (size_t i = 0; i < times.size(); ++i) {
        const auto &[sent, ended] = times[i];
        const auto &usage = session.thread(ground.log.thread).calls[i].usage;
        if (ended && sent && *ended > *sent && usage && usage->output >= kLeastAnswer)
            speeds.push_back(
                static_cast<double>(usage->output) * kMillisecondsPerSecond / static_cast<double>(*ended - *sent));
    }
    if (speeds.empty())
        return {};
    const auto middle = speeds.begin() + static_cast<ptrdiff_t>(speeds.size() / 2);
    std::ranges::nth_element(speeds, middle);
    return { *middle, speeds.size() };
}

ExtraCalls extraCalls(const ReplayCost &cost, ExtraCall kind)
{
    ExtraCalls extra;
    extra.cost = 0;
    for (const RunCall &call : cost.run) {
        const ExtraCall own = call.isLogEntry ? ExtraCall::LogEntry
            : call.isByWorker                 ? ExtraCall::WorkerSummary
                                              : ExtraCall::Summary;
        if (!call.isSummary || own != kind)
            continue;
        ++extra.count;
        extra.tokens.input += call.tokens.input;
        extra.tokens.cacheRead += call.tokens.cacheRead;
        extra.tokens.output += call.tokens.output;
        extra.cost = extra.cost && call.price ? std::optional(*extra.cost + call.cost()) : std::nullopt;
    }
    return extra;
}

} // namespace core
