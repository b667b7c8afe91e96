// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/session/request_preludes.h"

#include "core/session/alignment.h"

namespace core::requests {

uint32_t Preludes::add(RequestDraft &request, const SessionBuilder &builder)
{
    if (request.prelude.empty())
        return Alignment::kNone;
    Prelude prelude;
    Hash content;
    for (Block &block : request.prelude) {
        block.content = builder.contentHash(block);
        if (block.is(BlockFlag::Injected))
            continue; // a header that differs from request to request
        content = combine(content, block.content);
        Hash &part = block.is(BlockFlag::Tools) ? prelude.tools : prelude.system;
        part = combine(part, block.content);
    }
    const auto [entry, isNew] = m_ids.try_emplace(content, static_cast<uint32_t>(m_preludes.size()));
    if (isNew) {
        prelude.blocks = std::move(request.prelude);
        prelude.line = request.line;
        m_preludes.push_back(std::move(prelude));
    }
    return entry->second;
}

Hash Preludes::likeness(uint32_t prelude) const
{
    const Prelude &facts = m_preludes[prelude];
    return combine(facts.system, Hash { facts.tools.isNull() ? 0U : 1U, 0 });
}

bool Preludes::areAlike(uint32_t a, uint32_t b) const
{
    if (a == b)
        return true;
    if (a == Alignment::kNone || b == Alignment::kNone)
        return false;
    return likeness(a) == likeness(b) || (!tools(a).isNull() && tools(a) == tools(b));
}

BlockRange Preludes::place(uint32_t prelude, ThreadIndex thread, SessionBuilder &builder)
{
    Prelude &placed = m_preludes[prelude];
    if (!placed.range) {
        MessageDraft draft;
        draft.role = Role::System;
        draft.blocks = std::move(placed.blocks);
        draft.line = placed.line;
        placed.range = builder.rangeOf(builder.addMessage(thread, draft));
    }
    return *placed.range;
}

} // namespace core::requests
