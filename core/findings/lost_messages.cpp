// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/findings/finding_ground.h"
#include "core/findings/findings.h"
#include "core/findings/kinds.h"

#include <algorithm>
#include <optional>
#include <set>

namespace core {

namespace {

constexpr size_t kQuoted = 48; ///< characters of a message

/// The last calls that were sent any of the text; nullptr if none was.
const TraceLane *lastSent(const Trace &trace)
{
    const auto lane = std::ranges::find_if(trace.lanes.rbegin(), trace.lanes.rend(),
        [](const TraceLane &each) { return each.state == TraceState::Verbatim || each.state == TraceState::Partial; });
    return lane == trace.lanes.rend() ? nullptr : &*lane;
}

/// The index of the rewrite that removed a text before call `to`; nullopt if none did. If no call was sent between two
/// rewrites, the arrays before them tell which one it was.
std::optional<size_t> removedBy(const FindingGround &ground, const TraceLane &sent)
{
    const std::vector<ContextRewrite> &rewrites = ground.spans.rewrites;
    std::optional<size_t> found;
    for (size_t i = 0; i < rewrites.size() && rewrites[i].firstCall <= sent.to; ++i) {
        if (rewrites[i].firstCall != sent.to)
            continue;
        bool isHeld = false;
        ground.thread().compactions[i].before.forEach([&](BlockId id) { isHeld = isHeld || id == sent.carrier; });
        if (isHeld || !found)
            found = i;
    }
    return found;
}

/// A summary that still quoted the text after its own message had left the context.
std::string quotedUntil(const Session &session, const Trace &trace)
{
    const TraceLane *last = lastSent(trace);
    const bool isQuoted = last != nullptr && last->carrier.isValid() && last->carrier != trace.block
        && session.block(last->carrier).is(BlockFlag::Summary);
    if (!isQuoted)
        return {};
    return ", which a summary " + std::string(last->state == TraceState::Partial ? "quoted in part" : "quoted")
        + " up to call " + std::to_string(last->to - 1);
}

/// The preset of the session's own harness, with typed messages kept. If it keeps them already, or writes no summary
/// that could, the preset that is known for it.
void helpToKeep(Finding &finding, const Session &session)
{
    finding.help = "keep user messages";
    if (const std::vector<PolicyPtr> own = ownPresets(session); !own.empty()) {
        finding.policy = own.front()->id;
        finding.setting = "summarise.user-messages=20000"; // tokens, as many as Codex keeps
        if (const PolicyPtr made = helpingPolicy(finding); made && made->document != own.front()->document)
            return;
    }
    finding.help += ", as the policy Codex does";
    finding.policy = "codex";
    finding.setting = {};
}

void findLostMessages(const FindingGround &ground, std::vector<Finding> &findings)
{
    if (ground.thread().kind == ThreadKind::Subagent)
        return;
    const auto traces = tracedUserMessages(ground.spans, ground.unlogged);
    if (!traces)
        return;
    size_t all = 0;
    size_t partial = 0;
    std::vector<const Trace *> lost;
    std::set<uint32_t> compactions;
    for (const Trace &trace : *traces) {
        const TraceLane *end = trace.at(ground.callCount());
        if (end == nullptr)
            continue;
        const TraceLane *sent = lastSent(trace);
        const auto rewrite = sent != nullptr ? removedBy(ground, *sent) : std::nullopt;
        const bool isLost = end->state == TraceState::Gone;
        // The user took back what a rewind removed.
        if (isLost && rewrite && ground.spans.rewrites[*rewrite].kind == CompactionKind::Rollback)
            continue;
        ++all;
        partial += end->state == TraceState::Partial ? 1 : 0;
        if (!isLost)
            continue;
        lost.push_back(&trace);
        if (rewrite)
            compactions.insert(static_cast<uint32_t>(*rewrite) + 1);
    }
    if (lost.empty())
        return;
    Finding &made = findings.emplace_back();
    made.rank = FindingRank::Lost;
    made.count = lost.size();
    made.what = (all == 1 ? "The message" : groupedNumber(lost.size()) + " of the " + counted(all, "message"))
        + " that you typed " + (lost.size() == 1 ? "is" : "are") + " no longer in context";
    if (partial > 0)
        made.what += "; " + groupedNumber(partial) + " more " + (partial == 1 ? "is" : "are") + " there only in part";
    for (const uint32_t number : compactions)
        made.link(FindingLink::Target::Compaction, number);
    std::ranges::reverse(lost); // the last one first
    for (const Trace *trace : lost)
        made.link(FindingLink::Target::Block, trace->block.value());
    made.where = (lost.size() > 1 ? "the last: “" : "“") + snippet(lost.front()->text, kQuoted) + "”"
        + quotedUntil(ground.session(), *lost.front());
    helpToKeep(made, ground.session());
}

} // namespace

const FindingKind kLostMessages { "lost-messages", "typed messages that are no longer in context", "message* lost",
    findLostMessages };

} // namespace core
