// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

class QAction;

namespace ui {

/// Copies the plan's policy as the settings of its harness, and says in the quiet bar what those cannot express. Its
/// action bears the harness's name, and waits while there is no policy.
class SettingsCopy final : public QObject {
    Q_OBJECT

public:
    SettingsCopy(ViewState &state, NoticeBar *bar, QObject *parent);

    /// The action that copies; its words follow the policy.
    void attach(QAction *action);
    void copy();

private:
    void refresh();

    ViewState &m_state;
    NoticeBar *m_bar;
    QAction *m_action = nullptr;
};

} // namespace ui
