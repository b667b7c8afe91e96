// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/block_calls.h"

#include "core/weight/hot_zones.h"

namespace ui {

void BlockCalls::count(const core::SessionPtr &session, core::BlockId block)
{
    if (!block.isValid() || !session->block(block).message.isValid())
        return;
    const core::ThreadIndex thread = session->message(session->block(block).message).thread;
    if (session == m_session.lock() && thread == m_thread)
        return;
    m_calls.clear();
    m_session = session;
    m_thread = thread;
    m_job.start(
        this, [session, thread](core::Progress &) { return core::callsPerBlock(*session, thread); },
        [this](std::vector<uint32_t> calls) {
            m_calls = std::move(calls);
            Q_EMIT counted();
        });
}

uint32_t BlockCalls::of(const core::SessionPtr &session, core::BlockId block) const
{
    return m_session.lock() == session && block.index() < m_calls.size() ? m_calls[block.index()] : 0;
}

} // namespace ui
