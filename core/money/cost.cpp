// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/money/cost.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/session/thread_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace core {

namespace {

/// Tools that start a subagent: Claude Code's, in older and newer versions.
constexpr auto kSubagentTools = std::to_array<std::string_view>({ "Task", "Agent" });

bool isOfCompaction(CacheCause cause) { return cause == CacheCause::Compaction || cause == CacheCause::Clearing; }

BilledTokens recordedTokens(const Call &call, const RecordedCacheCall *cached)
{
    BilledTokens tokens;
    tokens.input = static_cast<double>(call.usage->input);
    tokens.cacheRead = static_cast<double>(call.usage->cacheRead);
    tokens.output = static_cast<double>(call.usage->output);
    const auto written = static_cast<double>(call.usage->cacheWrite);
    tokens.cacheWrite1h = cached != nullptr ? std::min(written, static_cast<double>(cached->writes.oneHour)) : 0;
    tokens.cacheWrite5m = written - tokens.cacheWrite1h;
    return tokens;
}

/// Visits the calls of a session with recorded usage.
template <typename Visitor>
void forEachRecorded(const Session &session, const RecordedCache &cache, const Prices &prices, Visitor &&visit)
{
    std::vector<const RecordedCacheCall *> cached;
    for (const RecordedCacheCall &call : cache.calls)
        cached.push_back(&call);
    const auto place
        = [](const RecordedCacheCall *call) { return std::pair(call->position.thread, call->position.call); };
    std::ranges::sort(cached, {}, place);
    for (size_t t = 0; t < session.threads.size(); ++t) {
        const std::vector<Call> &calls = session.threads[t].calls;
        for (size_t c = 0; c < calls.size(); ++c) {
            const Call &call = calls[c];
            if (!call.usage || call.usage->prompt() == 0)
                continue;
            const Position position { ThreadIndex(t), CallIndex(c) };
            const auto found = std::ranges::lower_bound(cached, std::pair(position.thread, position.call), {}, place);
            const bool isFound = found != cached.end() && (*found)->position == position;
            const std::string_view model = session.modelOf(call);
            const auto price = prices.priceAt(model, call.time.value_or(std::numeric_limits<Timestamp>::max()),
                static_cast<double>(call.usage->prompt()));
            visit(position, call, isFound ? *found : nullptr, model, price);
        }
    }
}

void addTo(ThreadCost &sum, const ThreadCost &other)
{
    sum.calls += other.calls;
    sum.unpricedCalls += other.unpricedCalls;
    sum.recorded += other.recorded;
}

/// The title of a thread in quotes, shortened, else its id.
std::string nameOf(const Thread &thread)
{
    constexpr size_t kLongest = 48;
    return thread.title.empty() ? visibleText(thread.id) : "“" + visibleText(snippet(thread.title, kLongest)) + "”";
}

/// Whether a thread is a subagent that `starter` or one of its subagents started.
bool isStartedFrom(const Session &session, ThreadIndex thread, ThreadIndex starter)
{
    for (size_t steps = 0; thread.isValid() && steps < session.threads.size(); ++steps) {
        thread = starterOf(session, thread);
        if (thread == starter)
            return true;
    }
    return false;
}

/// How many subagents a thread started that are no thread of the session.
size_t startedElsewhere(const Session &session, ThreadIndex thread)
{
    std::unordered_set<StringId> started;
    for (const Block &block : session.blocks) {
        const bool isCall = block.kind == BlockKind::ToolCall && session.message(block.message).thread == thread;
        if (isCall && block.callId.isValid() && std::ranges::contains(kSubagentTools, session.string(block.name)))
            started.insert(block.callId);
    }
    for (const Thread &each : session.threads) {
        if (each.parentCall.isValid())
            started.erase(session.block(each.parentCall).callId);
    }
    // Only what has answered has run.
    return static_cast<size_t>(std::ranges::count_if(session.blocks, [&](const Block &block) {
        return block.kind == BlockKind::ToolResult && !block.is(BlockFlag::Error) && started.erase(block.callId) > 0;
    }));
}

/// Appends the calls without a price to a sentence.
std::string withUnpriced(const SessionCost &cost, const std::string &text)
{
    if (cost.unpricedCalls == 0)
        return text;
    return formatted("{}{}No price for {} of {}.", text, text.empty() ? "" : " ", counted(cost.unpricedCalls, "call"),
        cost.unpricedNames());
}

} // namespace

double entryPrice(const BilledTokens &tokens, const Price &price)
{
    if (tokens.cacheWrite1h > 0)
        return price.cacheWrite1h;
    return tokens.cacheWrite5m > 0 ? price.cacheWrite5m : price.input;
}

