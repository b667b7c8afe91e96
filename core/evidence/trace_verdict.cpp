// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/evidence/trace_verdict.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <algorithm>
#include <cctype>

namespace core {

namespace {

bool isPresent(const TraceLane &lane)
{
    return lane.state == TraceState::Verbatim || lane.state == TraceState::Partial;
}

/// The lane since which the text is gone; nullptr if it is there at the end.
const TraceLane *lossOf(const Trace &trace)
{
    const TraceLane *loss = nullptr;
    for (auto lane = trace.lanes.rbegin(); lane != trace.lanes.rend() && !isPresent(*lane); ++lane)
        loss = &*lane;
    return loss;
}

/// The effect of a compaction on the text.
std::string effectOf(const ContextSpans &spans, const Trace &trace, const TraceLane &before, const TraceLane &after)
{
    const bool isSame = after.carrier == before.carrier;
    switch (after.state) {
    case TraceState::Verbatim:
        return isSame ? "left it in place" : "kept it word for word";
    case TraceState::Partial:
        return isSame ? "left that part in place" : "kept " + keptShareText(trace, after);
    case TraceState::Gone:
    case TraceState::Unknown:
        break;
    }
    const bool wasSummarised = spans.session->block(before.carrier).is(BlockFlag::Summary);
    return std::string("dropped ") + (before.state == TraceState::Partial ? "the part that was there" : "it")
        + (wasSummarised ? " with the old summary" : "");
}

/// `compaction 3`, `compactions 3 to 5`; numbers count from 0.
std::string compactionName(size_t first, size_t last)
{
    return first == last ? "compaction " + std::to_string(first + 1)
                         : "compactions " + std::to_string(first + 1) + " to " + std::to_string(last + 1);
}

/// `Compaction 1 kept it word for word; compaction 2 dropped it with the old summary.` Empty if none met the text. The
/// lanes show only the arrays of calls: if no call was sent between two compactions, either may have dropped the text.
std::string compactionSentence(const ContextSpans &spans, const Trace &trace)
{
    struct Clause {
        size_t first = 0;
        size_t last = 0;
        std::string effect;
        bool isOneOf = false;
    };
    std::vector<Clause> clauses;
    for (size_t first = 0, last = 0; first < spans.rewrites.size(); first = last + 1) {
        const uint32_t call = spans.rewrites[first].firstCall;
        for (last = first; last + 1 < spans.rewrites.size() && spans.rewrites[last + 1].firstCall == call;)
            ++last;
        const TraceLane *before = call == 0 ? nullptr : trace.at(call - 1);
        const TraceLane *after = trace.at(call);
        if (before == nullptr || after == nullptr || !isPresent(*before))
            continue;
        std::string effect = effectOf(spans, trace, *before, *after);
        const bool isOneOf = first != last && !isPresent(*after);
        if (!clauses.empty() && !isOneOf && clauses.back().last + 1 == first && clauses.back().effect == effect)
            clauses.back().last = last;
        else
            clauses.push_back({ first, last, std::move(effect), isOneOf });
    }
    std::string text;
    for (const Clause &each : clauses) {
        std::string name = compactionName(each.first, each.last);
        if (each.isOneOf)
            name.insert(0, "one of ").append(" (no call came between them)");
        if (text.empty())
            name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
        text += (text.empty() ? "" : "; ") + name + " " + each.effect;
    }
    return text.empty() ? text : text + ".";
}

/// How many of the calls `[from, …)` are in lanes of a state.
size_t callsIn(const ContextSpans &spans, const Trace &trace, TraceState state, uint32_t from)
{
    size_t count = 0;
    for (const TraceLane &lane : trace.lanes) {
        if (lane.state == state && lane.from >= from)
            count += std::min(lane.to, spans.callCount) - std::min(lane.from, spans.callCount);
    }
    return count;
}

/// ` 3 calls ran without it. The log does not show whether 2 calls had it.` `between` follows the number of calls.
std::string callsSentence(const ContextSpans &spans, const Trace &trace, uint32_t from, std::string_view between)
{
    const size_t gone = callsIn(spans, trace, TraceState::Gone, from);
    const size_t unknown = callsIn(spans, trace, TraceState::Unknown, from);
    std::string text;
    if (gone > 0)
        text += " " + counted(gone, "call") + std::string(between) + " ran without it.";
    if (unknown > 0)
        text += " The log does not show whether " + counted(unknown, "call") + std::string(between) + " had it.";
    return text;
}

std::string unloggedSentence(
    const ContextSpans &spans, const Trace &trace, const TraceLane &loss, std::span<const UnloggedStretch> unlogged)
{
    const auto found = std::ranges::find_if(unlogged, [&](const UnloggedStretch &each) { return each.to > loss.from; });
    if (found == unlogged.end() || found->from > spans.callCount)
        return {};
    const std::string amount = shown({ found->tokens, Basis::Estimated })
        + (found->recorded > 0 ? " of the " + shown({ found->recorded, Basis::Exact }) : std::string())
        + " tokens after " + "compaction " + std::to_string(found->rewrite + 1) + " are unlogged";
    return amount
        + (trace.mayBePutBack ? ". They may include this text: it was in a file or in text that the harness had added."
                              : ", so they may include a copy.");
}

/// Sentences for a text that is not there at the end.
std::string lossSentences(
    const ContextSpans &spans, const Trace &trace, const TraceLane &loss, std::span<const UnloggedStretch> unlogged)
{
    const bool isKnown = std::ranges::none_of(trace.lanes,
        [&](const TraceLane &lane) { return lane.from >= loss.from && lane.state == TraceState::Unknown; });
    const auto rewrite = std::ranges::find(spans.rewrites, loss.from, &ContextRewrite::firstCall);
    const bool byRewrite = rewrite != spans.rewrites.end();
    const bool wasSent = std::ranges::any_of(trace.lanes, isPresent);
    std::string text = isKnown ? "Last sent at call " : "The log shows it up to call ";
    text += std::to_string(loss.from - 1) + ".";
    if (!wasSent)
        text = "No call sent it" + std::string(isKnown ? "." : ", as far as the log shows.");
    if (!wasSent && byRewrite)
        text += formatted(" Compaction {} removed it before the next call.", rewrite - spans.rewrites.begin() + 1);
    const std::string compactions = compactionSentence(spans, trace);
    text += compactions.empty() ? std::string() : " " + compactions;
    const auto clearing = std::ranges::find_if(
        spans.clearings, [&](const SilentClearing &each) { return !each.blocks.empty() && each.from == loss.from; });
    if (clearing != spans.clearings.end())
        text += std::string(clearing->isRecorded ? " A recorded clearing of " : " A silent clearing of ")
            + shown({ clearing->tokens, Basis::Estimated }) + " tokens may have removed it"
            + (clearing->isRecorded ? "; its record does not say which texts it removed." : ".");
    else if (!byRewrite)
        text += " The next array does not contain it, although no compaction is recorded there.";
    const std::string calls = callsSentence(spans, trace, loss.from, "");
    text += calls.empty() ? " No call followed." : calls;
    const std::string more = unloggedSentence(spans, trace, loss, unlogged);
    return more.empty() ? text : text + " " + more;
}

} // namespace

double tokensBehind(const ContextSpans &spans, BlockId block, const BlockTokens &tokens)
{
    double sum = 0;
    spans.end.forEach([&](BlockId id) { sum = id == block ? 0 : sum + tokens.of(id); });
    return sum;
}

std::string keptShareText(const Trace &trace, const TraceLane &lane)
{
    if (lane.words.size() == trace.words.size())
        return "all of its words, but not the exact text";
    return groupedNumber(lane.words.size()) + " of its " + counted(trace.words.size(), "word");
}

std::string keptWordsText(const Trace &trace, const TraceLane &lane)
{
    constexpr size_t kMost = 12;
    std::string text;
    for (size_t i = 0; i < std::min(kMost, lane.words.size()); ++i) {
        const bool follows = lane.words[i] == (i == 0 ? 0 : lane.words[i - 1] + 1);
        text += (text.empty() ? "" : " ") + std::string(follows ? "" : "… ") + trace.words[lane.words[i]];
    }
    const bool isCut = lane.words.size() > kMost || (!lane.words.empty() && lane.words.back() + 1 < trace.words.size());
    return isCut ? text + " …" : text;
}

std::string traceVerdict(
    const ContextSpans &spans, const Trace &trace, std::span<const UnloggedStretch> unlogged, const BlockTokens &tokens)
{
    if (trace.lanes.empty())
        return "It was never in the context.";
    if (const TraceLane *loss = lossOf(trace))
        return lossSentences(spans, trace, *loss, unlogged);
    const TraceLane &last = trace.lanes.back();
    const std::string place
        = shown({ tokensBehind(spans, last.carrier, tokens), tokens.basis }) + " tokens before the end of the array";
    std::string text = last.state == TraceState::Verbatim ? "Still in the context, " + place + "."
                                                          : "Only partly in the context: " + keptShareText(trace, last)
            + " (" + keptWordsText(trace, last) + "), " + place + ".";
    const std::string compactions = compactionSentence(spans, trace);
    text += compactions.empty() ? std::string() : " " + compactions;
    return text + callsSentence(spans, trace, 0, " in between");
}

} // namespace core
