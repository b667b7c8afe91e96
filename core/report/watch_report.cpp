// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/report/watch_report.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/cache/recorded_cache.h"
#include "core/compaction/observe.h"
#include "core/json/json.h"
#include "core/money/cost.h"
#include "core/report/document_parts.h"
#include "core/session/slot_label.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr auto kWatchSchema = "palimpsest.watch/1";
constexpr size_t kNamed = 2; ///< entered blocks that a line of text names

/// Whether a record follows the response of the newest call.
bool isFollowed(const Thread &thread, const Call &newest)
{
    uint32_t end = 0;
    thread.end.forEachRange([&](BlockRange range) { end = std::max(end, range.end); });
    return end > newest.output.end;
}

bool reportsCache(const Thread &thread)
{
    return std::ranges::any_of(thread.calls,
        [](const Call &call) { return call.usage && call.usage->cacheRead + call.usage->cacheWrite > 0; });
}

TokenFigure difference(const ArraySum &now, const ArraySum &before)
{
    const bool isExact = now.basis == Basis::Exact && before.basis == Basis::Exact;
    return { now.value() - before.value(), isExact ? Basis::Exact : Basis::Estimated };
}

std::string signedText(const TokenFigure &figure)
{
    const std::string text = shown(figure);
    return figure.value > 0 ? "+" + text : text;
}

std::string shareOfContext(const WatchedCall &call)
{
    if (!call.cacheRead || call.context.value <= 0)
        return "–";
    return wholeShareText(static_cast<double>(*call.cacheRead) / call.context.value);
}

std::string enteredText(const std::vector<WatchedCall::Entered> &entered)
{
    std::string text;
    for (size_t i = 0; i < std::min(kNamed, entered.size()); ++i) {
        const WatchedCall::Entered &each = entered[i];
        text += (i > 0 ? " · " : "") + each.what + (each.subject.empty() ? "" : " " + snippet(each.subject, 40)) + " "
            + shownShort(each.tokens);
    }
    if (entered.size() > kNamed)
        text += " · " + groupedNumber(entered.size() - kNamed) + " more";
    return text;
}

std::string rowText(const std::string &call, const std::string &context, const std::string &change,
    const std::string &cache, const std::string &cost, const std::string &entered)
{
    constexpr size_t kCall = 6;
    constexpr size_t kContext = 14;
    constexpr size_t kChange = 12;
    constexpr size_t kCache = 7;
    constexpr size_t kCost = 9;
    return paddedLeft(call, kCall) + paddedLeft(context, kContext) + paddedLeft(change, kChange)
        + paddedLeft(cache, kCache) + paddedLeft(cost, kCost) + "  " + entered + "\n";
}

std::string textOf(const WatchedCall &call)
{
    return rowText(std::to_string(call.call.value()), shown(call.context),
        call.change ? signedText(*call.change) : std::string(), shareOfContext(call),
        call.cost ? dollars(*call.cost) : "–", enteredText(call.entered));
}

std::string textOf(const WatchedCompaction &compaction)
{
    std::string text = "        " + std::string(nameOf(compaction.kind));
    if (!compaction.trigger.empty())
        text += " (" + compaction.trigger + ")";
    if (compaction.after.isValid())
        text += " after call " + std::to_string(compaction.after.value());
    if (compaction.before)
        text += ": " + shown(*compaction.before) + " tokens before";
    if (compaction.before && compaction.sent)
        text += ", " + shown(*compaction.sent) + " sent after it";
    return text + "\n";
}

std::string textOf(const Forecast &forecast) { return "        " + forecast.words() + ". " + forecast.reason() + "\n"; }

Json jsonOf(const WatchedCall &call)
{
    Json entered = Json::array();
    for (const WatchedCall::Entered &each : call.entered)
        entered.push_back(
            { { "what", each.what }, { "subject", each.subject }, { "tokens", figureJson(each.tokens) } });
    return { { "schema", kWatchSchema }, { "kind", "call" }, { "call", call.call.value() }, { "line", call.line },
        { "time", call.time ? Json(isoTime(*call.time)) : Json(nullptr) }, { "context", figureJson(call.context) },
        { "change", call.change ? figureJson(*call.change) : Json(nullptr) }, { "entered", std::move(entered) },
        { "cache_read_tokens", orNull(call.cacheRead) }, { "cost", orNull(call.cost) } };
}

Json jsonOf(const WatchedCompaction &compaction)
{
    const auto figure = [](const auto &tokens) { return tokens ? figureJson(*tokens) : Json(nullptr); };
    return { { "schema", kWatchSchema }, { "kind", "compaction" }, { "compaction", nameOf(compaction.kind) },
        { "trigger", compaction.trigger }, { "after_call", orNull(compaction.after) }, { "line", compaction.line },
        { "before", figure(compaction.before) }, { "sent_after", figure(compaction.sent) } };
}

std::string_view nameOf(Forecast::Limit limit)
{
    switch (limit) {
    case Forecast::Limit::Policy:
        return "policy";
    case Forecast::Limit::LastCompaction:
        return "last_compaction";
    case Forecast::Limit::Harness:
        return "harness";
    case Forecast::Limit::Window:
        return "window";
    }
    return {};
}

