// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <vector>

namespace core {

/// A tool's result and what stands with it: images, documents, further parts, a second text of the same call. Every API
/// takes one result for a call.
struct TurnResult {
    BlockId result;
    std::vector<BlockId> parts;
};

/// Consecutive blocks that every API sends under one role, whatever messages the session has them in.
struct MessageTurn {
    Role role = Role::User;
    std::vector<BlockId> blocks;     ///< of a turn of tools: those that belong to no result
    std::vector<TurnResult> results; ///< of a turn of tools
};

/// Whether what its provider alone can read goes along: no other one can use it.
enum class Sealed : uint8_t { Stays, IsLeftOut };

/// What its provider alone can read and the array can do without: the summary of an encrypted compaction, thinking. To
/// every other API it would be nonsense. A sealed result is none of these: its call needs it.
[[nodiscard]] inline bool isLeftOut(const Block &block, Sealed sealed)
{
    return block.is(BlockFlag::Encrypted)
        && (block.kind == BlockKind::Text || (block.kind == BlockKind::Thinking && sealed == Sealed::IsLeftOut));
}

/// The array as turns: consecutive messages of the model are one (what Responses calls items is one message elsewhere),
/// consecutive results are one, each message of a person or the system is one. A result is a tool's, whoever's message
/// it stands in. What is left out is in none, and a message of nothing else is no turn. O(blocks).
[[nodiscard]] std::vector<MessageTurn> turnsOf(const Transcript &transcript, Sealed sealed);

} // namespace core
