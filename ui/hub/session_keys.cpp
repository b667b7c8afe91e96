// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/session_keys.h"

#include "ui/hub/workspace.h"

namespace ui {

SessionKeys::SessionKeys(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace, &Workspace::sessionChanged, this, &SessionKeys::refresh);
    connect(&workspace, &Workspace::loadingChanged, this, &SessionKeys::refresh);
    connect(&workspace, &Workspace::tokensChanged, this, &SessionKeys::refresh);
}

void SessionKeys::refresh()
{
    const core::SessionPtr &session = m_workspace.session();
    if (session == m_session || m_workspace.isGrowing())
        return;
    if (!m_workspace.isGrown()) // else the keys hold for the blocks that were there
        m_keys.reset();
    m_find.cancel();
    m_session.reset();
    if (!session || m_workspace.isLoading())
        return;
    m_session = session;
    m_find.start(
        this, [session](core::Progress &) { return std::make_shared<const core::BlockKeys>(*session); },
        [this](BlockKeysPtr keys) {
            m_keys = std::move(keys);
            Q_EMIT found();
        },
        m_workspace.reporter());
}

} // namespace ui
