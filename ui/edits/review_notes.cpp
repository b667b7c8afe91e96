// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/review_notes.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <string_view>

namespace ui {

using core::Json;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kSchema = "palimpsest.reviewed/1";
constexpr std::string_view kKind = "palimpsest.reviewed/";
constexpr qsizetype kHashDigits = 12;

std::string wordOf(const Json &object, const char *member)
{
    const auto found = object.find(member);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// 0 if missing: most calls change a file once.
size_t ordinalOf(const Json &object)
{
    const auto found = object.find("ordinal");
    return found != object.end() && found->is_number_unsigned() ? found->get<size_t>() : 0;
}

EditName nameOf(const Json &object) { return { wordOf(object, "block"), wordOf(object, "path"), ordinalOf(object) }; }

Json jsonOf(const EditName &name)
{
    Json json { { "block", name.block }, { "path", name.path } };
    if (name.ordinal > 0)
        json["ordinal"] = name.ordinal;
    return json;
}

} // namespace

QString reviewNotesFile(const std::filesystem::path &session)
{
    const QFileInfo file(QString::fromStdString(session.string()));
    const QByteArray hash
        = QCryptographicHash::hash(file.absoluteFilePath().toUtf8(), QCryptographicHash::Sha256).toHex();
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)
        + u"/palimpsest/reviewed/%1-%2.json"_s.arg(
            file.completeBaseName(), QString::fromLatin1(hash.first(kHashDigits)));
}

core::Result<ReviewNotes> readReviewNotes(const QString &path)
{
    ReviewNotes notes;
    QFile file(path);
    if (!file.exists())
        return notes;
    const auto fail
        = [&](const char *sentence) { return core::failure(core::ErrorKind::Malformed, sentence, path.toStdString()); };
    if (!file.open(QIODevice::ReadOnly))
        return core::failure(
            core::ErrorKind::NotReadable, "The list of reviewed edits cannot be read.", path.toStdString());
    notes.document = core::parseJson(file.readAll().toStdString());
    if (!notes.document.is_object())
        return fail("The list of reviewed edits is not JSON. New ticks are not saved.");
    const std::string schema = wordOf(notes.document, "schema");
    if (schema != kSchema)
        return schema.starts_with(kKind)
            ? fail("A newer version of Palimpsest wrote the list of reviewed edits. New ticks are not saved.")
            : fail("This file is not a list of reviewed edits. New ticks are not saved.");
    notes.repository = wordOf(notes.document, "repository");
    if (const auto all = notes.document.find("reviewed"); all != notes.document.end() && all->is_array()) {
        for (const Json &each : *all) {
            if (each.is_object())
                notes.reviewed.insert(nameOf(each));
        }
    }
    if (const auto all = notes.document.find("comments"); all != notes.document.end() && all->is_array()) {
        for (const Json &each : *all) {
            if (each.is_object() && !wordOf(each, "text").empty())
                notes.comments[nameOf(each)] = wordOf(each, "text");
        }
    }
    return notes;
}

core::Result<void> writeReviewNotes(const ReviewNotes &notes, const QString &path)
{
    Json document { { "schema", kSchema } };
    if (notes.document.is_object())
        document.update(notes.document);
    document["repository"] = notes.repository;
    Json &all = document["reviewed"] = Json::array();
    for (const EditName &name : notes.reviewed)
        all.push_back(jsonOf(name));
    Json &comments = document["comments"] = Json::array();
    for (const auto &[name, text] : notes.comments) {
        comments.push_back(jsonOf(name));
        comments.back()["text"] = text;
    }
    QDir().mkpath(QFileInfo(path).path());
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(core::jsonText(document) + "\n")) < 0
        || !file.commit())
        return core::failure(
            core::ErrorKind::NotReadable, "The list of reviewed edits could not be saved.", path.toStdString());
    return {};
}

} // namespace ui
