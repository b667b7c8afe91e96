// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/replay/cache_model.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace core {

namespace {

/// Recorded sizes of one and the same prefix differ by a token or two.
constexpr double kSlack = 8;

/// Time between two requests; 0 where one has none.
Timestamp between(const std::optional<Timestamp> &earlier, const std::optional<Timestamp> &later)
{
    return earlier && later ? *later - *earlier : 0;
}

} // namespace

std::string_view nameOf(CacheCause cause)
{
    static constexpr auto kNames = std::to_array<std::string_view>(
        { "none", "first call", "idle", "compaction", "clearing", "rewind", "new turn", "model", "system or tools",
            "options", "below minimum", "lookback", "parallel", "unlogged", "older entry", "others", "unknown" });
    static_assert(kNames.size() == static_cast<size_t>(CacheCause::Unknown) + 1);
    return kNames[static_cast<size_t>(cause)];
}

CacheMarks CacheModel::marksOf(const CacheCall &call) const
{
    CacheMarks marks;
    if (call.prelude > 0)
        marks.push_back({ call.prelude, 0 });
    for (const CacheMark &mark : call.marks)
        marks.push_back(mark);
    if (m_rules.kind != CacheKind::Marks)
        marks.push_back(call.end);
    marks.eraseIf([&](const CacheMark &mark) { return mark.tokens < m_rules.minimum; });
    return marks;
}

Timestamp CacheModel::lifetimeOf(const CacheCall &call) const
{
    return call.lifetime > 0 ? call.lifetime : m_rules.lifetime;
}

/// What `call` can read of what request `index` left, with which it has the first `common` tokens in common.
double CacheModel::readableOf(size_t index, const CacheCall &call, const CacheMarks &marks, double common) const
{
    const Entry &entry = m_calls[index];
    if (between(entry.readable, call.sent) < 0)
        return 0; // sent side by side
    if (m_rules.kind == CacheKind::Steps) {
        const double whole = std::floor(std::min(common, entry.end.tokens) / m_rules.step) * m_rules.step;
        return whole < m_rules.minimum ? 0 : whole;
    }
    double best = 0;
    for (const CacheMark &written : entry.marks) {
        const bool isFound = std::ranges::any_of(marks, [&](const CacheMark &mark) {
            return mark.tokens + kSlack >= written.tokens && mark.blocks >= written.blocks
                && (m_rules.lookback == 0 || mark.blocks - written.blocks <= m_rules.lookback);
        });
        if (isFound && written.tokens <= common + kSlack)
            best = std::max(best, std::min(written.tokens, call.end.tokens));
    }
    return best;
}

/// Whether all marks but that of system prompt and tools look back to no request as short as this one. Then they find
/// none before it either: what of an earlier request both this and a later one begin with is no longer than this one.
bool CacheModel::isBehindLookback(const Entry &earlier, const CacheMarks &marks) const
{
    if (m_rules.kind != CacheKind::Marks || m_rules.lookback == 0)
        return false;
    constexpr auto kSlackBlocks = static_cast<uint32_t>(kSlack); // of a token each
    const uint32_t reached = earlier.end.blocks + m_rules.lookback + kSlackBlocks;
    return std::ranges::all_of(marks, [&](const CacheMark &mark) { return mark.blocks == 0 || mark.blocks > reached; });
}

/// Goes from request to request along the bases, as long as each kept alive what the one before it left. Messages are
/// kept alive by requests with the same options, system prompt and tools by all.
double CacheModel::readable(const CacheCall &call, const CacheMarks &marks) const
{
    double best = 0;
    double common = call.shared;
    std::optional<Timestamp> later = call.sent;
    std::optional<Timestamp> laterAlike = call.sent;
    size_t looked = 0;
    for (size_t index = call.base; index != CacheCall::kNone; index = m_calls[index].base) {
        const Entry &earlier = m_calls[index];
        if (m_rules.breakpoints > 0 && ++looked > m_rules.breakpoints)
            break;
        if (earlier.model == call.model) {
            if (between(earlier.sent, later) > earlier.preludeLifetime)
                break;
            const bool isAlike
                = earlier.options == call.options && between(earlier.sent, laterAlike) <= earlier.lifetime;
            best = std::max(best, readableOf(index, call, marks, isAlike ? common : std::min(common, call.prelude)));
            later = earlier.sent ? earlier.sent : later;
            laterAlike = isAlike && earlier.sent ? earlier.sent : laterAlike;
        }
        const bool mayFindPrelude
            = best == 0 && !marks.empty() && marks.begin()->blocks == 0 && marks.begin()->tokens <= common + kSlack;
        if (best + kSlack + m_rules.step >= common || (!mayFindPrelude && isBehindLookback(earlier, marks)))
            break; // nothing further back can hold more
        common = std::min(common, earlier.shared);
    }
    return best;
}

CacheCause CacheModel::causeOf(const CacheCall &call, double read) const
{
    if (call.base == CacheCall::kNone)
        return call.change == CacheCause::None ? CacheCause::FirstCall : call.change;
    const Entry &before = m_calls[call.base];
    const double left = before.marks.empty() ? 0 : before.marks.back().tokens;
    if (read + kSlack + m_rules.step >= left)
        return left == 0 ? CacheCause::BelowMinimum : CacheCause::None;
    if (before.model != call.model)
        return CacheCause::ModelChange;
    if (call.change != CacheCause::None)
        return call.change;
    if (between(before.sent, call.sent) > before.lifetime)
        return CacheCause::Idle;
    if (before.options != call.options)
        return CacheCause::Options;
    if (between(before.readable, call.sent) < 0)
        return CacheCause::Parallel;
    return m_rules.lookback > 0 ? CacheCause::Lookback : CacheCause::Unknown;
}

CacheReading CacheModel::add(const CacheCall &call)
{
    assert(call.base == CacheCall::kNone || call.base < m_calls.size());
    const CacheMarks marks = marksOf(call);
    CacheReading reading;
    reading.read = readable(call, marks);
    reading.cause = causeOf(call, reading.read);
    if (call.base != CacheCall::kNone) {
        const Entry &before = m_calls[call.base];
        reading.left = before.marks.empty() ? 0 : before.marks.back().tokens;
        if (before.sent && call.sent)
            reading.idle = *call.sent - *before.sent;
    }
    const double kept = marks.empty() ? 0 : marks.back().tokens;
    reading.written = m_rules.kind == CacheKind::Steps ? 0 : std::max(0.0, kept - reading.read);
    reading.uncached = std::max(0.0, call.end.tokens - reading.read - reading.written);
    const Timestamp lifetime = lifetimeOf(call);
    m_calls.push_back({ .sent = call.sent,
        .readable = call.responding ? call.responding : call.sent,
        .lifetime = lifetime,
        .preludeLifetime = std::max(call.preludeLifetime, lifetime),
        .model = call.model,
        .options = call.options,
        .end = call.end,
        .base = call.base,
        .shared = call.shared,
        .marks = marks });
    return reading;
}

} // namespace core
