// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/cumulated_patch.h"
#include "core/edits/session_bases.h"
#include "ui/edits/review_notes.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The edits of a session, with the data for lists and diffs of them. Immutable; found on a worker thread.
struct FoundEdits {
    core::Edits edits;
    std::vector<core::FileLife> lives; ///< by file, in the order of the first edits
    std::vector<EditName> names;       ///< by edit
    std::vector<std::string> moments; ///< turns and threads in which edits were made, in order: `Turn 3 · fix the test`
    std::vector<size_t> momentOf;     ///< by edit
    size_t ownCount = 0;              ///< edits that the agent made: all but those outside the log

    [[nodiscard]] const core::Edit &edit(size_t number) const { return edits.edits[number]; }
    [[nodiscard]] size_t count() const { return edits.edits.size(); }
    [[nodiscard]] bool isOutside(size_t number) const { return edit(number).origin == core::EditOrigin::Outside; }
    /// The block of an edit: its tool call; for a change outside the log, the block that shows it.
    [[nodiscard]] core::BlockId blockOf(size_t number) const
    {
        return isOutside(number) ? edit(number).result : edit(number).use;
    }
    /// The first edit that a block made, else the one that its message made; nothing if it made none.
    [[nodiscard]] std::optional<size_t> editOf(core::BlockId block) const;
    /// The life of the file of an edit; nullptr if no edit of that file landed.
    [[nodiscard]] const core::FileLife *lifeOf(size_t number) const;
};
using FoundEditsPtr = std::shared_ptr<const FoundEdits>;

/// Costs what core::findEdits costs, and the keys of all blocks. nullptr if cancelled.
[[nodiscard]] FoundEditsPtr foundEdits(const core::SessionPtr &session, core::Progress *progress = nullptr);

} // namespace ui
