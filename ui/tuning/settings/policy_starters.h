// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/workspace.h"

#include <QWidget>

#include <utility>
#include <vector>

class QPushButton;

namespace ui {

/// Buttons that choose a policy, for a page that needs one. Each says what its policy does; the centre of the page
/// holds them, below the page's own sentence. The first one is the policy of the session's harness, if it is known.
/// No policy is offered twice. Hidden once a policy is chosen.
class PolicyStarters final : public QWidget {
    Q_OBJECT

public:
    explicit PolicyStarters(Workspace &workspace, QWidget *page);

    /// Offers this policy first, instead of that of the open session.
    void setOwn(const core::PolicyPtr &policy, const QString &words);
    /// Adds a button below those of the policies.
    QPushButton *add(const QString &words);

protected:
    /// Follows the size of the page.
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void offerOwn();
    void showOwn(const core::PolicyPtr &policy, const QString &words);
    void choose(const core::PolicyPtr &policy);

    Workspace &m_workspace;
    QPushButton *m_own = nullptr;
    core::PolicyPtr m_ownPolicy; ///< of the session's harness
    bool m_isOfSession = true;
    std::vector<std::pair<core::PolicyPtr, QPushButton *>> m_others;
};

} // namespace ui
