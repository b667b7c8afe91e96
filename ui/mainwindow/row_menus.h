// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <QList>

class QAction;

namespace ui {

class ActionRegistry;

/// What all views offer in the context menu of a slot or row: the actions on the current block. A right click first
/// makes the block of the slot or row current.
class RowMenus final : public QObject {
    Q_OBJECT

public:
    /// Adds the filter menus to the Edit menu.
    RowMenus(ViewState &state, ActionRegistry &actions, QWidget *window);

    /// Tracing, the edit, the subagent, its name, then the filter. With separators.
    [[nodiscard]] const QList<QAction *> &onBlock() const { return m_onBlock; }

Q_SIGNALS:
    void filtered(); ///< a term was added to the filter line

private:
    [[nodiscard]] QAction *makeFilterMenu(const QString &id, const QString &title, bool isNegated, QWidget *window);

    ViewState &m_state;
    ActionRegistry &m_actions;
    QList<QAction *> m_onBlock;
};

} // namespace ui
