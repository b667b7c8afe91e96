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
    Outside, ///< not made by the agent
};
inline constexpr size_t kEditFateCount = 8;

[[nodiscard]] EditFate fateOf(const EditReview &review, size_t edit);
/// Short texts for a column: `landed`, `changed since`.
[[nodiscard]] QString wordOf(EditFate fate);
[[nodiscard]] QColor colourOf(EditFate fate, const Theme &theme);

/// `#41`; empty for a change outside of the log that no block shows.
[[nodiscard]] QString numberOf(const core::Session &session, core::BlockId block);
/// `own edit #57, 3 calls before, in context`; empty if NotNeeded or not known yet.
[[nodiscard]] QString basisWords(const EditReview &review, size_t edit);
[[nodiscard]] QString planBasisWords(const EditReview &review, size_t edit);
/// `changed outside the log between #41 and #88`.
[[nodiscard]] QString outsideWords(const FoundEdits &found, size_t edit);
/// The kind of an edit without a basis: `write, new file`.
[[nodiscard]] QString deedWords(const core::Edit &edit);
/// `+12`, `≥+12` for a lower bound, `+?` where nothing is known.
[[nodiscard]] QString countWords(QChar sign, uint64_t lines, bool isExact);
/// `58 edits in 14 files · 23 of 58 reviewed · 51 landed · 1 reverted`.
[[nodiscard]] QString summaryWords(const EditReview &review);

/// `Left out: 3 changes in 1 file, as the log does not show …`, each reason once; empty if nothing is left out.
[[nodiscard]] QString leftOutWords(const std::vector<core::UnpatchedFile> &leftOut);

} // namespace ui
