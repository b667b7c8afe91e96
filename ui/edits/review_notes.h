// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/files/session_document.h"

#include <map>
#include <optional>
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
    std::set<EditName> sentBack;              ///< the same; an edit that is reviewed, too, counts as reviewed
    std::map<EditName, std::string> comments; ///< the same
    std::string repository;                   ///< chosen folder to compare edits with; empty for the session's own
};

/// What a window changed in the notes since it last wrote them.
struct ReviewChanges {
    std::map<EditName, bool> reviewed;
    std::map<EditName, bool> sentBack;
    std::map<EditName, std::string> comments; ///< an empty text removes the comment
    std::optional<std::string> repository;

    [[nodiscard]] bool isEmpty() const
    {
        return reviewed.empty() && sentBack.empty() && comments.empty() && !repository;
    }
    void applyTo(ReviewNotes &notes) const;
    /// Takes out the changes that were written, unless they have changed again.
    void remove(const ReviewChanges &written);
};

/// The document `palimpsest.reviewed/1` of a session, in the folder `reviewed`.
[[nodiscard]] SessionDocument reviewDocument(const std::filesystem::path &session);
/// Missing notes are empty. Earlier versions wrote no member `sent_back`, and keep one that is there: for them an edit
/// with a comment and without a tick was sent back, so it stays sent back.
[[nodiscard]] core::Result<ReviewNotes> readReviewNotes(const SessionDocument &document);
/// Applies the changes to the notes in the file and returns them all.
[[nodiscard]] core::Result<ReviewNotes> keepReviewChanges(
    const SessionDocument &document, const ReviewChanges &changes);

} // namespace ui
