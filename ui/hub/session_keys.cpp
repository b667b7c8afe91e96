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
}

void SessionKeys::refresh()
{
    const core::SessionPtr &session = m_workspace.session();
    if (session == m_session)
        return;
    m_keys.reset();
    m_find.cancel();
    m_session.reset();
    if (!session || !session->isComplete)
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
