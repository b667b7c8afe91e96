// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/view_state.h"

namespace ui {

/// Asks for a message `#n`, a slot `[n]` or the number of a call, and goes there. Not modal.
void askWhereToGo(ViewState &state, QWidget *parent);

/// Goes to the nearest recorded compaction of the thread after the call that is shown, or before it (-1).
void goToCompaction(ViewState &state, int direction);

} // namespace ui
