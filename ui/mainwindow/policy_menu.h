// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

class QActionGroup;
class QMenu;

namespace ui {

class ActionRegistry;
class ArrayView;
class PanelDocks;
class SettingsCopy;
class TimelineView;

/// The Policy menu of a window: choosing, saving and comparing policies, their stages, pins and drops. Provides some of
/// its actions to the context menus of views.
class PolicyMenu final : public QObject {
    Q_OBJECT

public:
    PolicyMenu(ViewState &state, ActionRegistry &actions, PanelDocks &panels, QObject *parent);

    void addPolicyActions(SettingsCopy &settingsCopy);
    /// Adds pin and drop actions for the selected slots and the current block, and menus with them: they begin the
    /// menus of slots and blocks, before `onBlock`.
    void addOverrideActions(ArrayView &array, const QList<QAction *> &onBlock);
    void addCompareActions(TimelineView &timeline);

private:
    void addPresetActions();
    void addChangesActions();
    /// Texts by hand: in the Edit menu.
    [[nodiscard]] QList<QAction *> addTextActions();
    void offer(QAction *action);
    void markChosen();
    void rebuildCompareMenu();

    ViewState &m_state;
    Workspace &m_workspace;
    ActionRegistry &m_actions;
    PanelDocks &m_panels;
    QString m_menu;
    QActionGroup *m_choices; ///< exclusive; none is checked if the policy is the user's own
    QMenu *m_compareMenu = nullptr;
};

} // namespace ui
