// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/cumulated_patch.h"
#include "core/edits/edit_remains.h"
#include "core/edits/session_bases.h"
#include "ui/edits/review_notes.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui {

/// The edits of a session with data for lists and diffs. Immutable; computed on a worker thread.
struct FoundEdits {
    core::Edits edits;
    std::vector<core::EditRemains> remains; ///< by edit
    std::vector<core::FileLife> lives;      ///< by file, in the order of first edits
    std::vector<EditName> names;            ///< by edit
    std::vector<std::string> moments;       ///< turns and threads with edits, in order: `Turn 3 · fix the test`
    std::vector<size_t> momentOf;           ///< by edit
    size_t restored = 0;                    ///< files in `lives` that end as they began
    size_t ownCount = 0;                    ///< edits by the agent, without changes outside of the log

    [[nodiscard]] const core::Edit &edit(size_t number) const { return edits.edits[number]; }
    [[nodiscard]] size_t count() const { return edits.edits.size(); }
    [[nodiscard]] bool isOutside(size_t number) const { return edit(number).origin == core::EditOrigin::Outside; }
    /// The block of an edit: its tool call, or the block that shows a change outside of the log.
    [[nodiscard]] core::BlockId blockOf(size_t number) const
    {
        return isOutside(number) ? edit(number).result : edit(number).use;
    }
    /// The first edit that a block made, else the first that its message made; nullopt if there is none.
    [[nodiscard]] std::optional<size_t> editOf(core::BlockId block) const;
    /// The history of an edit's file; nullptr if no edit of that file landed.
    [[nodiscard]] const core::FileLife *lifeOf(size_t number) const;
};
using FoundEditsPtr = std::shared_ptr<const FoundEdits>;

/// Costs core::findEdits plus the keys of all blocks. nullptr if cancelled.
[[nodiscard]] FoundEditsPtr foundEdits(const core::SessionPtr &session, core::Progress *progress = nullptr);

} // namespace ui
