// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/json/json.h"

#include <QString>

#include <filesystem>
#include <set>
#include <string>

namespace ui {

/// Identity of an edit from one run of the program to the next: the key of its tool call (see core::BlockKeys), the
/// file, and its number among the call's changes of that file.
struct EditName {
    std::string block;
    std::string path;
    size_t ordinal = 0;
    friend auto operator<=>(const EditName &, const EditName &) = default;
};

/// A person's notes on the edits of one session file. Kept beside the session, never in it.
struct ReviewNotes {
    std::set<EditName> reviewed; ///< also names that the session has no edit for any more
    std::string repository;      ///< the folder that was chosen to hold the edits against; empty for the session's own
    core::Json document;         ///< as it was read: members that are not known here stay
};

/// `$XDG_DATA_HOME/palimpsest/reviewed/NAME-HASH.json`: the name of the session file and the hash of its whole path.
[[nodiscard]] QString reviewNotesFile(const std::filesystem::path &session);
/// Notes that are not there are empty ones. An error if the file is newer than we know, or no such document.
[[nodiscard]] core::Result<ReviewNotes> readReviewNotes(const QString &path);
/// Writes a document of schema `palimpsest.reviewed/1` beside the file and renames. Any thread.
[[nodiscard]] core::Result<void> writeReviewNotes(const ReviewNotes &notes, const QString &path);

} // namespace ui
