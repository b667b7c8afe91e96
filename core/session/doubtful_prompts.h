// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

namespace core {

/// Sets `Call::isDoubtful`. A recorded prompt is in doubt if it is smaller than the prompt before, and one of the next
/// three prompts is about as large as before (most of the loss is back), although the new blocks are too small for
/// that, and the arrays do not explain the fall. Such a figure is not a clearing. (A session of Codex records 27,581,
/// 10,483 and 33,450 in a row.) Prompts on both sides of a recorded compaction that wrote the array anew are not
/// compared. Sizes of arrays are estimated from lengths. Costs O(blocks + ranges of the calls).
void markDoubtfulPrompts(Session &session);

} // namespace core
