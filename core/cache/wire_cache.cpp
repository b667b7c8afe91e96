// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/wire_cache.h"

#include <utility>

namespace core {

namespace {

CacheMarks marksOf(MarkPlacement placement, const WireCall &call, const CacheMark &before)
{
    const CacheMark end { call.tokens, call.blocks };
    switch (placement) {
    case MarkPlacement::StableAssistant:
        if (call.stableAnswer)
            return { *call.stableAnswer };
        return {};
    case MarkPlacement::LastUsers:
        // The request before ended at the last user message but one, unless that part has changed.
        if (before.tokens > 0 && before.tokens <= call.unchanged && before.tokens < call.tokens)
            return { before, end };
        return { end };
    case MarkPlacement::LastBlock:
        return { end };
    }
    return {};
}

} // namespace

CacheReading WireCache::add(const WireCall &call)
{
    CacheCall request;
    request.sent = call.sent;
    request.responding = call.responding;
    request.model = call.model;
    request.options = call.options;
    request.end = { call.tokens, call.blocks };
    request.prelude = call.prelude;
    request.lifetime = call.lifetime;
    request.change = call.change;
    for (const MarkPlacement placement : m_placements) {
        for (const CacheMark &mark : marksOf(placement, call, m_end))
            request.marks.push_back(mark);
    }
    if (m_model.callCount() > 0) {
        request.base = m_model.callCount() - 1;
        request.shared = call.unchanged;
    }
    m_end = request.end;
    return m_model.add(request);
}

} // namespace core
