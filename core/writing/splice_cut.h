// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What leaves a session's file when one of its threads is to end with the array that a call was sent: what came into
/// the thread later, and the subagents that were started by a tool call of that. What never was in that array and
/// stands before (what a compaction replaced, abandoned branches) stays.
struct SpliceCut {
    uint64_t from = 0;                ///< what stands before in the file, stays
    std::vector<MessageId> messages;  ///< that leave, ascending
    std::vector<BlockId> blocks;      ///< that leave out of messages that stay, ascending
    std::vector<ThreadIndex> threads; ///< that leave with the calls that started them
    std::vector<std::string> notes;   ///< what is to be known about it
};

/// Where what came after a call may begin: the response of the call, else behind the array's last record. Offsets of
/// the file, the likeliest first; empty if nothing of the array stands in the file.
[[nodiscard]] std::vector<uint64_t> cutPlaces(const Session &session, Position position);

/// The cut at one of these places. The position is that of a call. O(blocks × calls' changes).
[[nodiscard]] SpliceCut cutAt(const Session &session, Position position, uint64_t from);

} // namespace core
