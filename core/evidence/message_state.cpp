// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/message_state.h"

#include "core/evidence/trace_verdict.h"

#include <algorithm>

namespace core {

namespace {

/// Why a message is not there: by the rewrites of the context where it was lost.
MessageState stateOfLost(const ContextSpans &spans, const Trace &message, const TraceLane &lane)
{
    const auto rewrites = std::ranges::equal_range(spans.rewrites, lane.from, {}, &ContextRewrite::firstCall);
    const auto areAll = [&](CompactionKind kind) {
        return !rewrites.empty()
            && std::ranges::all_of(rewrites, [&](const ContextRewrite &each) { return each.kind == kind; });
    };
    if (areAll(CompactionKind::Rollback))
        return MessageState::TakenBack;
    // The loss of a quotation is not that of the message.
    const bool wasThere = &lane == message.lanes.data() || std::prev(&lane)->carrier == message.block;
    return wasThere && areAll(CompactionKind::Summary) ? MessageState::Replaced : MessageState::Gone;
}

/// `summary #344`, `#12`
std::string carrierName(const ContextSpans &spans, BlockId carrier)
{
    const Block &block = spans.session->block(carrier);
    std::string name = block.is(BlockFlag::Summary) ? "summary" : "";
    if (block.message.isValid())
        name += (name.empty() ? "#" : " #") + std::to_string(block.message.value());
    return name.empty() ? "another text" : name;
}

} // namespace

MessageState messageStateAt(const ContextSpans &spans, const Trace &message, uint32_t call)
{
    const TraceLane *lane = message.at(call);
    if (lane == nullptr)
        return MessageState::NotYet;
    switch (lane->state) {
    case TraceState::Verbatim:
        return lane->carrier == message.block ? MessageState::InContext : MessageState::Quoted;
    case TraceState::Partial:
        return MessageState::Partial;
    case TraceState::Unknown:
        return MessageState::Unknown;
    case TraceState::Gone:
        break;
    }
    return stateOfLost(spans, message, *lane);
}

std::string messageStateText(const ContextSpans &spans, const Trace &message, uint32_t call)
{
    switch (messageStateAt(spans, message, call)) {
    case MessageState::InContext:
        return "in context, word for word";
    case MessageState::Quoted:
        return "quoted in " + carrierName(spans, message.at(call)->carrier);
    case MessageState::Partial: {
        const TraceLane &lane = *message.at(call);
        return keptShareText(message, lane) + " in " + carrierName(spans, lane.carrier);
    }
    case MessageState::Unknown:
        return "unknown";
    case MessageState::NotYet:
        return "not typed yet";
    case MessageState::TakenBack:
        return "taken back by a rewind";
    case MessageState::Replaced:
        return "replaced by the summary";
    case MessageState::Gone:
        break;
    }
    return "gone";
}

std::optional<LastSent> lastSentOf(const ContextSpans &spans, const Trace &message)
{
    std::optional<LastSent> last;
    for (const TraceLane &lane : message.lanes) {
        if (lane.from >= spans.callCount)
            break;
        if (lane.state == TraceState::Verbatim || lane.state == TraceState::Partial)
            last = { std::min(lane.to, spans.callCount) - 1 };
        else if (last && lane.state == TraceState::Unknown)
            last->mayBeLater = true;
    }
    return last;
}

} // namespace core
