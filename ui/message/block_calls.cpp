// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/block_calls.h"

#include "core/weight/hot_zones.h"
#include "ui/hub/workspace.h"

namespace ui {

void BlockCalls::count(const Workspace &workspace, core::BlockId block)
{
    const core::SessionPtr &session = workspace.session();
    if (!block.isValid() || !session->block(block).message.isValid())
        return;
    const core::ThreadIndex thread = session->message(session->block(block).message).thread;
    const core::ArraySumsPtr sums = workspace.sums(thread);
    if (session == m_session.lock() && sums == m_sums.lock())
        return;
    m_calls.clear();
    m_session = session;
    m_sums = sums;
    m_job.start(
        this,
        [session, thread, sums](core::Progress &) {
            const std::vector<uint32_t> calls = core::callsPerBlock(*session, thread);
            const std::vector<uint32_t> unsure = core::unsureCallsPerBlock(
                *session, thread, *sums, [](core::BlockId) { return size_t(0); }, sums->calls.size());
            std::vector<Count> counts;
            counts.reserve(calls.size());
            for (size_t i = 0; i < calls.size(); ++i)
                counts.push_back({ calls[i] - unsure[i], unsure[i] });
            return counts;
        },
        [this](std::vector<Count> counts) {
            m_calls = std::move(counts);
            Q_EMIT counted();
        });
}

BlockCalls::Count BlockCalls::of(const core::SessionPtr &session, core::BlockId block) const
{
    return m_session.lock() == session && block.index() < m_calls.size() ? m_calls[block.index()] : Count();
}

} // namespace ui