Json jsonOf(const Forecast &forecast)
{
    return { { "schema", kWatchSchema }, { "kind", "forecast" }, { "basis", "estimated" }, { "calls", forecast.calls },
        { "limit", nameOf(forecast.limit) }, { "at", std::llround(forecast.at) },
        { "per_call", std::llround(forecast.perCall) }, { "measured_calls", forecast.measured } };
}

WatchedCompaction compactionOf(const Session &session, ThreadIndex thread, size_t number, const ArraySums &sums)
{
    const RecordedCompaction &recorded = session.thread(thread).compactions[number];
    WatchedCompaction result { recorded.kind, recorded.trigger, recorded.call, recorded.line, {}, {} };
    const RecordedSizes sizes = recordedSizes(session, thread, number, sums);
    if (sizes.sumBefore)
        result.before = sizes.sumBefore->total();
    if (sizes.sumAfter && sizes.isAfterSent)
        result.sent = sizes.sumAfter->total();
    return result;
}

} // namespace

std::vector<WatchedCall::Entered> Watch::entering(const Session &session, const Call &call, const BlockTokens &tokens)
{
    std::vector<WatchedCall::Entered> entered;
    call.input.forEachRange([&](BlockRange range) {
        // Arrays mostly repeat the one before: known blocks are at the front of their ranges.
        for (uint32_t i = range.end; i > range.begin && !m_sent[i - 1]; --i) {
            const BlockId id(i - 1);
            m_sent[i - 1] = true;
            const SlotLabel label = labelOf(session, session.block(id));
            entered.push_back(
                { label.role + " " + label.what, label.subject, { tokens.of(id), tokens.basisOf(id), tokens.error } });
        }
    });
    std::ranges::stable_sort(entered, std::ranges::greater(), [](const auto &each) { return each.tokens.value; });
    return entered;
}

void Watch::skip(const Session &session, size_t calls)
{
    const Thread &thread = session.thread(m_thread);
    m_calls = std::min(calls, thread.calls.size());
    m_sent.assign(session.blocks.size(), false);
    for (size_t i = 0; i < m_calls; ++i) {
        thread.calls[i].input.forEachRange([&](BlockRange range) {
            for (uint32_t k = range.end; k > range.begin && !m_sent[k - 1]; --k)
                m_sent[k - 1] = true;
        });
    }
    m_compactions = 0;
    while (m_compactions < thread.compactions.size()) {
        const CallIndex last = thread.compactions[m_compactions].call;
        if (last.isValid() && last.index() + 1 >= m_calls)
            break; // not before the last call that was told
        ++m_compactions;
    }
}

std::vector<WatchLine> Watch::news(const SessionPtr &session, const BlockTokensPtr &tokens, bool isResting)
{
    const Thread &thread = session->thread(m_thread);
    m_sent.resize(session->blocks.size());
    size_t count = thread.calls.size();
    if (count > m_calls && !isResting && !isFollowed(thread, thread.calls.back()))
        --count;
    std::vector<WatchLine> lines;
    if (count == m_calls && thread.compactions.size() == m_compactions)
        return lines;
    const ArraySumsPtr sums = arraySums(*session, m_thread, *tokens);
    const SessionCost cost = recordedCost(*session, recordedCache(*session, *tokens), m_prices);
    const bool hasCache = reportsCache(thread);
    const auto tellCompactions = [&](size_t behindCalls) {
        for (; m_compactions < thread.compactions.size(); ++m_compactions) {
            const CallIndex last = thread.compactions[m_compactions].call;
            if (last.isValid() && last.index() >= behindCalls)
                return;
            lines.emplace_back(compactionOf(*session, m_thread, m_compactions, *sums));
        }
    };
    for (; m_calls < count; ++m_calls) {
        tellCompactions(m_calls);
        const Call &call = thread.calls[m_calls];
        WatchedCall told { CallIndex(m_calls), call.line, call.time, sums->calls[m_calls].total(), {}, {}, {}, {} };
        if (m_calls > 0)
            told.change = difference(sums->calls[m_calls], sums->calls[m_calls - 1]);
        told.entered = entering(*session, call, *tokens);
        if (hasCache && call.usage)
            told.cacheRead = call.usage->cacheRead;
        const Position position { m_thread, CallIndex(m_calls) };
        const auto priced = std::ranges::find(cost.calls, position, &CallCost::position);
        if (priced != cost.calls.end())
            told.cost = priced->recorded;
        lines.emplace_back(std::move(told));
    }
    tellCompactions(count);
    if (const auto soon = recordedForecast(*session, m_thread, *sums))
        lines.emplace_back(*soon);
    return lines;
}

std::string watchHead() { return rowText("call", "context", "change", "cached", "cost", "entered"); }

std::string watchText(const WatchLine &line)
{
    return std::visit([](const auto &each) { return textOf(each); }, line);
}

Json watchJson(const WatchLine &line)
{
    return std::visit([](const auto &each) { return jsonOf(each); }, line);
}

Json watchedSessionJson(const std::string &file, const Session &session, ThreadIndex thread)
{
    return { { "schema", kWatchSchema }, { "kind", "session" }, { "file", file }, { "format", session.format },
        { "harness", session.harness }, { "model", session.model }, { "thread", thread.value() },
        { "calls", session.thread(thread).calls.size() } };
}

Json watchedEventJson(std::string_view kind, const std::string &file)
{
    return { { "schema", kWatchSchema }, { "kind", kind }, { "file", file } };
}

} // namespace core
