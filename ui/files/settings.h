// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QSettings>

namespace ui {

/// The user's settings: `$XDG_CONFIG_HOME/palimpsest/settings.ini`.
[[nodiscard]] QSettings openSettings();

/// Paths of files that were opened, newest first; at most twelve.
[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString &path);

/// Where prices of the user's own are, if there are any: beside the settings.
[[nodiscard]] QString ownPricesFile();

} // namespace ui
