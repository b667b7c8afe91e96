// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/replay_figures.h"
#include "ui/hub/job.h"
#include "ui/hub/view_state.h"
#include "ui/mainwindow/notice_bar.h"

class QAction;

namespace ui {

/// Copies the plan's policy as settings of its harness, and says so with what they cannot express. The notice bar says
/// why nothing was copied. Its action is named after the harness, and hidden if the policy's harness has no settings.
class SettingsCopy final : public QObject {
    Q_OBJECT

public:
    SettingsCopy(ViewState &state, NoticeBar *bar, QObject *parent);

    /// Sets the action that copies; its text follows the policy.
    void attach(QAction *action);
    void copy();

Q_SIGNALS:
    /// `details`: the text, and its notes. Emitted again with the figures of what is written, if those of the policy
    /// are others.
    void copied(const QString &sentence, const QString &details);

private:
    void refresh();
    void findFigures(const QString &words, const QString &details);

    ViewState &m_state;
    NoticeBar *m_bar;
    QAction *m_action = nullptr;
    Job<core::PolicyFiguresPtr> m_figures; ///< of what the settings can say
};

} // namespace ui
