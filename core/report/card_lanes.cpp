// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/card_lanes.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/evidence/trace_verdict.h"
#include "core/session/slot_label.h"

#include <algorithm>

namespace core {

namespace {

constexpr size_t kShownCharacters = 60;

bool isPresent(const TraceLane &lane)
{
    return lane.state == TraceState::Verbatim || lane.state == TraceState::Partial;
}

/// A trace starts with the first call that sent any of the text; the array at the end belongs to no call.
CardLife lifeOf(const Trace &trace, uint32_t callCount)
{
    CardLife life;
    for (const TraceLane &lane : trace.lanes) {
        const uint32_t to = std::min(lane.to, callCount);
        if (lane.from >= to)
            continue;
        if (!life.stretches.empty() && life.stretches.back().state == lane.state)
            life.stretches.back().to = to;
        else
            life.stretches.push_back({ lane.from, to, lane.state });
    }
    if (trace.lanes.empty()) {
        life.ending = "never in context";
        return life;
    }
    const TraceLane &last = trace.lanes.back();
    switch (last.state) {
    case TraceState::Verbatim:
        life.ending = "there to the end";
        break;
    case TraceState::Partial:
        life.ending = keptShareText(trace, last) + " at the end";
        break;
    case TraceState::Gone:
    case TraceState::Unknown: {
        const auto present = std::ranges::find_if(trace.lanes.rbegin(), trace.lanes.rend(), isPresent);
        const bool isGone = last.state == TraceState::Gone;
        life.ending = present == trace.lanes.rend()
            ? isGone ? "never in context" : "not known"
            : formatted("{} call {}", isGone ? "last sent at" : "not known after", present->to - 1);
        break;
    }
    }
    return life;
}

/// Kind and message of the block where the text first occurred.
std::string placeOf(const Trace &trace, const Session &session)
{
    const auto carried
        = std::ranges::find_if(trace.lanes, [](const TraceLane &lane) { return lane.carrier.isValid(); });
    if (carried == trace.lanes.end())
        return "nowhere in this session";
    const Block &block = session.block(carried->carrier);
    const std::string label = labelOf(session, block).text();
    return block.message.isValid() ? formatted("{} in #{}", label, block.message.value()) : label;
}

} // namespace

CardLane cardLane(size_t number, std::string_view text, CardTexts texts, const ContextSpans &recorded,
    const ContextSpans &simulated, std::span<const UnloggedStretch> unlogged)
{
    const std::optional<Trace> before = traceText(recorded, text, unlogged);
    const std::optional<Trace> after = traceText(simulated, text);
    CardLane lane;
    lane.name = formatted("{} · {}", number, placeOf(*before, *recorded.session));
    if (texts == CardTexts::Shown)
        lane.name += formatted(" · “{}”", snippet(before->text, kShownCharacters));
    lane.recorded = lifeOf(*before, recorded.callCount);
    lane.simulated = lifeOf(*after, simulated.callCount);
    return lane;
}

} // namespace core
