// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/settings.h"

#include <QStandardPaths>

namespace ui {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostRecent = 12;

QString placeOf(const QString &name)
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/palimpsest/"_s + name;
}

} // namespace

QSettings openSettings() { return QSettings(placeOf(u"settings.ini"_s), QSettings::IniFormat); }

QString ownPricesFile() { return placeOf(u"prices.json"_s); }

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
