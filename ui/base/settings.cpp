// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/base/settings.h"

#include <QStandardPaths>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostRecent = 12;

} // namespace

QSettings openSettings()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    return QSettings(folder + u"/palimpsest/settings.ini"_s, QSettings::IniFormat);
}

QStringList recentFiles() { return openSettings().value(u"files/recent"_s).toStringList(); }

void addRecentFile(const QString &path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > kMostRecent)
        files.removeLast();
    openSettings().setValue(u"files/recent"_s, files);
}

} // namespace ui
