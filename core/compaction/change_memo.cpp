// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/compaction/change_memo.h"

#include "core/compaction/texts.h"

#include <algorithm>

namespace core {

std::optional<std::shared_ptr<const BlockChange>> ChangeMemo::Sheet::find(BlockId block) const
{
    const std::scoped_lock lock(m_mutex);
    if (!m_isKnown[block.index()])
        return std::nullopt;
    return m_changes[block.index()];
}

void ChangeMemo::Sheet::set(BlockId block, std::shared_ptr<const BlockChange> change)
{
    const std::scoped_lock lock(m_mutex);
    if (m_isKnown[block.index()])
        return;
    if (change) {
        m_bytes += sizeof(BlockChange) + change->body.size() + change->artifact.size();
        for (const BlockChange::Part &part : change->parts)
            m_bytes += sizeof(part) + part.pointer.size() + part.why.size();
    }
    m_isKnown[block.index()] = true;
    m_changes[block.index()] = std::move(change);
}

size_t ChangeMemo::Sheet::bytes() const
{
    const std::scoped_lock lock(m_mutex);
    return m_bytes + m_changes.size() * sizeof(m_changes.front());
}

ChangeMemo::ChangeMemo(SessionPtr session, size_t mostBytes)
    : m_session(std::move(session))
    , m_mostBytes(mostBytes)
    , m_pythonLengths(m_session->blocks.size())
{
}

uint64_t ChangeMemo::pythonLengthOf(BlockId call)
{
    std::atomic<uint64_t> &known = m_pythonLengths[call.index()];
    if (const uint64_t length = known.load(std::memory_order_relaxed); length > 0)
        return length - 1;
    const Body &body = m_session->block(call).body;
    const uint64_t length = body.coding == Coding::JsonValue ? pythonReprLength(m_session->rawBody(body))
                                                             : pythonReprLength(m_session->text(body));
    known.store(length + 1, std::memory_order_relaxed);
    return length;
}

std::shared_ptr<ChangeMemo::Sheet> ChangeMemo::sheetOf(const Hash &stage)
{
    const std::scoped_lock lock(m_mutex);
    Entry &entry = m_sheets[stage];
    entry.lastUsed = ++m_uses;
    if (entry.sheet)
        return entry.sheet;
    std::shared_ptr<Sheet> made = std::make_shared<Sheet>(m_session->blocks.size());
    entry.sheet = made;
    size_t bytes = 0;
    for (const auto &[key, each] : m_sheets)
        bytes += each.sheet->bytes();
    while (bytes > m_mostBytes && m_sheets.size() > 1) {
        const auto oldest
            = std::ranges::min_element(m_sheets, {}, [](const auto &each) { return each.second.lastUsed; });
        bytes -= oldest->second.sheet->bytes();
        m_sheets.erase(oldest);
    }
    return made;
}

} // namespace core
