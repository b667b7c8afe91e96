// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QSettings>

namespace ui {

/// The user's settings: `$XDG_CONFIG_HOME/palimpsest/settings.ini`.
[[nodiscard]] QSettings openSettings();

/// Paths of opened files, newest first; at most twelve.
[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString &path);

/// Path of the user's own prices, beside the settings; the file may be missing.
[[nodiscard]] QString ownPricesFile();

} // namespace ui
