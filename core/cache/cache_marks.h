// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <vector>

namespace core {

/// Where a harness puts its cache marks in the messages of an Anthropic request.
enum class MarkPlacement : uint8_t {
    StableAssistant, ///< iii-hq/workers PR 140: the end of the newest assistant message whose calls all have results
    LastUsers,       ///< Claude Code, SWE-agent: the ends of the last two user messages
    LastBlock,       ///< automatic caching (top-level `cache_control`): the last block
};

/// The blocks with a mark, in array order. O(blocks in the array).
[[nodiscard]] std::vector<BlockId> markedBlocks(const Transcript &array, MarkPlacement placement);

} // namespace core
