// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

class QAction;

namespace ui {

/// Copies the plan's policy as settings of its harness; the notice bar lists what they cannot express. Its action is
/// named after the harness, and hidden if the policy's harness has no settings.
class SettingsCopy final : public QObject {
    Q_OBJECT

public:
    SettingsCopy(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Sets the action that copies; its text follows the policy.
    void attach(QAction *action);
    void copy();

private:
    void refresh();

    ViewState &m_state;
    NoticeBar *m_bar;
    QAction *m_action = nullptr;
};

} // namespace ui
