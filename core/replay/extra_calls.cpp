// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/extra_calls.h"

#include <algorithm>

namespace core {

namespace {

/// Shorter answers take about as long as no answer.
constexpr uint64_t kLeastAnswer = 100;
constexpr double kMillisecondsPerSecond = 1000;

/// When a block was written.
std::optional<Timestamp> timeOf(const Session &session, uint32_t block)
{
    const MessageId message = session.block(BlockId(block)).message;
    return message.index() < session.messages.size() ? session.message(message).time : std::nullopt;
}

std::optional<Timestamp> timeOfLast(const Session &session, const BlockRanges &array)
{
    uint32_t end = 0;
    array.forEachRange([&](BlockRange range) { end = range.end; });
    return end > 0 ? timeOf(session, end - 1) : std::nullopt;
}

} // namespace

std::optional<double> OutputSpeed::secondsFor(double tokens) const
{
    return tokensPerSecond > 0 ? std::optional(tokens / tokensPerSecond) : std::nullopt;
}

OutputSpeed outputSpeed(const ReplayGround &ground)
{
    const Session &session = ground.session();
    std::vector<double> speeds;
    std::optional<Timestamp> before; // when the answer before ended
    for (const Call &call : session.thread(ground.log.thread).calls) {
        const auto end = call.output.size() > 0 ? timeOf(session, call.output.end - 1) : std::nullopt;
        // The array's last message is older than the answer before if the user typed meanwhile.
        const auto sent = std::max(timeOfLast(session, call.input), before);
        if (end && sent && *end > *sent && call.usage && call.usage->output >= kLeastAnswer)
            speeds.push_back(
                static_cast<double>(call.usage->output) * kMillisecondsPerSecond / static_cast<double>(*end - *sent));
        before = end;
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
        if (!call.isSummary || call.isLogEntry != (kind == ExtraCall::LogEntry))
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
