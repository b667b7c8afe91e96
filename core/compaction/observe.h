// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

namespace core {

/// The compaction that lies between two arrays, whoever made it: a recorded one, two requests that follow each other,
/// two files that a person dumped before and after their own middleware.
///
/// Blocks are aligned by identity where both arrays draw on one pool, else by equal text, in order; what is left by the
/// ids of tool calls, then by common beginnings and ends between aligned neighbours. What differs becomes rewrites;
/// what has no partner was dropped or summarised, or was added. Costs O(blocks), and reads the texts that identity does
/// not settle.
[[nodiscard]] Compaction observe(const Transcript &before, const Transcript &after, const BlockTokensPtr &afterTokens);

/// What the log tells of a recorded compaction beside its two arrays.
struct RecordedSizes {
    const RecordedCompaction *compaction = nullptr; ///< lives in the session
    std::optional<Unlogged> unloggedBefore;         ///< nothing where no usage is recorded
    std::optional<Unlogged> unloggedAfter;          ///< nor where no call was sent what stands after it
};

/// Of the recorded compaction of that number (from 0) in a thread. Costs O(calls + blocks of two arrays).
[[nodiscard]] RecordedSizes recordedSizes(
    const Session &session, ThreadIndex thread, size_t number, const BlockTokens &tokens);

/// The recorded compaction of that number (from 0) in a thread.
[[nodiscard]] Compaction observeRecorded(
    const SessionPtr &session, ThreadIndex thread, size_t number, const BlockTokensPtr &tokens);

} // namespace core
