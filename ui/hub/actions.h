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

/// All actions of a window with their names, places in the menus and shortcuts. The keys page, the command palette and
/// the menus all read this list; the settings keep the shortcuts that the user changed.
class ActionRegistry final : public QObject {
    Q_OBJECT

public:
    struct Entry {
        QString id;   ///< `go.next-call`; the key in the settings
        QString menu; ///< the menu it stands in
        QAction *action = nullptr;
        QKeySequence standard; ///< its shortcut before the user changed it
    };

    ActionRegistry(QWidget *window, QMenuBar *menus);

    /// `menu` is one of the bar, `&Go`, or one in that, `&Policy/Choose`.
    QAction *add(const QString &id, const QString &menu, const QString &text, const QKeySequence &shortcut,
        const std::function<void()> &deed);
    /// An action with a mark in the menu while `isChosen` says so. The marks are set after every choice, and by
    /// `markChoices`, which the window calls when something else chose.
    QAction *addChoice(const QString &id, const QString &menu, const QString &text, const std::function<void()> &deed,
        const std::function<bool()> &isChosen);
    void markChoices();
    /// An action made elsewhere (undo, a dock's toggle).
    QAction *adopt(const QString &id, const QString &menu, QAction *action, const QKeySequence &shortcut);
    void addSeparator(const QString &menu);

    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }
    /// The action of that id, or nullptr.
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
