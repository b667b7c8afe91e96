// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"
#include "core/tokens/array_sums.h"

namespace core {

/// Derives a compaction from two arrays, whoever made it: a recorded one, two consecutive requests, two files that a
/// person dumped before and after their own middleware.
///
/// Aligns blocks by identity if both arrays use one pool, else by equal text, in order; the rest by ids of tool calls,
/// then by common prefixes and suffixes between aligned neighbours. Differing partners become rewrites; blocks without
/// a partner were dropped, summarised or added. Costs O(blocks), and reads the texts that identity does not decide.
[[nodiscard]] Compaction observe(const Transcript &before, const Transcript &after, const BlockTokensPtr &afterTokens);

/// Facts from the log about a recorded compaction, besides its two arrays.
struct RecordedSizes {
    const RecordedCompaction *compaction = nullptr; ///< owned by the session
    std::optional<ArraySum> sumBefore;              ///< nullopt without recorded usage
    std::optional<ArraySum> sumAfter;               ///< nullopt, too, if no call sent the `after` array
    bool isAfterSent = false;                       ///< `sumAfter` is of a call that sent just the `after` array
};

/// The sizes of the recorded compaction `number` (from 0) of a thread. `sums` are the thread's `arraySums`.
[[nodiscard]] RecordedSizes recordedSizes(
    const Session &session, ThreadIndex thread, size_t number, const ArraySums &sums);

/// The recorded compaction `number` (from 0) of a thread. In an event log, a text whose record comes after the
/// compaction's record is new: it counts as added, even if an earlier text is like it.
[[nodiscard]] Compaction observeRecorded(
    const SessionPtr &session, ThreadIndex thread, size_t number, const BlockTokensPtr &tokens);

} // namespace core
