// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <QDir>
#include <QFileInfo>
#include <QString>

namespace ui {

/// A path in `folder` where nothing is: `NAME.SUFFIX`, else `NAME-2.SUFFIX` and so on. The suffix may be empty.
[[nodiscard]] inline QString freePath(const QDir &folder, const QString &name, const QString &suffix)
{
    for (int number = 1;; ++number) {
        QString path = folder.filePath(name + (number > 1 ? u'-' + QString::number(number) : QString())
            + (suffix.isEmpty() ? QString() : u'.' + suffix));
        if (!QFileInfo::exists(path))
            return path;
    }
}

} // namespace ui
