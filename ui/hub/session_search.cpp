// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/session_search.h"

#include "ui/hub/workspace.h"
#include "ui/look/theme.h"

#include <QThread>

#include <algorithm>
#include <chrono>

namespace ui {

namespace {

constexpr std::chrono::milliseconds kTakeEvery { 30 };

} // namespace

SessionSearch::SessionSearch(Workspace &workspace)
    : m_workspace(workspace)
{
    m_takeTimer.setInterval(kTakeEvery);
    connect(&m_takeTimer, &QTimer::timeout, this, &SessionSearch::take);
    connect(&workspace, &Workspace::sessionChanged, this, &SessionSearch::onSessionChanged);
    connect(&workspace, &Workspace::tokensChanged, this, [this] {
        if (std::exchange(m_isOutgrown, false)) {
            m_areLivesOld = true; // the hits stay in sight until the new ones come, with their lives
            start();
        } else if (m_query.reads(core::QueryTerm::Key::Tokens)) {
            start();
        }
    });
}

void SessionSearch::setLine(const QString &line)
{
    if (line == m_line)
        return;
    m_line = line;
    auto query = core::parseQuery(line.toStdString());
    m_mistake = query ? QString() : displayText(query.error().message);
    if (!query) {
        Q_EMIT changed();
        return;
    }
    m_query = *std::move(query);
    start();
    Q_EMIT changed();
}

void SessionSearch::setHot(std::vector<core::BlockId> hot)
{
    if (hot == m_hot)
        return;
    m_hot = std::move(hot);
    if (m_query.reads(core::QueryTerm::Key::Hot))
        start();
    Q_EMIT hotChanged();
}

core::SearchGround SessionSearch::ground() const
{
    return { m_workspace.session(), m_workspace.tokens(), m_areLivesOld ? nullptr : m_lives, m_hot };
}

void SessionSearch::onSessionChanged()
{
    m_isOutgrown = m_workspace.isGrown();
    if (m_isOutgrown)
        return; // the hits stay; it searches again when records stop arriving
    m_lives.reset();
    m_areLivesOld = false;
    m_hot.clear(); // the picture of the new session brings its own
    forget();      // blocks may have other numbers
    start();
}

void SessionSearch::forget()
{
    m_isStale = false;
    m_hits.clear();
    m_isHit.clear();
    m_messageCount = 0;
    Q_EMIT started();
}

void SessionSearch::start()
{
    m_job.cancel();
    m_takeTimer.stop();
    if (m_query.isEmpty() || !m_workspace.session()) {
        m_inbox.reset();
        forget();
        Q_EMIT changed();
        return;
    }
    m_isStale = true;
    m_inbox = std::make_shared<Inbox>();
    m_inbox->lives = ground().lives;
    m_job.start(
        this,
        [inbox = m_inbox, ground = ground(), query = m_query](core::Progress &progress) mutable {
            const auto threads = static_cast<unsigned>(std::max(2, QThread::idealThreadCount()));
            if (!ground.complete(threads, &progress))
                return false;
            {
                const std::scoped_lock lock(inbox->mutex);
                inbox->lives = ground.lives;
            }
            core::search(ground, query, threads, &progress, [&](std::vector<core::SearchHit> hits) {
                const std::scoped_lock lock(inbox->mutex);
                std::ranges::move(hits, std::back_inserter(inbox->hits));
            });
            return !progress.isCancelled();
        },
        [this](bool) { finish(); }, m_workspace.reporter());
    m_takeTimer.start();
}

void SessionSearch::take()
{
    std::vector<core::SearchHit> hits;
    {
        const std::scoped_lock lock(m_inbox->mutex);
        hits.swap(m_inbox->hits);
        if (m_inbox->lives) {
            m_lives = m_inbox->lives;
            m_areLivesOld = false;
        }
    }
    if (hits.empty())
        return;
    if (m_isStale)
        forget();
    const core::Session &session = *m_workspace.session();
    const size_t first = m_hits.size();
    m_isHit.resize(session.blocks.size());
    core::MessageId last = m_hits.empty() ? core::MessageId() : session.block(m_hits.back().block).message;
    for (const core::SearchHit &hit : hits) {
        const core::MessageId message = session.block(hit.block).message;
        m_messageCount += message.isValid() && message == last ? 0 : 1;
        last = message;
        m_isHit[hit.block.index()] = true;
    }
    std::ranges::move(hits, std::back_inserter(m_hits));
    Q_EMIT grown(first);
}

void SessionSearch::finish()
{
    m_takeTimer.stop();
    take();
    if (m_isStale)
        forget(); // nothing matches
    Q_EMIT changed();
}

} // namespace ui
