// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/base/counted.h"
#include "core/cache/recorded_requests.h"
#include "core/findings/finding_ground.h"
#include "core/findings/kinds.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace core {

namespace {

constexpr double kLeast = 5'000; ///< tokens that were sent again

/// What happened before the cache broke, and what would have kept it.
struct Words {
    std::string_view after;
    std::string_view help;
};

/// What changed in the options of a request, `changed` being the bits that differ.
Words wordsOfOptions(uint32_t changed)
{
    if ((changed & kSkillRuns) != 0)
        return { "because a skill began or ended: Claude Code turns thinking off while one runs", "" };
    if ((changed & kFetchedWhole) != 0)
        return { "because a streamed response failed and the harness asked for it again without streaming", "" };
    if (changed >= kThinkingLevel)
        return { "because the thinking level changed", "keep the thinking level as it is" };
    return { "because request options changed", "" };
}

Words wordsOf(CacheCause cause)
{
    switch (cause) {
    case CacheCause::Idle:
        return { "after a pause that was longer than the lifetime of its entries", "" };
    case CacheCause::Compaction:
        return { "at a compaction", "" };
    case CacheCause::Clearing:
        return { "at a clearing of old results", "clear less often, and more at once" };
    case CacheCause::Rewind:
        return { "after a rewind", "" };
    case CacheCause::NewTurn:
        return { "at a new message, because earlier thinking was dropped", "" };
    case CacheCause::ModelChange:
        return { "at a change of the model", "stay with one model" };
    case CacheCause::Prelude:
        return { "because the system prompt or the tools changed", "keep the system prompt and the tools unchanged" };
    case CacheCause::BelowMinimum:
        return { "because the prompt was too short to be cached", "" };
    case CacheCause::Lookback:
        return { "because the call added more blocks than the provider searches for a cache entry",
            "set cache marks closer together" };
    case CacheCause::Parallel:
        return { "because requests ran at the same time", "" };
    case CacheCause::Unlogged:
        return { "because something earlier in the prompt changed without a record", "" };
    case CacheCause::OlderEntry:
        return { "because the provider found only an older entry", "" };
    default:
        return { "for no reason that the log shows", "" };
    }
}

/// What a lifetime of one hour would have changed in dollars: it keeps the cache over shorter waits, and its writes
/// cost more. nullopt if the session's writes have no such price.
std::optional<double> oneHourDifference(const FindingGround &ground)
{
    double difference = 0;
    bool isPossible = false;
    std::map<uint32_t, Timestamp> waits;
    for (const RecordedCacheCall &call : ground.whole.cache.calls) {
        if (call.position.thread == ground.threadIndex && call.found == CacheCause::Idle && call.predicted.idle)
            waits[call.position.call.value()] = *call.predicted.idle;
    }
    for (const RunCall &call : ground.run) {
        if (!call.price || call.price->cacheWrite1h <= call.price->cacheWrite5m || call.tokens.cacheWrite1h > 0)
            continue;
        isPossible = isPossible || call.tokens.cacheWrite5m > 0;
        const auto wait = waits.find(call.call.value());
        const bool isSaved = wait != waits.end() && wait->second < kOneHour;
        const double saved = isSaved ? std::min(call.rewritten(), call.tokens.cacheWrite5m) : 0;
        difference -= saved * (call.price->cacheWrite5m - call.price->cacheRead) / kMillion;
        difference
            += (call.tokens.cacheWrite5m - saved) * (call.price->cacheWrite1h - call.price->cacheWrite5m) / kMillion;
    }
    return isPossible ? std::optional(difference) : std::nullopt;
}

void findCacheBreaks(const FindingGround &ground, std::vector<Finding> &findings)
{
    std::map<uint32_t, CacheCause> causes;
    std::map<uint32_t, uint32_t> changedOptions;
    uint32_t options = 0;
    for (const RecordedCacheCall &call : ground.whole.cache.calls) {
        if (call.position.thread != ground.threadIndex)
            continue;
        if (breaksCache(call.found))
            causes[call.position.call.value()] = call.found;
        changedOptions[call.position.call.value()] = std::exchange(options, call.options) ^ call.options;
    }
    for (const SilentClearing &clearing : ground.sums->clearings) {
        const auto at = causes.find(clearing.from);
        if (at != causes.end() && at->second == CacheCause::Unknown)
            at->second = CacheCause::Unlogged;
    }
    struct Breaks {
        std::string_view help;
        std::vector<const RunCall *> calls;
    };
    std::map<std::pair<CacheCause, std::string_view>, Breaks> breaks; // by what happened before
    for (const RunCall &call : ground.run) {
        const auto cause = causes.find(call.call.value());
        if (cause == causes.end())
            continue;
        const bool isOfOptions = cause->second == CacheCause::Options;
        const Words words = isOfOptions ? wordsOfOptions(changedOptions[call.call.value()]) : wordsOf(cause->second);
        Breaks &same = breaks[{ cause->second, words.after }];
        same.help = words.help;
        same.calls.push_back(&call);
    }
    for (auto &[kind, same] : breaks) {
        const auto &[cause, after] = kind;
        std::vector<const RunCall *> &calls = same.calls;
        double tokens = 0;
        double money = 0;
        for (const RunCall *call : calls) {
            tokens += call->rewritten();
            money += call->rewritingCost();
        }
        if (tokens < kLeast)
            continue;
        Finding &made = findings.emplace_back();
        // A compaction writes the cache anew; nothing could have kept it.
        made.rank = cause == CacheCause::Compaction ? FindingRank::Note : FindingRank::Costs;
        made.count = calls.size();
        made.what = (calls.size() == 1 ? std::string("The cache broke once ")
                                       : "The cache broke " + counted(calls.size(), "time") + " ")
            + std::string(after);
        made.help = same.help;
        std::ranges::stable_sort(calls, std::ranges::greater(), &RunCall::rewritten);
        for (const RunCall *call : calls)
            made.link(FindingLink::Target::Call, call->call.value());
        std::ranges::sort(made.links, {}, &FindingLink::number);
        made.tokens = TokenFigure { tokens, Basis::Exact, 0 };
        if (ground.hasMoney())
            made.money = money;
        if (cause == CacheCause::Idle) {
            const auto difference = oneHourDifference(ground);
            if (difference && *difference < 0)
                made.help = "a cache lifetime of one hour (saves " + dollars(-*difference) + ")";
        }
    }
}

} // namespace

const FindingKind kCacheBreaks { "cache-breaks", "prompts that the cache no longer held, by cause", "cache break*",
    findCacheBreaks };

} // namespace core
