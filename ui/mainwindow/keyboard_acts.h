// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QMainWindow>
#include <QString>

namespace ui {

class ActionRegistry;

/// Adds actions for what the pointer does everywhere: show a tool tip, sort a table by a column, move the edge between
/// two views. They act on the widget with the focus.
void addKeyboardActs(QMainWindow &window, ActionRegistry &actions, const QString &view, const QString &help);

} // namespace ui
