// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/edits/tool_events.h"

#include <algorithm>
#include <unordered_map>

namespace core {

std::vector<ToolEvent> toolEvents(const Session &session)
{
    std::vector<ToolEvent> events;
    std::vector<std::unordered_map<StringId, size_t>> open(session.threads.size()); // by id, as ids may repeat
    Timestamp time = 0;
    for (uint32_t i = 0; i < session.blocks.size(); ++i) {
        const Block &block = session.blocks[i];
        if (!block.message.isValid() || (block.kind != BlockKind::ToolCall && block.kind != BlockKind::ToolResult))
            continue;
        const Message &message = session.message(block.message);
        time = message.time.value_or(time);
        auto &calls = open[message.thread.index()];
        if (block.kind == BlockKind::ToolCall) {
            if (block.callId.isValid())
                calls.insert_or_assign(block.callId, events.size());
            events.push_back({ BlockId(i), {}, message.thread, time });
        } else if (const auto call = calls.find(block.callId); call != calls.end()) {
            ToolEvent &event = events[call->second];
            if (!event.result.isValid()) {
                event.result = BlockId(i);
                event.time = time;
            }
        }
    }
    const auto worldOf = [&](const ToolEvent &event) {
        return session.thread(event.thread).kind == ThreadKind::Run ? event.thread.value() + 1 : 0;
    };
    std::ranges::stable_sort(events, [&](const ToolEvent &a, const ToolEvent &b) {
        return std::pair(worldOf(a), a.time) < std::pair(worldOf(b), b.time);
    });
    return events;
}

} // namespace core
