// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"

class QMainWindow;

namespace ui {

/// Applies the colours and fonts of a theme to a window and to all dialogs, menus and tool tips of the application.
void applyWindowStyle(QMainWindow &window, const Theme &theme);

} // namespace ui
