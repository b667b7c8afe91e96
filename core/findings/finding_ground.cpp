// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/findings/finding_ground.h"

#include "core/session/slot_label.h"

#include <algorithm>

namespace core {

void Finding::link(FindingLink::Target target, uint32_t number, BlockId block)
{
    if (links.size() < kMostLinks)
        links.push_back({ target, number, block });
    else
        ++moreLinks;
}

std::vector<CallPrice> callPrices(std::span<const RunCall> run, const RecordedCache &cache, uint32_t callCount)
{
    std::vector<CallPrice> prices(callCount);
    const bool isCached = cache.hasFigures && !cache.isWithoutCache;
    for (const RunCall &call : run) {
        if (call.price) {
            const double read = (isCached ? call.price->cacheRead : call.price->input) / kMillion;
            const bool isRewritten = call.cause == CacheCause::Compaction || call.cause == CacheCause::Clearing;
            prices[call.call.index()] = { read, isRewritten ? read : entryPrice(call.tokens, *call.price) / kMillion };
        }
    }
    return prices;
}

FindingGround::FindingGround(const SessionGround &shared, ThreadIndex thread, Uses found)
    : whole(shared)
    , threadIndex(thread)
    , sums((*shared.sums)[thread.index()])
    , unlogged(unloggedStretches(shared.session->thread(thread), *sums))
    , spans(recordedSpans(shared.session, thread, sums.get()))
    , uses(std::move(found))
    , places(shared.session->blocks.size(), kNone)
    , bases(editBases(shared.edits, thread, uses, spans))
    , run(recordedRun(*shared.session, thread, shared.cache, shared.prices))
    , prices(callPrices(run, shared.cache, spans.callCount))
{
    for (uint32_t i = 0; i < uses.log.size(); ++i)
        places[uses.log[i].index()] = i;
    readSums.push_back(0);
    for (const CallPrice &price : prices)
        readSums.push_back(readSums.back() + price.read);
}

std::span<const ContextSpan> FindingGround::spansOf(BlockId block) const
{
    const auto found = std::ranges::equal_range(spans.spans, block, {}, &ContextSpan::block);
    return { found.begin(), found.end() };
}

std::vector<ContextSpan> FindingGround::sentSpans(BlockId block, uint32_t from) const
{
    std::vector<ContextSpan> sent;
    for (ContextSpan span : spansOf(block)) {
        span.from = std::max(span.from, from);
        span.to = std::min(span.to, callCount());
        for (const UnsureSpan &unsure : std::ranges::equal_range(spans.unsure, block, {}, &UnsureSpan::block)) {
            if (unsure.to <= span.from || unsure.from >= span.to)
                continue;
            if (unsure.from > span.from)
                sent.push_back({ block, span.from, unsure.from });
            span.from = std::min(unsure.to, span.to);
        }
        if (span.from < span.to)
            sent.push_back(span);
    }
    return sent;
}

bool FindingGround::isSent(BlockId block, uint32_t call) const
{
    return std::ranges::any_of(
        sentSpans(block, call), [&](const ContextSpan &span) { return span.from <= call && call < span.to; });
}

double FindingGround::tokensOf(const ContextSpan &span) const
{
    return whole.tokens->of(span.block) * (span.to - span.from);
}

double FindingGround::moneyOf(const ContextSpan &span) const
{
    double perToken = readSums[span.to] - readSums[span.from];
    const std::span<const ContextSpan> all = spansOf(span.block);
    if (!all.empty() && all.front().from == span.from && span.to > span.from)
        perToken += prices[span.from].entry - prices[span.from].read;
    return whole.tokens->of(span.block) * perToken;
}

void FindingGround::weigh(Finding &finding) const
{
    std::ranges::sort(finding.spans, {}, [](const ContextSpan &span) { return std::pair(span.block, span.from); });
    double tokens = 0;
    double money = 0;
    for (const ContextSpan &span : finding.spans) {
        tokens += tokensOf(span);
        money += moneyOf(span);
    }
    finding.tokens = figure(tokens);
    if (hasMoney())
        finding.money = money;
}

std::string FindingGround::nameOf(BlockId id) const
{
    const Block &block = session().block(id);
    const std::string_view subject = session().string(block.subject);
    if (subject.empty() || subject.contains(' ') || subject.contains('\n')) {
        const SlotLabel label = labelOf(session(), block);
        return label.subject.empty() ? label.text() : label.subject;
    }
    const size_t slash = subject.find_last_of("/\\");
    return std::string(
        slash == std::string_view::npos || slash + 1 == subject.size() ? subject : subject.substr(slash + 1));
}

TokenFigure FindingGround::figure(double value) const { return { value, Basis::Estimated, 0 }; }

} // namespace core
