// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_review.h"
#include "ui/look/theme.h"

#include <QString>

namespace ui {

/// The state of an edit from everything known: the log and, if there is one, the repository.
enum class EditFate : uint8_t {
    Reverted,
    NeverLanded,
    Failed,
    Interrupted,
    ChangedSince,
    Unknown,
    Landed,
    Replaced, ///< it landed, and later edits replaced all of its text
    Deleted,  ///< it landed, and the file was deleted later
    Outside,  ///< not made by the agent
};
inline constexpr size_t kEditFateCount = 10;
/// A set of states.
using EditFates = uint16_t;
[[nodiscard]] constexpr EditFates only(EditFate fate)
{
    return static_cast<EditFates>(1U << static_cast<unsigned>(fate));
}
inline constexpr EditFates kAllFates = (1U << kEditFateCount) - 1;

[[nodiscard]] EditFate fateOf(const EditReview &review, size_t edit);
/// Whether nothing of the edit's text is left, so that a review of it is of no use.
[[nodiscard]] constexpr bool isGone(EditFate fate) { return fate == EditFate::Replaced || fate == EditFate::Deleted; }
/// Short texts for a column: `landed`, `changed since`.
[[nodiscard]] QString wordOf(EditFate fate);
[[nodiscard]] QColor colourOf(EditFate fate, const Theme &theme);

/// `#41`; empty for a change outside of the log that no block shows.
[[nodiscard]] QString numberOf(const core::Session &session, core::BlockId block);
/// `replaced by #336`, `replaced in part by #336`; the short text if no later edit removes a line.
[[nodiscard]] QString fateWords(const EditReview &review, size_t edit);
/// `own edit #57, 3 calls before, in context`; empty if NotNeeded or not known yet.
[[nodiscard]] QString basisWords(const EditReview &review, size_t edit);
[[nodiscard]] QString planBasisWords(const EditReview &review, size_t edit);
/// `changed outside the log between #41 and #88`.
[[nodiscard]] QString outsideWords(const FoundEdits &found, size_t edit);
/// The kind of an edit without a basis: `write, new file`.
[[nodiscard]] QString deedWords(const core::Edit &edit);
/// `+12`, `≥+12` for a lower bound, `+?` where nothing is known.
[[nodiscard]] QString countWords(QChar sign, uint64_t lines, bool isExact);
/// What became of an edit, in whole sentences: `The edit landed. Later it was replaced by #336: none of its new lines
/// is left.`
[[nodiscard]] QString fateSentence(const EditReview &review, size_t edit);
/// `58 edits in 14 files · 51 landed · 1 reverted`, and a line on the review: `23 of 58 reviewed · 2 comments`.
[[nodiscard]] QString summaryWords(const EditReview &review);
/// The same, with a line on the review as long as it can become.
[[nodiscard]] QString longestSummaryWords(const EditReview &review);

/// Which files a patch has no diff of, and why, each reason once: `Left out: a.txt (3 changes), because the log does
/// not show …`. Names at most so many files for each reason. Empty if the patch has a diff of every file.
[[nodiscard]] QString leftOutWords(const core::CumulatedPatch &patch, size_t mostNames);

} // namespace ui
