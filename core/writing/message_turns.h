// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/writing/sealed.h"

#include <vector>

namespace core {

/// A tool result and its parts: images, documents, further parts, a second text of the same call. Every API takes one
/// result per call.
struct TurnResult {
    BlockId result;
    std::vector<BlockId> parts;
};

/// Consecutive blocks that every API sends with one role, however the session groups them into messages.
struct MessageTurn {
    Role role = Role::User;
    std::vector<BlockId> blocks;     ///< of a tool turn: blocks that belong to no result
    std::vector<TurnResult> results; ///< of a tool turn
};

/// Groups the array into turns: consecutive model messages are one turn (what the Responses API sends as several items
/// is one message in other APIs), consecutive results are one turn, each user or system message is one turn. A result
/// belongs to a tool turn whatever message it is in. Blocks that are left out are in no turn. A message that has only
/// such blocks makes no turn. O(blocks).
[[nodiscard]] std::vector<MessageTurn> turnsOf(const Transcript &transcript, Sealed sealed);

} // namespace core
