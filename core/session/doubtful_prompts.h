// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

namespace core {

/// Sets `Call::isDoubtful`. A recorded prompt is in doubt if it falls, and the prompt of one of the next three calls
/// returns, although the arrays say neither: most of the fall is back, and what entered the array since cannot explain
/// that. Such a figure is no clearing. (Two sessions of Codex record 27,581, 10,483 and 33,450 in a row.) Sizes of
/// arrays are taken from lengths alone. Costs O(blocks + ranges of the calls).
void markDoubtfulPrompts(Session &session);

} // namespace core
