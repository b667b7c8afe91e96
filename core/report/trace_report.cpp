// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/trace_report.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/evidence/trace_verdict.h"
#include "core/json/json.h"
#include "core/report/head_line.h"
#include "core/session/block_key.h"
#include "core/session/slot_label.h"

#include <algorithm>

namespace core {

namespace {

constexpr size_t kSnippet = 70;

std::string_view signOf(const TraceLane *lane)
{
    if (lane == nullptr)
        return " ";
    switch (lane->state) {
    case TraceState::Verbatim:
        return "█";
    case TraceState::Partial:
        return "▒";
    case TraceState::Gone:
        return "·";
    case TraceState::Unknown:
        return "?";
    }
    return "?";
}

std::string snippetOf(const Trace &trace)
{
    return trace.text.empty() ? std::string("(no text)") : snippet(trace.text, kSnippet);
}

// --- JSON ---------------------------------------------------------------------------------------------------------

Json stateJson(const TraceReport &report, const BlockKeys &keys, const Trace &trace, const TraceLane &lane)
{
    Json json { { "state", nameOf(lane.state) } };
    json["carrier"] = lane.carrier.isValid() ? Json(keys.of(lane.carrier)) : Json(nullptr);
    if (lane.carrier.isValid()) {
        const Session &session = *report.spans.session;
        const Block &block = session.block(lane.carrier);
        json["message"] = block.message.isValid() ? Json(block.message.value()) : Json(nullptr);
        json["label"] = labelOf(session, block).text();
    }
    if (lane.state == TraceState::Partial) {
        json["words_kept"] = lane.words.size();
        json["words"] = Json::array();
        for (const uint32_t word : lane.words)
            json["words"].push_back(trace.words[word]);
    }
    return json;
}

Json lifeJson(const TraceReport &report, const BlockKeys &keys, const Trace &trace)
{
    Json json { { "text", trace.text } };
    json["block"] = trace.block.isValid() ? Json(keys.of(trace.block)) : Json(nullptr);
    json["word_count"] = trace.words.size();
    json["lanes"] = Json::array();
    for (const TraceLane &lane : trace.lanes) {
        const uint32_t to = std::min(lane.to, report.spans.callCount);
        if (lane.from >= to)
            continue;
        Json entry { { "from_call", lane.from }, { "to_call", to - 1 } };
        entry.update(stateJson(report, keys, trace, lane));
        json["lanes"].push_back(std::move(entry));
    }
    const TraceLane *end = trace.at(report.spans.callCount);
    json["end"] = end == nullptr ? Json(nullptr) : stateJson(report, keys, trace, *end);
    json["verdict"] = traceVerdict(report.spans, trace, report.unlogged, *report.tokens);
    return json;
}

// --- the terminal -------------------------------------------------------------------------------------------------

/// One character per call (the worst state of several), and one for the end.
std::string laneText(const TraceReport &report, const Trace &trace, size_t width)
{
    const size_t calls = report.spans.callCount;
    const auto badness = [](const TraceLane *lane) { return lane == nullptr ? -1 : static_cast<int>(lane->state); };
    std::vector<const TraceLane *> worst(width, nullptr);
    for (const TraceLane &lane : trace.lanes) {
        for (size_t call = lane.from; call < std::min<size_t>(lane.to, calls); ++call) {
            const TraceLane *&column = worst[call * width / calls];
            column = badness(column) < badness(&lane) ? &lane : column;
        }
    }
    std::string text;
    for (const TraceLane *lane : worst)
        text += signOf(lane);
    return text + "|" + std::string(signOf(trace.at(static_cast<uint32_t>(calls))));
}

/// A line with the positions of the compactions, below a lane.
std::string rewriteText(const TraceReport &report, size_t width)
{
    const size_t calls = report.spans.callCount;
    std::string text(width + 2, ' ');
    for (size_t i = 0; i < report.spans.rewrites.size(); ++i) {
        const size_t call = std::min<size_t>(report.spans.rewrites[i].firstCall, calls);
        text[calls == 0 ? 0 : std::min(call * width / calls, width)] = i < 9 ? static_cast<char>('1' + i) : '*';
    }
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string stretchLine(const TraceReport &report, const Trace &trace, const TraceLane &lane)
{
    const size_t calls = report.spans.callCount;
    std::string where = lane.from >= calls ? std::string("the end")
        : lane.to > calls                  ? formatted("calls {} to the end", lane.from)
        : lane.to - lane.from == 1         ? formatted("call {}", lane.from)
                                           : formatted("calls {} to {}", lane.from, lane.to - 1);
    std::string line = formatted("  {:<22}{:<10}", where, nameOf(lane.state));
    if (lane.carrier.isValid()) {
        const Session &session = *report.spans.session;
        const Block &block = session.block(lane.carrier);
        const std::string message = block.message.isValid() ? "#" + std::to_string(block.message.value()) + "  " : "";
        line += message + labelOf(session, block).text();
    }
    if (lane.state == TraceState::Partial)
        line += ": " + keptShareText(trace, lane) + " (" + keptWordsText(trace, lane) + ")";
    line.erase(line.find_last_not_of(' ') + 1);
    return visibleText(line) + "\n";
}

std::string drawOne(const TraceReport &report, const Trace &trace, size_t width)
{
    constexpr size_t kMostStretches = 40;
    std::string text = visibleText(snippetOf(trace)) + "\n\n";
    if (!trace.lanes.empty()) {
        text += "  " + laneText(report, trace, width) + "\n";
        text += report.spans.rewrites.empty() ? "" : "  " + rewriteText(report, width) + "\n";
        for (size_t i = 0; i < std::min(kMostStretches, trace.lanes.size()); ++i)
            text += stretchLine(report, trace, trace.lanes[i]);
        if (trace.lanes.size() > kMostStretches)
            text += formatted("  and {} more\n", trace.lanes.size() - kMostStretches);
        text += "\n";
    }
    return text + traceVerdict(report.spans, trace, report.unlogged, *report.tokens) + "\n";
}

std::string drawUserMessages(const TraceReport &report, size_t columns)
{
    if (report.userMessages.empty())
        return "The thread has no user messages.\n";
    const size_t width = std::min<size_t>(report.spans.callCount, columns / 2);
    std::string text;
    for (const Trace &trace : report.userMessages) {
        const Block &block = report.spans.session->block(trace.block);
        const std::string number = block.message.isValid() ? "#" + std::to_string(block.message.value()) : "";
        text += formatted("{:>6}  {}  {}\n", number, laneText(report, trace, width),
            fitted(visibleText(snippetOf(trace)), std::max<size_t>(20, columns - width - 12)));
    }
    if (!report.spans.rewrites.empty())
        text += std::string(8, ' ') + rewriteText(report, width) + "\n";
    return text;
}

} // namespace

std::string_view nameOf(TraceState state)
{
    switch (state) {
    case TraceState::Verbatim:
        return "verbatim";
    case TraceState::Partial:
        return "partial";
    case TraceState::Gone:
        return "gone";
    case TraceState::Unknown:
        return "unknown";
    }
    return "unknown";
}

TraceReport traceReport(const SessionPtr &session, ThreadIndex thread, BlockTokensPtr tokens)
{
    TraceReport report;
    report.thread = thread;
    const ArraySumsPtr sums = arraySums(*session, thread, *tokens);
    report.spans = recordedSpans(session, thread, sums.get());
    report.unlogged = unloggedStretches(session->thread(thread), *sums);
    report.tokens = std::move(tokens);
    report.userMessages = tracedUserMessages(report.spans, report.unlogged).value_or(std::vector<Trace>());
    return report;
}

TraceReport traceReport(const Replay &replay)
{
    TraceReport report;
    report.thread = replay.ground->log.thread;
    report.policy = replay.policy->id;
    report.spans = replay.spans;
    report.tokens = replay.tokens;
    report.userMessages = tracedUserMessages(report.spans).value_or(std::vector<Trace>());
    return report;
}

Json traceJson(const TraceReport &report)
{
    const Session &session = *report.spans.session;
    const BlockKeys keys(session);
    Json document { { "schema", "palimpsest.trace/1" } };
    document["file"] = session.sources.empty() ? std::string() : session.sources.front()->name();
    document["thread"] = report.thread.value();
    document["policy"] = report.policy.empty() ? Json(nullptr) : Json(report.policy);
    document["calls"] = report.spans.callCount;
    document["compactions"] = Json::array();
    for (const ContextRewrite &each : report.spans.rewrites)
        document["compactions"].push_back(
            { { "call", each.firstCall == 0 ? Json(nullptr) : Json(each.firstCall - 1) } });
    const InContext count = inContextAt(report.userMessages, report.spans.callCount);
    document["user_messages"] = { { "count", count.all }, { "in_context", count.standing } };
    if (report.trace) {
        document.update(lifeJson(report, keys, *report.trace));
        return document;
    }
    document["traces"] = Json::array();
    for (const Trace &trace : report.userMessages)
        document["traces"].push_back(lifeJson(report, keys, trace));
    return document;
}

std::string drawTrace(const TraceReport &report, size_t columns)
{
    const size_t width = std::min<size_t>(report.spans.callCount, columns - 6);
    std::string text = report.trace ? drawOne(report, *report.trace, width) : drawUserMessages(report, columns);
    const std::string fact = userMessageFact(inContextAt(report.userMessages, report.spans.callCount), {});
    return fact.empty() ? text : text + "\n" + fact + "\n";
}

} // namespace core
