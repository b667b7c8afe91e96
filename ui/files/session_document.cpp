// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/files/session_document.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>

#include <string_view>
#include <utility>

namespace ui {

using core::Json;
using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kHashDigits = 12;
constexpr int kLockWait = 2000; ///< ms to wait for another window's write

std::unexpected<core::Error> notSaved(const SessionDocument &document, const QString &why)
{
    return core::failure(core::ErrorKind::NotReadable,
        "The " + document.title + " could not be saved: " + why.toStdString() + ".", document.path.toStdString());
}

} // namespace

std::string textMember(const Json &object, const char *member)
{
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

SessionDocument SessionDocument::of(
    const std::filesystem::path &session, const QString &folder, std::string schema, std::string title)
{
    const QFileInfo file(QString::fromStdString(session.string()));
    const QByteArray hash
        = QCryptographicHash::hash(file.absoluteFilePath().toUtf8(), QCryptographicHash::Sha256).toHex();
    return { QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
            + u"/palimpsest/%1/%2-%3.json"_s.arg(
                folder, file.completeBaseName(), QString::fromLatin1(hash.first(kHashDigits))),
        std::move(schema), std::move(title) };
}

core::Result<Json> SessionDocument::read() const
{
    QFile file(path);
    if (!file.exists())
        return Json { { "schema", schema } };
    const auto fail = [&](const std::string &sentence) {
        return core::failure(core::ErrorKind::Malformed, sentence + " New entries are not saved.", path.toStdString());
    };
    if (!file.open(QIODevice::ReadOnly))
        return core::failure(core::ErrorKind::NotReadable,
            "The " + title + " cannot be read: " + file.errorString().toStdString() + ".", path.toStdString());
    Json document = core::parseJson(file.readAll().toStdString());
    if (!document.is_object())
        return fail("The " + title + " is not valid JSON.");
    const std::string found = textMember(document, "schema");
    if (found == schema)
        return document;
    const std::string_view kind = std::string_view(schema).substr(0, schema.rfind('/') + 1);
    return fail(found.starts_with(kind) ? "A newer version of Palimpsest wrote the " + title + "."
                                        : "This file is not a " + title + ".");
}

core::Result<Json> SessionDocument::change(const Change &change) const
{
    QDir().mkpath(QFileInfo(path).path());
    QLockFile lock(path + u".lock"_s);
    if (!lock.tryLock(kLockWait))
        return notSaved(*this,
            lock.error() == QLockFile::LockFailedError ? u"another window is writing it"_s
                                                       : u"its folder cannot be written to"_s);
    auto document = read();
    if (!document)
        return document;
    auto done = change(*document);
    if (done)
        done = write(*document);
    if (!done)
        return std::unexpected(done.error());
    return document;
}

core::Result<void> SessionDocument::write(const Json &document) const
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(core::jsonText(document) + "\n")) < 0
        || !file.commit())
        return notSaved(*this, file.errorString());
    return {};
}

} // namespace ui
