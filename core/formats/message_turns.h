// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <vector>

namespace core {

/// A tool's result and what stands with it: images, documents, further parts.
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

/// A text that its provider alone can read, such as the summary of an encrypted compaction: to every other API it would
/// be a text of nonsense.
[[nodiscard]] inline bool isSealed(const Block &block)
{
    return block.kind == BlockKind::Text && block.is(BlockFlag::Encrypted);
}

/// The array as turns: consecutive messages of the model are one (what Responses calls items is one message elsewhere),
/// consecutive results are one, each message of a person or the system is one. A result is a tool's, whoever's message
/// it stands in. Sealed texts are left out. O(blocks).
[[nodiscard]] std::vector<MessageTurn> turnsOf(const Transcript &transcript);

} // namespace core
