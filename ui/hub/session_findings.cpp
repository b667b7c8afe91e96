// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/session_findings.h"

#include "ui/hub/run_figures.h"
#include "ui/hub/workspace.h"

namespace ui {

SessionFindings::SessionFindings(Workspace &workspace)
    : m_workspace(workspace)
{
    connect(&workspace, &Workspace::tokensChanged, this, &SessionFindings::find);
    connect(&workspace, &Workspace::sessionChanged, this, &SessionFindings::keep);
}

SessionFindings::~SessionFindings() = default;

/// The findings of a session hold for the session grown, until new ones are found.
void SessionFindings::keep()
{
    if (!m_workspace.isGrown() || !m_findings)
        return;
    auto kept = std::make_shared<core::Findings>(*m_findings);
    kept->session = m_workspace.session();
    m_findings = std::move(kept);
    Q_EMIT changed();
}

void SessionFindings::find()
{
    const core::SessionPtr session = m_workspace.session();
    if (!m_findings || m_findings->session != session || !m_workspace.isGrown()) {
        m_findings = nullptr;
        Q_EMIT changed();
    }
    const core::BlockTokensPtr tokens = m_workspace.tokens();
    // A first table of tokens comes from lengths alone; findings wait for the counted one.
    if (!session || !tokens || !tokens->isCounted || m_workspace.isLoading())
        return m_find.cancel();
    m_find.start(
        this,
        [session, tokens, sums = m_workspace.sessionSums(), prices = m_workspace.figures().prices()](
            core::Progress &progress) -> FindingsPtr {
            auto found = core::findFindings(session, tokens, *prices, sums, &progress);
            return found ? std::make_shared<const core::Findings>(std::move(*found)) : nullptr;
        },
        [this](FindingsPtr findings) {
            m_findings = std::move(findings);
            Q_EMIT changed();
        },
        m_workspace.reporter());
}

} // namespace ui
