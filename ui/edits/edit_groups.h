// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/edits/edit_words.h"

#include <QString>

#include <vector>

namespace ui {

enum class EditGrouping : uint8_t { File, Time, Basis, State };

/// Edits under one title of the list.
struct EditGroup {
    QString title;
    bool isAlarm = false;      ///< the group deserves a look
    std::vector<size_t> edits; ///< in the order of time
    uint64_t added = 0;        ///< lines
    uint64_t removed = 0;
    bool isCountKnown = true;
};

/// Groups the edits whose path holds every word of `filter` (letters of either case), or whose number it is (`#41`).
/// Groups by file and time are in the order of their first edits; groups by basis and state have the worst first. Each
/// edit is in one group. O(edits).
[[nodiscard]] std::vector<EditGroup> editGroups(
    const EditReview &review, EditGrouping grouping, const QString &filter = {});

} // namespace ui
