// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/json/json.h"

#include <QString>

#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace ui {

/// Identity of an edit across runs of the program: the key of its tool call (see core::BlockKeys), the file, and its
/// index among the call's changes of that file.
struct EditName {
    std::string block;
    std::string path;
    size_t ordinal = 0;
    friend auto operator<=>(const EditName &, const EditName &) = default;
};

/// The user's notes on the edits of one session file. Stored apart from the session.
struct ReviewNotes {
    std::set<EditName> reviewed;              ///< may contain names of edits that the session no longer has
    std::map<EditName, std::string> comments; ///< the same
    std::string repository;                   ///< chosen folder to compare edits with; empty for the session's own
    core::Json document;                      ///< as read, with unknown members
};

/// `$XDG_DATA_HOME/palimpsest/reviewed/NAME-HASH.json`: name of the session file and hash of its full path.
[[nodiscard]] QString reviewNotesFile(const std::filesystem::path &session);
/// Missing notes are empty. Fails if the file has a newer schema or is another document.
[[nodiscard]] core::Result<ReviewNotes> readReviewNotes(const QString &path);
/// Writes a document of schema `palimpsest.reviewed/1` atomically. Any thread.
[[nodiscard]] core::Result<void> writeReviewNotes(const ReviewNotes &notes, const QString &path);

} // namespace ui
