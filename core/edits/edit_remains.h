// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/edit_states.h"
#include "core/edits/edits.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// How much of the text of an edit the later changes in the session left in the file.
enum class RemainsKind : uint8_t {
    None,     ///< nothing to ask: it did not land, or it adds no lines
    Whole,    ///< no later change removes any of its lines
    Part,     ///< later changes remove some of its lines; others stay, or it is not known whether they do
    Replaced, ///< later changes remove all of its lines
    Deleted,  ///< the file is deleted, and nothing had replaced all of its lines before
    Unknown,  ///< the log does not show whether its lines are still there
};

/// What became of the text of one edit in the rest of the session.
struct EditRemains {
    RemainsKind kind = RemainsKind::None;
    std::vector<size_t> by;          ///< the edits that remove its lines, in order; without `deletedBy`
    std::optional<size_t> deletedBy; ///< the edit that deletes the file, for Deleted
    std::optional<size_t> perhapsBy; ///< for unknown lines: the edit after which they are no longer known
    uint64_t added = 0;              ///< its lines; without blank lines and brackets, unless it adds nothing else
    uint64_t left = 0;               ///< of these, the lines that are there at the end
    uint64_t unknown = 0;            ///< of these, the lines of which it is not known

    /// Nothing of its text is left in the file.
    [[nodiscard]] bool isGone() const { return kind == RemainsKind::Replaced || kind == RemainsKind::Deleted; }
};

/// For every edit what the later ones of all threads left of its text. Follows each line through the bodies of its file
/// as a blame does, also through moves of the file. A line that an edit only moves inside the file stays with the edit
/// that wrote it; so does a line that a command or a change outside of the log brings back. A line that a body does not
/// show counts as unknown until a later body or an old text shows it. Costs two comparisons of bodies for each edit.
[[nodiscard]] std::vector<EditRemains> editRemains(const Edits &edits);

/// `no later edit replaces it` · `replaced in part by #336, #400` · `replaced by #336` · `file deleted by #602` · `not
/// known whether a later edit replaces it`; empty for None.
[[nodiscard]] std::string remainsText(const Edits &edits, size_t number, const EditRemains &remains);

/// `landed · replaced by #71`; only the outcome if the edit did not land. `reported as landed` if the log says that it
/// landed and `standing` says that it did not.
[[nodiscard]] std::string outcomeText(
    const Edits &edits, size_t number, const EditRemains &remains, const EditStanding *standing = nullptr);

} // namespace core
