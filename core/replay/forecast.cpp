// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/forecast.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/compaction/policy.h"

#include <algorithm>
#include <cmath>

namespace core {

namespace {

constexpr size_t kMeasured = 8; ///< calls
constexpr size_t kFewest = 2;   ///< growths
constexpr double kFarthest = 200;

bool writesAnew(const RecordedCompaction &each) { return each.kind != CompactionKind::Clearing; }

/// The size of the context before the last automatic compaction; 0 if there was none, or if it is not recorded.
double lastCompactedAt(const Thread &thread)
{
    double at = 0;
    for (const RecordedCompaction &each : thread.compactions) {
        if (each.trigger != "auto" || !writesAnew(each))
            continue;
        if (each.beforeTokens)
            at = static_cast<double>(*each.beforeTokens);
        else if (each.call.isValid() && each.call.index() < thread.calls.size())
            at = thread.calls[each.call.index()].prompt().value_or(at);
    }
    return at;
}

/// Where Claude Code compacts if its settings are the usual ones; 0 for another harness, and for a window that leaves
/// no room.
double harnessLimit(const Session &session, double window)
{
    const std::vector<PolicyPtr> own
        = session.traits->preset == "claude-code" ? ownPresets(session) : std::vector<PolicyPtr>();
    const double limit = own.empty() ? 0 : own.front()->trigger.measures.front().tokensIn(window);
    return limit > window / 2 ? limit : 0;
}

std::string roundText(double value) { return groupedNumber(static_cast<uint64_t>(std::llround(value))); }

} // namespace

std::string Forecast::words() const
{
    if (limit == Limit::Window)
        return calls == 0 ? "the context window is full at the next call"
                          : "the context window is full in about " + counted(calls, "call");
    return calls == 0 ? "would compact at the next call" : "would compact in about " + counted(calls, "call");
}

std::string Forecast::reason() const
{
    std::string growth = "Estimated: the context grew by " + roundText(perCall) + " " + unit + " a call in the last "
        + counted(measured, "call") + ".";
    switch (limit) {
    case Limit::Policy:
        return growth + " The policy acts at " + roundText(at) + " " + unit + ", as it counts them.";
    case Limit::LastCompaction:
        return growth + " The last automatic compaction came at " + roundText(at) + " " + unit + ".";
    case Limit::Harness:
        return growth + " Claude Code compacts at " + roundText(at) + " " + unit + ".";
    case Limit::Window:
        return growth + " The model's window is " + roundText(at) + " " + unit + ".";
    }
    return growth;
}

std::optional<Forecast> forecast(std::span<const double> sizes, double limit)
{
    if (limit <= 0 || sizes.size() < kFewest + 2)
        return std::nullopt;
    // The newest array may still grow before it is sent, so the growth is that of the calls.
    const auto calls = sizes.first(sizes.size() - 1);
    Forecast result;
    result.at = limit;
    result.unit = "tokens";
    result.measured = std::min(kMeasured, calls.size() - 1);
    const double now = sizes.back();
    result.perCall = (calls.back() - calls[calls.size() - 1 - result.measured]) / static_cast<double>(result.measured);
    if (now >= limit)
        return result;
    if (result.perCall <= 0 || (limit - now) / result.perCall > kFarthest)
        return std::nullopt;
    result.calls = static_cast<size_t>(std::ceil((limit - now) / result.perCall));
    return result;
}

ContextLimit contextLimit(const Session &session, ThreadIndex thread, double window)
{
    if (const double at = lastCompactedAt(session.thread(thread)); at > 0)
        return { at, Forecast::Limit::LastCompaction };
    if (const double at = harnessLimit(session, window); at > 0)
        return { at, Forecast::Limit::Harness };
    return { window, Forecast::Limit::Window };
}

size_t startOfArray(const Thread &thread)
{
    size_t start = 0;
    for (const RecordedCompaction &each : thread.compactions) {
        if (writesAnew(each) && each.call.isValid())
            start = std::max(start, each.call.index() + 1);
    }
    return start;
}

std::optional<Forecast> recordedForecast(const Session &session, ThreadIndex thread, const ArraySums &sums)
{
    std::vector<double> sizes;
    for (size_t i = startOfArray(session.thread(thread)); i < sums.calls.size(); ++i)
        sizes.push_back(sums.calls[i].value());
    sizes.push_back(sums.end.value());
    const ContextLimit limit = contextLimit(session, thread, static_cast<double>(session.windowTokens.value_or(0)));
    auto result = forecast(sizes, limit.tokens);
    if (result)
        result->limit = limit.limit;
    return result;
}

std::optional<Forecast> policyForecast(const Replay &replay)
{
    const std::vector<ReplayStep> &steps = replay.steps;
    if (steps.empty())
        return std::nullopt;
    const ReplayStep &next = steps.back(); // what the next call would be sent
    const TriggerVerdict &now = next.decision;
    if (now.isReached && !next.hasFired)
        return std::nullopt; // there is nothing to do
    size_t start = 0;
    for (size_t i = 0; i + 1 < steps.size(); ++i) {
        if (steps[i].hasFired)
            start = i + 1; // the verdict of the call itself is of the array before
    }
    std::optional<Forecast> result;
    for (size_t i = 0; i < now.readings.size(); ++i) {
        std::vector<double> sizes;
        for (const ReplayStep &step : std::span(steps).subspan(start)) {
            if (i < step.decision.readings.size())
                sizes.push_back(step.decision.readings[i].value);
        }
        auto each = forecast(sizes, now.readings[i].threshold);
        const bool isAll = now.joining == Trigger::Joining::All;
        if (!each && isAll)
            return std::nullopt; // one of the conditions may never be met
        if (!each || (result && (each->calls < result->calls) == isAll))
            continue;
        each->limit = Forecast::Limit::Policy;
        each->unit = unitWord(now.readings[i].unit);
        result = std::move(each);
    }
    if (result && next.hasFired)
        result->calls = 0;
    return result;
}

} // namespace core
