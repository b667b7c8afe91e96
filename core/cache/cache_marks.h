// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <span>
#include <vector>

namespace core {

/// Where a harness puts its cache marks on the messages of an Anthropic request.
enum class MarkPlacement : uint8_t {
    StableAssistant, ///< iii-hq/workers PR 140: the end of the newest assistant message whose calls all have results
    LastUsers,       ///< Claude Code, SWE-agent: the ends of the last two user messages
    LastBlock,       ///< automatic caching (top-level `cache_control`): the last block
};

/// The blocks that get a mark, in array order. O(blocks in the array).
[[nodiscard]] std::vector<BlockId> markedBlocks(const Transcript &array, MarkPlacement placement);

/// Marks before the messages.
struct PreludeMarks {
    bool isSystemMarked = false;
    std::optional<size_t> tool; ///< the tool definition that is marked
    friend bool operator==(const PreludeMarks &, const PreludeMarks &) = default;
};

/// As in iii-hq/workers PR 140: the system prompt from 4,096 bytes on, and the last tool where all definitions
/// together, serialised, have as many.
[[nodiscard]] PreludeMarks preludeMarks(uint64_t systemBytes, std::span<const uint64_t> toolBytes);

} // namespace core
