// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>
#include <utility>
#include <vector>

class QMenuBar;
class QWidget;

namespace ui {

/// All actions of a window with their names, menus and shortcuts. The keys page, the command palette and the menus use
/// this list; shortcuts that the user changed are stored in the settings.
class ActionRegistry final : public QObject {
    Q_OBJECT

public:
    struct Entry {
        QString id;   ///< `go.next-call`; the key in the settings
        QString menu; ///< its menu
        QAction *action = nullptr;
        QKeySequence standard; ///< default shortcut
    };

    ActionRegistry(QWidget *window, QMenuBar *menus);

    /// `menu` is a menu of the menu bar, `&Go`, or a submenu, `&Policy/Choose`.
    QAction *add(const QString &id, const QString &menu, const QString &text, const QKeySequence &shortcut,
        const std::function<void()> &deed);
    /// Adds an action with a check mark while `isChosen` returns true. Check marks are updated after every choice and
    /// by `markChoices`; call that when something else has changed the choice.
    QAction *addChoice(const QString &id, const QString &menu, const QString &text, const std::function<void()> &deed,
        const std::function<bool()> &isChosen);
    void markChoices();
    /// Adds an action that was created elsewhere (undo, a dock's toggle).
    QAction *adopt(const QString &id, const QString &menu, QAction *action, const QKeySequence &shortcut);
    void addSeparator(const QString &menu);

    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    /// The action with this id, or nullptr.
    [[nodiscard]] QAction *action(const QString &id) const;
    void setShortcut(const QString &id, const QKeySequence &shortcut);
    void restoreStandard();

private:
    QWidget *m_window;
    QMenuBar *m_menus;
    std::vector<Entry> m_entries;
    std::vector<std::pair<QAction *, std::function<bool()>>> m_choices;
};

} // namespace ui
