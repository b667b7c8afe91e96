// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/hub/actions.h"

#include "ui/files/settings.h"

#include <QMenu>
#include <QMenuBar>
#include <QSettings>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString settingsKey(const QString &id) { return u"shortcuts/"_s + id; }

/// Of a menu bar or a menu.
template <typename Parent>
QMenu *menuNamed(Parent *parent, const QString &title)
{
    const auto actions = parent->actions();
    for (QAction *action : actions) {
        if (action->menu() != nullptr && action->menu()->title() == title)
            return action->menu();
    }
    return parent->addMenu(title);
}

/// `&Policy`, or `&Policy/Choose` for a menu in it.
QMenu *menuAt(QMenuBar *bar, const QString &path)
{
    QMenu *menu = menuNamed(bar, path.section(u'/', 0, 0));
    const QString inner = path.section(u'/', 1);
    return inner.isEmpty() ? menu : menuNamed(menu, inner);
}

} // namespace

ActionRegistry::ActionRegistry(QWidget *window, QMenuBar *menus)
    : QObject(window)
    , m_window(window)
    , m_menus(menus)
{
}

QAction *ActionRegistry::add(const QString &id, const QString &menu, const QString &text, const QKeySequence &shortcut,
    const std::function<void()> &deed)
{
    auto *action = new QAction(text, m_window);
    connect(action, &QAction::triggered, m_window, deed);
    return adopt(id, menu, action, shortcut);
}

QAction *ActionRegistry::addChoice(const QString &id, const QString &menu, const QString &text,
    const std::function<void()> &deed, const std::function<bool()> &isChosen)
{
    QAction *action = add(id, menu, text, {}, [this, deed] {
        deed();
        markChoices();
    });
    action->setCheckable(true);
    m_choices.emplace_back(action, isChosen);
    return action;
}

void ActionRegistry::markChoices()
{
    for (const auto &[action, isChosen] : m_choices)
        action->setChecked(isChosen());
}

QAction *ActionRegistry::adopt(const QString &id, const QString &menu, QAction *action, const QKeySequence &shortcut)
{
    action->setObjectName(id);
    QSettings settings = openSettings();
    const QVariant chosen = settings.value(settingsKey(id));
    action->setShortcut(chosen.isValid() ? QKeySequence::fromString(chosen.toString()) : shortcut);
    menuAt(m_menus, menu)->addAction(action);
    m_window->addAction(action);
    m_entries.push_back({ id, menu.section(u'/', 0, 0), action, shortcut });
    return action;
}

void ActionRegistry::addSeparator(const QString &menu) { menuAt(m_menus, menu)->addSeparator(); }

QAction *ActionRegistry::action(const QString &id) const
{
    const auto found = std::ranges::find(m_entries, id, &Entry::id);
    return found == m_entries.end() ? nullptr : found->action;
}

void ActionRegistry::setShortcut(const QString &id, const QKeySequence &shortcut)
{
    QSettings settings = openSettings();
    for (const Entry &entry : m_entries) {
        if (entry.id != id)
            continue;
        entry.action->setShortcut(shortcut);
        if (shortcut == entry.standard)
            settings.remove(settingsKey(id));
        else
            settings.setValue(settingsKey(id), shortcut.toString());
    }
}

void ActionRegistry::restoreStandard()
{
    for (const Entry &entry : m_entries)
        setShortcut(entry.id, entry.standard);
}

} // namespace ui
