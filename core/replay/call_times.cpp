// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/call_times.h"

#include <algorithm>

namespace core {

std::vector<CallTimes> callTimes(const Session &session, ThreadIndex thread)
{
    std::vector<CallTimes> times;
    std::optional<Timestamp> before; // when the answer before ended
    for (const Call &call : session.thread(thread).calls) {
        CallTimes each;
        if (call.output.size() > 0)
            each.ended = session.timeOf(BlockId(call.output.end - 1));
        each.sent = std::max(session.timeOfLast(call.input), before);
        before = each.ended;
        times.push_back(each);
    }
    return times;
}

} // namespace core
