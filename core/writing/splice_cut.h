// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What is removed from a session's file to make a call's array the final array of its thread: everything that came
/// into the thread later, and the subagents that later tool calls started. Earlier content that was not in the array
/// (compacted messages, abandoned branches) stays.
struct SpliceCut {
    uint64_t from = 0;                ///< everything before this offset stays
    std::vector<MessageId> messages;  ///< to remove, ascending
    std::vector<BlockId> blocks;      ///< to remove from messages that stay, ascending
    std::vector<ThreadIndex> threads; ///< removed together with the calls that started them
    std::vector<std::string> notes;   ///< sentences for the user about the cut
};

/// Offsets at which the content after a call may begin: at the call's response, else behind the array's last record.
/// The most likely first; empty if nothing of the array is in the file.
[[nodiscard]] std::vector<uint64_t> cutPlaces(const Session &session, Position position);

/// The cut at one of these offsets. `position` must be a call's. O(blocks × calls' changes).
[[nodiscard]] SpliceCut cutAt(const Session &session, Position position, uint64_t from);

} // namespace core
