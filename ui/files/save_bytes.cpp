// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/save_bytes.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace ui {

namespace {

bool isSourceOf(const core::Session &session, const QString &path)
{
    const QString target = QFileInfo(path).canonicalFilePath();
    if (target.isEmpty())
        return false;
    return std::ranges::any_of(session.sources, [&](const core::SourcePtr &source) {
        return QFileInfo(QString::fromStdString(source->name())).canonicalFilePath() == target;
    });
}

} // namespace

core::Result<void> saveBytes(const core::Session &session, const std::string &bytes, const QString &path)
{
    const auto fail = [&](core::ErrorKind kind, const QString &sentence) {
        return core::failure(kind, sentence.toStdString(), path.toStdString());
    };
    if (isSourceOf(session, path))
        return fail(core::ErrorKind::Usage,
            QCoreApplication::translate(
                "ui::saveBytes", "This is a file of the session. Palimpsest never writes to it."));
    QSaveFile file(path);
    const auto size = static_cast<qint64>(bytes.size());
    const bool isWritten = file.open(QIODevice::WriteOnly) && file.write(bytes.data(), size) == size && file.commit();
    if (!isWritten)
        return fail(core::ErrorKind::NotReadable,
            QCoreApplication::translate("ui::saveBytes", "The file could not be written: %1.").arg(file.errorString()));
    return {};
}

core::Result<void> savePicture(const QImage &picture, const QString &path)
{
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && picture.save(&file, "PNG") && file.commit())
        return {};
    return core::failure(core::ErrorKind::NotReadable,
        QCoreApplication::translate("ui::saveBytes", "The picture cannot be written: %1.")
            .arg(file.errorString())
            .toStdString(),
        path.toStdString());
}

} // namespace ui
