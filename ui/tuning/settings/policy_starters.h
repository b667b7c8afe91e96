// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/workspace.h"

#include <QWidget>

class QPushButton;

namespace ui {

/// Buttons that choose a policy, for a page that needs one. Each says what its policy does; the centre of the page
/// holds them, below the page's own sentence. The first one is the policy of the session's harness, if it is known.
/// Hidden once a policy is chosen.
class PolicyStarters final : public QWidget {
    Q_OBJECT

public:
    explicit PolicyStarters(Workspace &workspace, QWidget *page);

    /// Adds a button below those of the policies.
    QPushButton *add(const QString &words);

protected:
    /// Follows the size of the page.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void offerOwn();
    void choose(const core::PolicyPtr &policy);

    Workspace &m_workspace;
    QPushButton *m_own = nullptr;
    core::PolicyPtr m_ownPolicy; ///< of the session's harness
};

} // namespace ui
