// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

class QMainWindow;

namespace ui {

/// Gives a window, and the dialogs, menus and tool tips of the application, the colours and fonts of a theme.
void applyWindowStyle(QMainWindow &window, const Theme &theme);

} // namespace ui
