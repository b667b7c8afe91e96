// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

#include <optional>

namespace ui {

/// Opens a field for a message `#n`, a slot `[n]` or a call number, and goes there. Not modal.
void askWhereToGo(ViewState &state, QWidget *parent);
/// Why a place, written as in that field, leads nowhere; empty if it is a place.
[[nodiscard]] QString problemOfPlace(const ViewState &state, const QString &answer);
/// Goes to a place; nothing happens if it leads nowhere.
void goToPlace(ViewState &state, const QString &answer);

/// Goes to the nearest recorded compaction of the thread after the shown call (1), or before it (-1).
void goToCompaction(ViewState &state, int direction);
/// Goes to the next or previous bookmark in the order of the session, with wrap-around.
void goToBookmark(ViewState &state, int direction);

/// The thread that the current block, a tool call or its result, started.
[[nodiscard]] std::optional<core::ThreadIndex> subagentOf(const ViewState &state);
/// Whether the message of the current block, or the call of the current result, asks for a change of a file.
[[nodiscard]] bool mayShowEdit(const ViewState &state);
/// Goes to the heaviest call of that thread.
void openSubagent(ViewState &state);

} // namespace ui
