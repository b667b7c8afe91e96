// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/edits/review_notes.h"

namespace ui {

using core::Json;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kSentBack = "sent_back";

/// 0 if missing: most calls change a file once.
size_t ordinalOf(const Json &object)
{
    const auto found = object.find("ordinal");
    return found != object.end() && found->is_number_unsigned() ? found->get<size_t>() : 0;
}

EditName nameOf(const Json &object)
{
    return { textMember(object, "block"), textMember(object, "path"), ordinalOf(object) };
}

Json jsonOf(const EditName &name)
{
    Json json { { "block", name.block }, { "path", name.path } };
    if (name.ordinal > 0)
        json["ordinal"] = name.ordinal;
    return json;
}

std::set<EditName> namesIn(const Json &document, const char *member)
{
    std::set<EditName> names;
    if (const auto all = document.find(member); all != document.end() && all->is_array()) {
        for (const Json &each : *all) {
            if (each.is_object())
                names.insert(nameOf(each));
        }
    }
    return names;
}

void putNames(const std::set<EditName> &names, Json &all)
{
    all = Json::array();
    for (const EditName &name : names)
        all.push_back(jsonOf(name));
}

ReviewNotes notesOf(const Json &document)
{
    ReviewNotes notes;
    notes.repository = textMember(document, "repository");
    notes.reviewed = namesIn(document, "reviewed");
    notes.sentBack = namesIn(document, kSentBack);
    if (const auto all = document.find("comments"); all != document.end() && all->is_array()) {
        for (const Json &each : *all) {
            if (each.is_object() && !textMember(each, "text").empty())
                notes.comments[nameOf(each)] = textMember(each, "text");
        }
    }
    if (!document.contains(kSentBack)) { // of an earlier version
        for (const auto &[name, text] : notes.comments) {
            if (!notes.reviewed.contains(name))
                notes.sentBack.insert(name);
        }
    }
    return notes;
}

void put(const ReviewNotes &notes, Json &document)
{
    document["repository"] = notes.repository;
    putNames(notes.reviewed, document["reviewed"]);
    putNames(notes.sentBack, document[kSentBack]);
    Json &comments = document["comments"] = Json::array();
    for (const auto &[name, text] : notes.comments) {
        comments.push_back(jsonOf(name));
        comments.back()["text"] = text;
    }
}

} // namespace

void ReviewChanges::applyTo(ReviewNotes &notes) const
{
    const auto apply = [](const std::map<EditName, bool> &marks, std::set<EditName> &names) {
        for (const auto &[name, isMarked] : marks) {
            if (isMarked)
                names.insert(name);
            else
                names.erase(name);
        }
    };
    apply(reviewed, notes.reviewed);
    apply(sentBack, notes.sentBack);
    for (const auto &[name, text] : comments) {
        if (text.empty())
            notes.comments.erase(name);
        else
            notes.comments[name] = text;
    }
    if (repository)
        notes.repository = *repository;
}

void ReviewChanges::remove(const ReviewChanges &written)
{
    eraseWritten(reviewed, written.reviewed);
    eraseWritten(sentBack, written.sentBack);
    eraseWritten(comments, written.comments);
    if (repository == written.repository)
        repository.reset();
}

SessionDocument reviewDocument(const std::filesystem::path &session)
{
    return SessionDocument::of(session, u"reviewed"_s, "palimpsest.reviewed/1", "list of reviewed edits");
}

core::Result<ReviewNotes> readReviewNotes(const SessionDocument &document)
{
    return document.read().transform(notesOf);
}

core::Result<ReviewNotes> keepReviewChanges(const SessionDocument &document, const ReviewChanges &changes)
{
    return document
        .change([&changes](Json &json) -> core::Result<void> {
            ReviewNotes notes = notesOf(json);
            changes.applyTo(notes);
            put(notes, json);
            return {};
        })
        .transform(notesOf);
}

} // namespace ui
