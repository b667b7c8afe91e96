// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_model.h"

#include "core/cache/cache_walk.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <span>

namespace core {

std::string_view nameOf(CacheCause cause)
{
    static constexpr auto kNames = std::to_array<std::string_view>({ "none", "first call", "idle", "compaction",
        "clearing", "rewind", "new turn", "model", "system or tools", "options", "below minimum", "lookback",
        "parallel", "kept", "unlogged", "older entry", "others", "unknown" });
    static_assert(kNames.size() == static_cast<size_t>(CacheCause::Unknown) + 1);
    return kNames[static_cast<size_t>(cause)];
}

bool breaksCache(CacheCause cause)
{
    return cause != CacheCause::None && cause != CacheCause::FirstCall && cause != CacheCause::Kept
        && cause != CacheCause::Others;
}

CacheMarks cacheMarks(const CacheRules &rules, const CacheCall &call)
{
    CacheMarks marks;
    if (call.prelude > 0)
        marks.push_back({ call.prelude, 0 });
    for (const CacheMark &mark : call.marks)
        marks.push_back(mark);
    if (rules.kind != CacheKind::Marks)
        marks.push_back(call.end);
    marks.eraseIf([&](const CacheMark &mark) { return mark.tokens < rules.minimum; });
    return marks;
}

double cachewalk::readableOf(
    const CacheRules &rules, const CacheEntry &entry, const CacheCall &call, const CacheMarks &marks, double common)
{
    if (cachewalk::between(entry.readable, call.sent) < 0)
        return 0; // sent in parallel
    if (rules.kind == CacheKind::Steps) {
        const double whole = wholeSteps(rules, std::min({ common, entry.end.tokens, call.end.tokens }));
        return whole < rules.minimum ? 0 : whole;
    }
    double best = 0;
    for (const CacheMark &written : entry.marks) {
        const bool isFound = std::ranges::any_of(marks, [&](const CacheMark &mark) {
            return mark.tokens + kSlack >= written.tokens && mark.blocks >= written.blocks
                && (rules.lookback == 0 || mark.blocks - written.blocks <= rules.lookback);
        });
        if (isFound && written.tokens <= common + kSlack)
            best = std::max(best, std::min(written.tokens, call.end.tokens));
    }
    return best;
}

bool cachewalk::isBehindLookback(const CacheRules &rules, const CacheEntry &earlier, const CacheMarks &marks)
{
    if (rules.kind != CacheKind::Marks || rules.lookback == 0)
        return false;
    constexpr auto kSlackBlocks = static_cast<uint32_t>(kSlack); // as blocks of one token each
    const uint32_t reached = earlier.end.blocks + rules.lookback + kSlackBlocks;
    return std::ranges::all_of(marks, [&](const CacheMark &mark) { return mark.blocks == 0 || mark.blocks > reached; });
}

namespace {

/// The entry of a request that continues `base`, which may be nullptr.
CacheEntry entryOf(const CacheRules &rules, const CacheCall &call, const CacheMarks &marks, const CacheEntry *base)
{
    const Timestamp lifetime = cacheLifetime(rules, call.lifetime);
    CacheEntry entry { .sent = call.sent,
        .readable = call.responding ? call.responding : call.sent,
        .lifetime = lifetime,
        .preludeLifetime = std::max(lifetime, call.preludeLifetime + rules.grace),
        .model = call.model,
        .options = call.options,
        .end = call.end,
        .base = call.base,
        .shared = call.shared,
        .marks = marks,
        .least = base != nullptr ? base->least : std::numeric_limits<double>::infinity(),
        .prelude = base != nullptr ? base->prelude : 0 };
    const bool hasPrelude = call.prelude > 0 && call.prelude >= rules.minimum;
    if (hasPrelude)
        entry.prelude = std::max(entry.prelude, call.prelude);
    for (const CacheMark &mark : std::span(marks.begin(), marks.end()).subspan(hasPrelude ? 1 : 0))
        entry.least = std::min(entry.least, mark.tokens);
    return entry;
}

} // namespace

CacheCause CacheModel::causeOf(const CacheCall &call, double read) const
{
    if (call.base == CacheCall::kNone)
        return call.change == CacheCause::None ? CacheCause::FirstCall : call.change;
    const CacheEntry &before = m_calls[call.base];
    const double left = before.marks.empty() ? 0 : before.marks.back().tokens;
    if (read + cachewalk::kSlack + m_rules.step >= left)
        return left == 0 ? CacheCause::BelowMinimum : CacheCause::None;
    if (before.model != call.model)
        return CacheCause::ModelChange;
    // What the log does not hold may have happened at any time: by then the entry was gone already.
    const bool isOver = cachewalk::between(before.readable, call.sent) > before.lifetime;
    if (call.change != CacheCause::None && (call.change != CacheCause::Unlogged || !isOver))
        return call.change;
    if (isOver)
        return CacheCause::Idle;
    if (before.options != call.options)
        return CacheCause::Options;
    if (cachewalk::between(before.readable, call.sent) < 0)
        return CacheCause::Parallel;
    return m_rules.lookback > 0 ? CacheCause::Lookback : CacheCause::Unknown;
}

CacheReading CacheModel::add(const CacheCall &call)
{
    assert(call.base == CacheCall::kNone || call.base < m_calls.size());
    const CacheMarks marks = cacheMarks(m_rules, call);
    const auto entryAt = [&](size_t index) -> const CacheEntry & { return m_calls[index]; };
    CacheReading reading;
    reading.read = findReadable(m_rules, call, marks, entryAt).read;
    reading.cause = causeOf(call, reading.read);
    const CacheEntry *before = call.base != CacheCall::kNone ? &m_calls[call.base] : nullptr;
    if (before != nullptr) {
        reading.left = before->marks.empty() ? 0 : before->marks.back().tokens;
        if (before->readable && call.sent)
            reading.idle = *call.sent - *before->readable;
    }
    fillParts(reading, m_rules, call.end.tokens, marks.empty() ? 0 : marks.back().tokens);
    m_calls.push_back(entryOf(m_rules, call, marks, before));
    return reading;
}

void CacheModel::learn(double read)
{
    CacheEntry &latest = m_calls.back();
    latest.shared = std::min(latest.shared, read);
}

} // namespace core
