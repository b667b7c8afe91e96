// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/cache_band.h"

#include "core/base/counted.h"
#include "core/base/format.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

std::string moneyText(const core::RecordedFigures &figures)
{
    std::string text = figures.bill.isKnown() ? core::recordedMoney(figures) : std::string();
    if (const std::string subagents = figures.byThread.words(); figures.bill.isKnown() && !subagents.empty())
        text += " · " + subagents;
    const size_t unpriced = figures.run.unpricedCalls;
    if (unpriced == 0)
        return text;
    if (figures.bill.isKnown())
        return text + ", " + core::counted(unpriced, "call") + " without a known price";
    return "no known price for " + figures.sessionCost.unpricedNames();
}

/// ` (4.2 % less)`: beside the recorded calls of the same thread, by the same rules; empty if they have no cost.
std::string besideRecorded(const core::PolicyFigures &figures)
{
    const double difference = figures.difference ? figures.difference->total() : 0;
    const double recorded = figures.cost.parts.total() - difference;
    const double share = recorded > 0 ? 100 * difference / recorded : 0;
    constexpr double kLeast = 0.05; ///< shown as 0.1 %
    return std::abs(share) < kLeast ? std::string()
                                    : core::formatted(" ({:.1f} % {})", std::abs(share), share < 0 ? "less" : "more");
}

/// `broken 5 times`, `broken once`; empty if it never was.
std::string brokenText(size_t times)
{
    return times == 0 ? std::string() : "broken " + (times == 1 ? "once" : core::groupedNumber(times) + " times");
}

/// `97.5 % read from the cache, broken 40 times (by usage 94.6 %, broken 62 times)`.
std::string computedReading(const core::ReplayCost &computed, double byUsage, size_t missesByUsage)
{
    const auto broken = static_cast<size_t>(std::ranges::count_if(
        computed.calls, [](const core::ReplayCallCost &call) { return core::breaksCache(call.cache.cause); }));
    const auto with
        = [](const std::string &text, size_t times) { return times == 0 ? text : text + ", " + brokenText(times); };
    return with(core::formatted("{:.1f} % read from the cache", 100 * computed.hitShare()), broken) + " (by usage "
        + with(core::formatted("{:.1f} %", 100 * byUsage), missesByUsage) + ")";
}

} // namespace

CacheBand::CacheBand(const core::RecordedFigures &figures)
{
    const core::ReplayGround &ground = *figures.ground;
    if (!figures.cache.hasFigures || figures.cache.rule.empty())
        return;
    m_calls.resize(ground.callCount());
    for (const core::RecordedCacheCall &call : figures.cache.calls) {
        if (call.position.thread != ground.log.thread)
            continue;
        CachedCall &cached = m_calls[call.position.call.index()];
        cached.prompt = static_cast<double>(call.usage.prompt());
        cached.read = static_cast<double>(call.usage.cacheRead);
        cached.cause = call.found;
        cached.idle = call.predicted.idle;
    }
    for (const core::CallCost &cost : figures.sessionCost.calls) {
        if (cost.position.thread == ground.log.thread)
            m_calls[cost.position.call.index()].cost = cost.recorded;
    }
    m_money = moneyText(figures);
    addUp();
    if (isEmpty() || figures.computed.rule.empty())
        return;
    m_comparedReading = computedReading(figures.computed, readShare(), m_misses.size());
    if (figures.bill.isKnown() && figures.run.unpricedCalls == 0)
        m_comparedMoney = core::computedMoney(figures);
}

CacheBand::CacheBand(const core::PolicyFigures &figures)
{
    const core::ReplayCost &cost = figures.cost;
    if (cost.rule.empty())
        return;
    m_calls.reserve(cost.calls.size());
    for (const core::ReplayCallCost &call : cost.calls) {
        const double prompt = call.cache.read + call.cache.written + call.cache.uncached;
        m_calls.push_back({ prompt, call.cache.read, call.cache.cause, call.cache.idle, call.cost });
    }
    if (cost.isPriced())
        m_money = '~' + core::dollars(cost.parts.total()) + besideRecorded(figures);
    if (cost.unpricedCalls > 0)
        m_money += cost.isPriced() ? ", " + core::counted(cost.unpricedCalls, "call") + " without a known price"
                                   : std::string("price unknown");
    addUp();
}

void CacheBand::addUp()
{
    m_prompts.assign(1, 0.0);
    m_reads.assign(1, 0.0);
    for (size_t i = 0; i < m_calls.size(); ++i) {
        m_prompts.push_back(m_prompts.back() + m_calls[i].prompt);
        m_reads.push_back(m_reads.back() + m_calls[i].read);
        if (m_calls[i].isMiss())
            m_misses.push_back(i);
    }
    if (m_prompts.back() <= 0)
        *this = {};
}

const CachedCall *CacheBand::at(size_t column) const
{
    return column < m_calls.size() && m_calls[column].prompt > 0 ? &m_calls[column] : nullptr;
}

double CacheBand::readShare() const { return isEmpty() ? 0 : m_reads.back() / m_prompts.back(); }

std::string CacheBand::reading() const
{
    std::string share = core::formatted("{:.1f} % read from the cache", 100 * readShare());
    return m_misses.empty() ? share : share + ", " + brokenText(m_misses.size());
}

std::vector<CachePiece> CacheBand::pieces(const TimelineLayout &layout) const
{
    std::vector<CachePiece> pieces;
    if (isEmpty())
        return pieces;
    const TimelineLayout::Plot &plot = layout.plot();
    const size_t count = m_calls.size();
    const double from = std::max(0.0, std::floor(layout.placeAt(plot.left)));
    const double to = std::ceil(layout.placeAt(plot.right));
    for (size_t first = static_cast<size_t>(from); first < count && static_cast<double>(first) < to;) {
        size_t last = first + 1;
        if (layout.columnWidth() < 1) {
            // All columns that begin in this pixel.
            const double edge = std::floor(layout.xAt(static_cast<double>(first))) + 1;
            last = std::max(last, static_cast<size_t>(std::ceil(std::max(0.0, layout.placeAt(edge)))));
            last = std::min(last, count);
        }
        const double prompt = m_prompts[last] - m_prompts[first];
        const auto miss = std::ranges::lower_bound(m_misses, first);
        if (prompt > 0)
            pieces.push_back({ std::clamp(layout.xAt(static_cast<double>(first)), plot.left, plot.right),
                std::clamp(layout.xAt(static_cast<double>(last)), plot.left, plot.right),
                (m_reads[last] - m_reads[first]) / prompt, miss != m_misses.end() && *miss < last });
        first = last;
    }
    return pieces;
}

std::optional<size_t> CacheRows::bandAt(double y) const
{
    if (bands == 0 || y < top || y >= top + heightOf(bands))
        return std::nullopt;
    return std::min(bands, static_cast<size_t>((y - top) / kRow));
}

} // namespace ui
