// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_review.h"
#include "ui/look/theme.h"

#include <QString>

namespace ui {

/// What became of an edit, as far as is known: what the log tells, and where there is a repository, what that tells.
enum class EditFate : uint8_t {
    Reverted,
    NeverLanded,
    Failed,
    Interrupted,
    ChangedSince,
    Unknown,
    Landed,
    Outside, ///< a change that is none of the agent's
};
inline constexpr size_t kEditFateCount = 8;

[[nodiscard]] EditFate fateOf(const EditReview &review, size_t edit);
/// `landed`, `changed since`: short enough for a column.
[[nodiscard]] QString wordOf(EditFate fate);
[[nodiscard]] QColor colourOf(EditFate fate, const Theme &theme);

/// `#41`; of a change outside the log empty where nothing shows it.
[[nodiscard]] QString numberOf(const core::Session &session, core::BlockId block);
/// `own edit #57, 3 calls before, in context`; empty where none is needed, and until it is known.
[[nodiscard]] QString basisWords(const EditReview &review, size_t edit);
[[nodiscard]] QString planBasisWords(const EditReview &review, size_t edit);
/// `changed outside the log between #41 and #88`.
[[nodiscard]] QString outsideWords(const FoundEdits &found, size_t edit);
/// `write, new file`: what it does where it rests on nothing.
[[nodiscard]] QString deedWords(const core::Edit &edit);
/// `+12`, `≥12` where it is at least as many.
[[nodiscard]] QString countWords(QChar sign, uint64_t lines, bool isExact);
/// `58 edits in 14 files · 23 of 58 reviewed · 51 landed · 1 reverted`.
[[nodiscard]] QString summaryWords(const EditReview &review);

/// `Left out: 3 changes in 1 file, as the log does not show …`, each reason once; empty where nothing is.
[[nodiscard]] QString leftOutWords(const std::vector<core::UnpatchedFile> &leftOut);

} // namespace ui
