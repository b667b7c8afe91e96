// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/actions.h"

#include <QDialog>

namespace ui {

/// A list of all shortcuts in the registry; a shortcut is changed by typing another. Not modal.
class KeysPage final : public QDialog {
    Q_OBJECT

public:
    KeysPage(ActionRegistry &actions, QWidget *parent);
};

/// Finds actions by a few letters; Enter triggers one.
class CommandPalette final : public QDialog {
    Q_OBJECT

public:
    CommandPalette(ActionRegistry &actions, QWidget *parent);
};

} // namespace ui