BilledTokens billedTokens(const CacheReading &reading, double output, Timestamp lifetime)
{
    BilledTokens tokens;
    tokens.input = reading.uncached;
    tokens.cacheRead = reading.read;
    tokens.output = output;
    (lifetime >= kOneHour ? tokens.cacheWrite1h : tokens.cacheWrite5m) = reading.written;
    return tokens;
}

double RunCall::cost() const
{
    return price ? costOf(tokens, *price) + refetched * entryPrice(tokens, *price) / kMillion : 0;
}

double RunCall::rewritten() const { return std::max(0.0, tokens.prompt() - fresh - tokens.cacheRead); }

double RunCall::beyondReading(double notRead) const
{
    return price ? notRead * (entryPrice(tokens, *price) - price->cacheRead) / kMillion : 0;
}

void addTo(CostParts &parts, const RunCall &call)
{
    if (!call.price)
        return;
    const double own = costOf(call.tokens, *call.price);
    const double entry = entryPrice(call.tokens, *call.price);
    parts.refetched += call.refetched * entry / kMillion;
    if (call.isSummary) {
        parts.summaries += own;
        return;
    }
    const double more = call.rewritingCost();
    double &caused = isOfCompaction(call.cause) ? parts.compactionRewrites
        : call.cause == CacheCause::Idle        ? parts.idleRewrites
                                                : parts.resent;
    caused += more;
    parts.resent += own - more;
}

CostParts costParts(std::span<const RunCall> run)
{
    CostParts parts;
    for (const RunCall &call : run)
        addTo(parts, call);
    return parts;
}

CostParts difference(const CostParts &run, const CostParts &other)
{
    return { run.resent - other.resent, run.compactionRewrites - other.compactionRewrites,
        run.idleRewrites - other.idleRewrites, run.summaries - other.summaries, run.refetched - other.refetched };
}

std::string PayBack::sentence() const
{
    if (!after)
        return formatted("does not pay back in the {} that followed", counted(followed, "call"));
    return formatted("pays back {} ({} came after the compaction){}",
        *after == 0 ? "at once" : "after " + counted(*after, "call"), counted(followed, "call"),
        isLostAgain ? "; with all that follows, the run costs more than without any compaction" : "");
}

PayBack payBack(std::span<const double> costs, std::span<const double> otherCosts, size_t fired)
{
    const size_t count = std::min(costs.size(), otherCosts.size());
    PayBack result;
    if (fired >= count)
        return result;
    result.followed = count - fired - 1;
    double more = 0;
    double sent = 0;
    for (size_t call = fired; call < count; ++call) {
        more += costs[call] - otherCosts[call];
        sent += otherCosts[call];
        if (more <= sent * 1e-9) { // tolerance for sums of doubles
            result.after = call - fired;
            return result;
        }
    }
    return result;
}

std::string SessionCost::sentence() const
{
    const bool hasBoth = calls.size() > unpricedCalls && isComputed;
    return hasBoth
        ? withUnpriced(*this, formatted("{} by usage; Palimpsest computes {}.", dollars(recorded), dollars(computed)))
        : recordedSentence();
}

std::string SessionCost::recordedSentence() const
{
    return withUnpriced(
        *this, calls.size() > unpricedCalls ? formatted("{} by usage.", dollars(recorded)) : std::string());
}

std::string SessionCost::unpricedNames() const
{
    std::string names;
    for (const std::string &model : unpricedModels)
        names += (names.empty() ? "" : ", ") + (model.empty() ? std::string("a model that is not named") : model);
    return names;
}

SessionCost recordedCost(const Session &session, const RecordedCache &cache, const Prices &prices)
{
    SessionCost cost;
    cost.isComputed = true;
    forEachRecorded(session, cache, prices,
        [&](Position position, const Call &call, const RecordedCacheCall *cached, std::string_view model,
            const std::optional<Price> &price) {
            CallCost &each = cost.calls.emplace_back();
            each.position = position;
            if (!price) {
                ++cost.unpricedCalls;
                if (!std::ranges::contains(cost.unpricedModels, model))
                    cost.unpricedModels.emplace_back(model);
                return;
            }
            each.recorded = costOf(recordedTokens(call, cached), *price);
            cost.recorded += *each.recorded;
            if (cached != nullptr) {
                const auto output = static_cast<double>(call.usage->output);
                each.computed = costOf(billedTokens(cached->predicted, output, cached->lifetime), *price);
            }
            cost.computed += each.computed.value_or(0);
            cost.isComputed = cost.isComputed && each.computed.has_value();
        });
    return cost;
}

