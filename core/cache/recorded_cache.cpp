// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/recorded_cache.h"

#include "core/cache/recorded_requests.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace core {

namespace {

constexpr double kAgreement = 0.05;     ///< as a share of the prompt
constexpr double kPreludeSpread = 0.02; ///< as a share of the prompt: spread of reads that end at the system prompt
constexpr Timestamp kEvictionBegins = 5 * kMinute; ///< OpenAI keeps entries in memory for 5 to 10 minutes of idling

bool isClose(double a, double b, double prompt) { return std::abs(a - b) <= kAgreement * prompt; }

double promptOf(const Usage &usage) { return static_cast<double>(usage.prompt()); }

/// The length of system prompt and tools, derived from recorded reads. A read that ended before the entry of the call
/// before ended at their mark, rarely at the mark of the tools alone. Every prompt of the thread starts with them. So
/// the length is the longest such read that is shorter than all prompts.
class Preludes final {
public:
    [[nodiscard]] double of(const RecordedRequest &request) const
    {
        const auto own = m_ofThread.find(request.position.thread);
        if (own != m_ofThread.end() && own->second.tokens() > 0)
            return own->second.tokens();
        const auto alike = m_ofKind.find({ request.kind, request.call.model });
        return alike == m_ofKind.end() ? 0 : alike->second;
    }

    /// `read` is such a read, or 0.
    void learn(const RecordedRequest &request, double read)
    {
        Found &own = m_ofThread[request.position.thread];
        own.shortestPrompt = std::min(own.shortestPrompt, request.call.end.tokens);
        if (read <= 0)
            return;
        own.reads.insert(read);
        if (own.tokens() > 0)
            m_ofKind[{ request.kind, request.call.model }] = own.tokens();
    }

private:
    struct Found {
        std::set<double> reads;
        double shortestPrompt = std::numeric_limits<double>::infinity();

        [[nodiscard]] double tokens() const
        {
            const auto above = reads.lower_bound(shortestPrompt);
            return above == reads.begin() ? 0 : *std::prev(above);
        }
    };

    std::map<ThreadIndex, Found> m_ofThread;
    std::map<std::pair<ThreadKind, uint32_t>, double> m_ofKind;
};

/// Whether usage would show this reading. OpenAI's usage does not report cache writes.
bool wouldShow(const CacheReading &reading, CacheKind kind)
{
    return reading.read > 0 || (kind == CacheKind::Marks && reading.written > 0);
}

/// One pass over the recorded requests.
class Comparison final {
public:
    explicit Comparison(CacheRules rules, Preludes preludes = {})
        : m_model(rules)
        , m_preludes(std::move(preludes))
    {
    }

    [[nodiscard]] const Preludes &preludes() const { return m_preludes; }

    RecordedCacheCall compare(RecordedRequest request)
    {
        request.call.prelude = std::min(m_preludes.of(request), request.call.end.tokens);
        request.settleShared();
        RecordedCacheCall compared;
        compared.position = request.position;
        compared.sent = request.call.sent;
        compared.usage = request.usage;
        compared.writes = request.writes;
        compared.lifetime = request.call.lifetime;
        compared.options = request.call.options;
        compared.predicted = m_model.add(request.call);
        compared.found = foundCause(request, compared);
        const auto read = static_cast<double>(request.usage.cacheRead);
        if (m_model.rules().kind == CacheKind::Marks && !compared.isRight() && read < compared.predicted.read)
            m_model.learn(read);
        m_prompts.push_back(request.call.end.tokens);
        learn(request, compared);
        return compared;
    }

private:
    void learn(const RecordedRequest &request, const RecordedCacheCall &compared)
    {
        const auto read = static_cast<double>(request.usage.cacheRead);
        const bool isPart = request.call.change == CacheCause::FirstCall
            || read + kPreludeSpread * request.call.end.tokens < compared.predicted.left;
        const bool isPrelude = isPart && read >= m_model.rules().minimum && !isOlderPrompt(read);
        if (m_model.rules().kind == CacheKind::Marks)
            m_preludes.learn(request, isPrelude ? read : 0);
    }

    [[nodiscard]] bool isOlderPrompt(double read) const
    {
        const double slack = 2 * std::max(64.0, m_model.rules().step);
        return std::ranges::any_of(m_prompts, [&](double prompt) { return std::abs(prompt - read) <= slack; });
    }

    [[nodiscard]] CacheCause foundCause(const RecordedRequest &request, const RecordedCacheCall &compared) const
    {
        const double prompt = request.call.end.tokens;
        const auto read = static_cast<double>(request.usage.cacheRead);
        const CacheReading &predicted = compared.predicted;
        const bool isHit
            = request.call.base != CacheCall::kNone && isClose(read, std::min(predicted.left, prompt), prompt);
        if (isHit)
            return compared.isRight() ? CacheCause::None : CacheCause::Kept;
        // Another session may keep system prompt and tools in the cache; the messages behind them are lost all the
        // same.
        const bool isPreludeAlone
            = predicted.cause != CacheCause::FirstCall && read <= request.call.prelude + kPreludeSpread * prompt;
        if (predicted.cause != CacheCause::None && (compared.isRight() || read <= predicted.read || isPreludeAlone))
            return predicted.cause;
        if (read > predicted.read)
            return CacheCause::Others;
        if (request.isShorter)
            return CacheCause::Unlogged;
        if (isOlderPrompt(read))
            return CacheCause::OlderEntry;
        if (m_model.rules().kind != CacheKind::Marks)
            return predicted.idle.value_or(0) > kEvictionBegins ? CacheCause::Idle : CacheCause::Unknown;
        if (read > request.call.prelude + kPreludeSpread * prompt)
            return CacheCause::OlderEntry;
        if (request.call.prelude > 0 && read + kPreludeSpread * prompt > request.call.prelude)
            return CacheCause::Unlogged;
        return read > 0 ? CacheCause::Prelude : CacheCause::Unknown;
    }

    CacheModel m_model;
    Preludes m_preludes;
    std::vector<double> m_prompts;
};

} // namespace

bool RecordedCacheCall::isRight() const
{
    return isClose(predicted.read, static_cast<double>(usage.cacheRead), promptOf(usage));
}

RecordedCache recordedCache(const Session &session, const BlockTokens &tokens, PreludeSource source)
{
    RecordedCache result;
    const std::optional<CacheRules> rules = rulesOf(session);
    if (rules)
        result.rule = rules->sentence;
    const CacheRules known = rules.value_or(CacheRules());
    const RecordedRequests requests(session, tokens, known);
    result.hasFigures = requests.hasCacheFigures();
    if (!rules)
        return result;
    const auto run = [&](Comparison &comparison, std::vector<RecordedCacheCall> &calls) {
        RecordedRequests left = requests;
        while (std::optional<RecordedRequest> request = left.next()) {
            if (!result.hasFigures) // otherwise usage shows how many tokens are behind the mark
                request->call.marks = { request->call.end };
            calls.push_back(comparison.compare(std::move(*request)));
        }
    };
    Comparison first(known);
    run(first, result.calls);
    if (!result.hasFigures) {
        result.isWithoutCache = std::ranges::any_of(
            result.calls, [&](const RecordedCacheCall &call) { return wouldShow(call.predicted, known.kind); });
        result.calls.clear();
        return result;
    }
    if (source == PreludeSource::CallsBefore)
        return result;
    result.calls.clear();
    Comparison second(known, first.preludes());
    run(second, result.calls);
    return result;
}

} // namespace core
