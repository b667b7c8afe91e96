// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_words.h"

#include <QString>

#include <vector>

namespace ui {

enum class EditGrouping : uint8_t { File, Time, Basis, State };

/// A group of edits with its title in the list.
struct EditGroup {
    QString title;
    bool isAlarm = false;      ///< the group needs attention
    std::vector<size_t> edits; ///< in chronological order
    uint64_t added = 0;        ///< lines
    uint64_t removed = 0;
    bool isCountKnown = true;
};

/// Which edits a list shows.
struct EditFilter {
    QString words;               ///< empty for all edits
    std::vector<size_t> edits;   ///< ascending; those that the words find as a filter line
    EditFates fates = kAllFates; ///< only edits in these states
};

/// Groups the edits whose path contains every word of the filter (ignoring case), whose number it is (`#41`), or which
/// are among its edits; and only those in the states of the filter. Groups by file and time are in the order of their
/// first edits; groups by basis and state start with the worst. Each edit is in one group. O(edits).
[[nodiscard]] std::vector<EditGroup> editGroups(
    const EditReview &review, EditGrouping grouping, const EditFilter &filter = {});

} // namespace ui
