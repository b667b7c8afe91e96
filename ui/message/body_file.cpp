// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/message/body_file.h"

#include "ui/message/body_form.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace ui {

namespace {

QString translated(const char *text) { return QCoreApplication::translate("ui::MessagePanel", text); }

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

std::string bytesToSave(const core::Session &session, core::BlockId id, bool isRaw)
{
    return isRaw ? std::string(session.record(session.block(id))) : bodyBytes(session, id);
}

core::Result<void> saveBody(const core::Session &session, core::BlockId id, bool isRaw, const QString &path)
{
    const auto fail = [&](core::ErrorKind kind, const QString &sentence) {
        return core::failure(kind, sentence.toStdString(), path.toStdString());
    };
    if (isSourceOf(session, path))
        return fail(core::ErrorKind::Usage, translated("This is a file of the session, which is never written."));
    const std::string bytes = bytesToSave(session, id, isRaw);
    QSaveFile file(path);
    const bool isWritten = file.open(QIODevice::WriteOnly)
        && file.write(bytes.data(), static_cast<qint64>(bytes.size())) == static_cast<qint64>(bytes.size())
        && file.commit();
    if (!isWritten)
        return fail(
            core::ErrorKind::NotReadable, translated("The file could not be written: %1.").arg(file.errorString()));
    return {};
}

} // namespace ui