std::string ThreadCost::words() const
{
    const std::string money = known() ? dollars(recorded) : "no price";
    return formatted("{} for {}{}", money, counted(calls, "call"),
        known() && unpricedCalls > 0 ? formatted(", {} of them without a price", groupedNumber(unpricedCalls)) : "");
}

ThreadCost CostByThread::ofSubagents() const
{
    ThreadCost sum;
    for (const ThreadCost &each : subagents)
        addTo(sum, each);
    return sum;
}

ThreadCost CostByThread::ofAll() const
{
    ThreadCost sum = ofSubagents();
    addTo(sum, own);
    for (const ThreadCost &each : others)
        addTo(sum, each);
    return sum;
}

std::string CostByThread::words() const
{
    ThreadCost both = ofSubagents();
    addTo(both, own);
    std::string text = subagents.empty() || !both.known()
        ? std::string()
        : formatted("{} with its {}", dollars(both.recorded), counted(subagents.size(), "subagent"));
    if (subagentsNotInFile > 0)
        text += (text.empty() ? "" : ", ") + counted(subagentsNotInFile, "subagent") + " not in the file";
    return text;
}

std::vector<std::string> CostByThread::lines(const Session &session) const
{
    constexpr size_t kMost = 12;
    std::vector<std::string> lines;
    if (subagents.empty() && others.empty() && subagentsNotInFile == 0)
        return lines;
    lines.push_back("this thread: " + own.words());
    ThreadCost rest;
    for (size_t i = 0; i < subagents.size(); ++i) {
        if (i < kMost || subagents.size() == kMost + 1)
            lines.push_back(formatted("subagent {}, {}: {}", subagents[i].thread.value(),
                nameOf(session.thread(subagents[i].thread)), subagents[i].words()));
        else
            addTo(rest, subagents[i]);
    }
    if (rest.calls > 0)
        lines.push_back(counted(subagents.size() - kMost, "more subagent") + ": " + rest.words());
    for (const ThreadCost &each : others)
        lines.push_back(formatted("thread {}: {}", each.thread.value(), each.words()));
    if (!subagents.empty() || !others.empty())
        lines.push_back(formatted("all {} threads: {}", 1 + subagents.size() + others.size(), ofAll().words()));
    if (subagentsNotInFile > 0)
        lines.push_back(counted(subagentsNotInFile, "subagent")
            + (subagentsNotInFile == 1 ? " is not in the file: its" : " are not in the file: their")
            + " cost is not known");
    return lines;
}

CostByThread costByThread(const Session &session, ThreadIndex thread, const SessionCost &cost)
{
    std::vector<ThreadCost> all(session.threads.size());
    for (const CallCost &call : cost.calls) {
        ThreadCost &each = all[call.position.thread.index()];
        each.recorded += call.recorded.value_or(0);
        each.unpricedCalls += call.recorded ? 0 : 1;
        ++each.calls;
    }
    CostByThread made;
    for (size_t i = 0; i < all.size(); ++i) {
        all[i].thread = ThreadIndex(i);
        if (i == thread.index())
            made.own = all[i];
        else if (all[i].calls > 0)
            (isStartedFrom(session, ThreadIndex(i), thread) ? made.subagents : made.others).push_back(all[i]);
    }
    made.subagentsNotInFile = startedElsewhere(session, thread);
    return made;
}

std::vector<RunCall> recordedRun(
    const Session &session, ThreadIndex thread, const RecordedCache &cache, const Prices &prices)
{
    std::vector<RunCall> run;
    forEachRecorded(session, cache, prices,
        [&](Position position, const Call &call, const RecordedCacheCall *cached, std::string_view,
            const std::optional<Price> &price) {
            if (position.thread != thread)
                return;
            RunCall &each = run.emplace_back();
            each.call = position.call;
            each.tokens = recordedTokens(call, cached);
            each.price = price;
            each.cause = cached != nullptr ? cached->found : CacheCause::None;
            if (!isOfCompaction(each.cause))
                each.fresh = std::max(0.0, each.tokens.prompt() - (cached != nullptr ? cached->predicted.left : 0));
        });
    return run;
}

std::string dollars(double amount)
{
    const double size = std::abs(amount);
    const std::string_view sign = amount < 0 ? "\u2212" : "";
    if (size >= 0.01 || size == 0)
        return formatted("{}${:.2f}", sign, size);
    return formatted("{}${:.{}f}", sign, size, 2 - static_cast<int>(std::floor(std::log10(size))));
}

} // namespace core
