// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/thread_facts.h"

#include "ui/hub/workspace.h"

namespace ui {

namespace {

UsesPtr usesOf(const core::SessionPtr &session, core::ThreadIndex thread, core::Progress &progress)
{
    auto uses = core::findUses(*session, thread, {}, &progress);
    return uses ? std::make_shared<const core::Uses>(std::move(*uses)) : nullptr;
}

TraceGroundPtr traceGroundOf(const core::SessionPtr &session, core::ThreadIndex thread,
    const core::BlockTokensPtr &tokens, const core::ArraySums &sums, core::Progress &progress)
{
    TraceGround ground { core::recordedSpans(session, thread, &sums),
        core::unloggedStretches(session->thread(thread), sums), tokens, {} };
    auto messages = core::tracedUserMessages(ground.spans, ground.unlogged, &progress);
    if (!messages)
        return nullptr;
    ground.userMessages = std::move(*messages);
    return std::make_shared<const TraceGround>(std::move(ground));
}

} // namespace

ThreadFacts::ThreadFacts(Workspace &workspace)
    : m_workspace(workspace)
    , m_traces(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, [this] {
        if (!m_workspace.isGrown())
            forget();
    });
    connect(&workspace, &Workspace::tokensChanged, this, &ThreadFacts::find); // all is loaded then
    connect(&workspace, &Workspace::shownThreadChanged, this, &ThreadFacts::find);
}

ThreadFacts::~ThreadFacts() = default;

void ThreadFacts::waitForFacts()
{
    while (m_findUses.isRunning() || m_traceUserMessages.isRunning()) {
        m_findUses.wait();
        m_traceUserMessages.wait();
    }
}

bool ThreadFacts::isOutgrown(const core::SessionPtr &of) const { return of != m_workspace.session(); }

void ThreadFacts::forget()
{
    m_findUses.cancel();
    m_traceUserMessages.cancel();
    if (std::exchange(m_uses, nullptr))
        Q_EMIT usesChanged();
    if (!lastTraceGround())
        return;
    m_traces.setGround(nullptr);
    Q_EMIT traceGroundChanged();
}

void ThreadFacts::find()
{
    const core::SessionPtr session = m_workspace.session();
    const core::ThreadIndex thread = m_workspace.shownThread();
    // Facts of the session before it grew stay until there are others.
    if (!m_workspace.isGrown() || thread != m_thread)
        forget();
    m_thread = thread;
    if (!session || m_workspace.isLoading() || thread.index() >= session->threads.size())
        return;
    m_traceUserMessages.start(
        this,
        [session, thread, tokens = m_workspace.tokens(), sums = m_workspace.sums(thread)](
            core::Progress &progress) { return traceGroundOf(session, thread, tokens, *sums, progress); },
        [this, session](TraceGroundPtr ground) {
            m_groundOf = session;
            m_traces.setGround(std::move(ground));
            Q_EMIT traceGroundChanged();
        },
        m_workspace.reporter());
    m_findUses.start(
        this, [session, thread](core::Progress &progress) { return usesOf(session, thread, progress); },
        [this, session](UsesPtr uses) {
            m_usesOf = session;
            m_uses = std::move(uses);
            Q_EMIT usesChanged();
        },
        m_workspace.reporter());
}

} // namespace ui
