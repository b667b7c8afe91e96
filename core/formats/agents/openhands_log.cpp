// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/formats/agents/openhands_log.h"

#include "core/formats/reading/block_places.h"

#include <algorithm>

namespace core {

size_t OpenHandsLog::messageCount() const
{
    size_t count = 0;
    for (const OpenHandsEvent &event : m_events)
        count += event.messages.size();
    return count;
}

void OpenHandsLog::finish(SessionBuilder &builder, ThreadIndex index, const std::vector<Block> &prelude)
{
    CallLinker linker(builder);
    for (OpenHandsEvent &event : m_events) {
        if (event.condensation)
            condense(builder, index, event);
        else
            place(builder, index, linker, event);
    }
    linker.report();
    builder.thread(index).end = m_array;
    settle(builder.thread(index));
    placePrelude(builder, index, prelude);
}

void OpenHandsLog::place(SessionBuilder &builder, ThreadIndex index, CallLinker &linker, OpenHandsEvent &event)
{
    Placed &placed = m_placed.emplace_back(Placed { event.ids.size(), {}, false });
    for (MessageDraft &draft : event.messages) {
        linker.link(draft, CallLinker::Orphans::Silent); // condensations decide which results have a call at the end
        BlockRange range = builder.rangeOf(builder.addMessage(index, draft));
        if (event.isCall && draft.role == Role::Assistant) {
            settle(builder.thread(index));
            Call call;
            call.input = m_array;
            call.output = range;
            call.usage = event.usage;
            call.time = draft.time;
            call.model = draft.model;
            call.responseId = event.responseId;
            call.isDerived = !event.usage;
            call.line = event.line;
            builder.thread(index).calls.push_back(std::move(call));
            range.end -= std::min(event.unsent, range.size());
        }
        placed.blocks.append(range);
        m_array.append(range);
    }
}

void OpenHandsLog::condense(SessionBuilder &builder, ThreadIndex index, OpenHandsEvent &event)
{
    OpenHandsEvent::Condensation &condensation = *event.condensation;
    m_forgotten.insert(condensation.forgotten.begin(), condensation.forgotten.end());
    m_placed.push_back({ 0, {}, true });
    if (condensation.summary) {
        m_summary = {};
        m_summary.append(builder.rangeOf(builder.addMessage(index, *condensation.summary)));
        m_offset = condensation.offset;
    }
    RecordedCompaction compaction;
    compaction.kind = condensation.summary ? CompactionKind::Summary : CompactionKind::Replacement;
    compaction.before = m_array;
    compaction.line = event.line;
    Thread &thread = builder.thread(index);
    if (!thread.calls.empty())
        compaction.call = CallIndex(thread.calls.size() - 1);
    for (size_t i = m_open; i < thread.compactions.size(); ++i)
        thread.compactions[i].after = m_array; // no call was between them
    m_open = thread.compactions.size();
    thread.compactions.push_back(std::move(compaction));

    m_array = {};
    const auto append
        = [&](const BlockRanges &blocks) { blocks.forEachRange([&](BlockRange range) { m_array.append(range); }); };
    uint64_t events = 0;
    bool isIn = m_summary.isEmpty();
    for (size_t i = 0; i < m_placed.size(); ++i) {
        Placed &placed = m_placed[i];
        placed.isForgotten = placed.isForgotten
            || std::ranges::any_of(m_events[i].ids, [&](const std::string &id) { return m_forgotten.contains(id); });
        if (placed.isForgotten)
            continue;
        if (!isIn && m_offset && events >= *m_offset) {
            append(m_summary);
            isIn = true;
        }
        events += placed.events;
        append(placed.blocks);
    }
    if (!isIn)
        append(m_summary);
}

/// The array behind the compactions is the one that is sent now.
void OpenHandsLog::settle(Thread &thread)
{
    for (; m_open < thread.compactions.size(); ++m_open)
        thread.compactions[m_open].after = m_array;
}

} // namespace core
