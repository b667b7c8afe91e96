// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/base/actions.h"

#include "ui/base/settings.h"

#include <QMenu>
#include <QMenuBar>
#include <QSettings>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

QString settingsKey(const QString &id) { return u"shortcuts/"_s + id; }

QMenu *menuNamed(QMenuBar *bar, const QString &title)
{
    const auto actions = bar->actions();
    for (QAction *action : actions) {
        if (action->menu() != nullptr && action->menu()->title() == title)
            return action->menu();
    }
    return bar->addMenu(title);
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

QAction *ActionRegistry::adopt(const QString &id, const QString &menu, QAction *action, const QKeySequence &shortcut)
{
    action->setObjectName(id);
    QSettings settings = openSettings();
    const QVariant chosen = settings.value(settingsKey(id));
    action->setShortcut(chosen.isValid() ? QKeySequence::fromString(chosen.toString()) : shortcut);
    menuNamed(m_menus, menu)->addAction(action);
    m_window->addAction(action);
    m_entries.push_back({ id, menu, action, shortcut });
    return action;
}

void ActionRegistry::addSeparator(const QString &menu) { menuNamed(m_menus, menu)->addSeparator(); }

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
