// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/actions.h"

#include <QDialog>

namespace ui {

/// All keys of the window, from the one registry; a key can be changed by typing another. Not modal.
class KeysPage final : public QDialog {
    Q_OBJECT

public:
    KeysPage(ActionRegistry &actions, QWidget *parent);
};

/// Type a few letters of a deed, Enter does it.
class CommandPalette final : public QDialog {
    Q_OBJECT

public:
    CommandPalette(ActionRegistry &actions, QWidget *parent);
};

} // namespace ui
