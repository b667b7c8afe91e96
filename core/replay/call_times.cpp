// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/call_times.h"

#include <algorithm>

namespace core {

namespace {

std::optional<Timestamp> timeOfLast(const Session &session, const BlockRanges &array)
{
    uint32_t end = 0;
    array.forEachRange([&](BlockRange range) { end = range.end; });
    return end > 0 ? timeOf(session, BlockId(end - 1)) : std::nullopt;
}

} // namespace

std::optional<Timestamp> timeOf(const Session &session, BlockId block)
{
    const Block &written = session.block(block);
    if (written.message.index() >= session.messages.size())
        return std::nullopt;
    const auto begun = session.message(written.message).time;
    return begun && *begun != 0 ? std::optional(*begun + written.delay) : begun;
}

std::vector<CallTimes> callTimes(const Session &session, ThreadIndex thread)
{
    std::vector<CallTimes> times;
    std::optional<Timestamp> before; // when the answer before ended
    for (const Call &call : session.thread(thread).calls) {
        CallTimes each;
        if (call.output.size() > 0)
            each.ended = timeOf(session, BlockId(call.output.end - 1));
        each.sent = std::max(timeOfLast(session, call.input), before);
        before = each.ended;
        times.push_back(each);
    }
    return times;
}

} // namespace core
