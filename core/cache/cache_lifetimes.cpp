// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/cache/cache_lifetimes.h"

#include "core/json/json_probe.h"

namespace core {

namespace {

/// The usage in a record of a response: that of the record, of its message, or of a message inside a record about a
/// subagent's progress.
JsonMembers usageOf(const JsonMembers &record)
{
    if (record.has("usage"))
        return record.object("usage");
    const JsonMembers holder = record.has("data") ? record.object("data").object("message") : record;
    return holder.object("message").object("usage");
}

} // namespace

std::optional<CacheWrites> recordedCacheWrites(const Session &session, const Call &call)
{
    if (call.output.size() == 0)
        return std::nullopt;
    const JsonMembers usage = usageOf(JsonMembers(session.record(session.block(BlockId(call.output.begin)))));
    if (!usage.has("cache_creation"))
        return std::nullopt;
    const JsonMembers writes = usage.object("cache_creation");
    return CacheWrites { writes.number("ephemeral_5m_input_tokens").value_or(0),
        writes.number("ephemeral_1h_input_tokens").value_or(0) };
}

} // namespace core
