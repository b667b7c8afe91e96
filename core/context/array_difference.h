// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <vector>

namespace core {

/// How the array of one call differs from that of another: what both begin with is cut from both.
struct ArrayDifference {
    std::vector<BlockRange> removed; ///< the rest of the one before
    std::vector<BlockRange> added;   ///< the rest of the one after
    uint64_t common = 0;             ///< blocks of the beginning
};

[[nodiscard]] std::vector<BlockRange> rangesOf(const BlockRanges &array);

/// O(ranges), however many blocks they hold.
[[nodiscard]] ArrayDifference differenceOf(const std::vector<BlockRange> &before, const std::vector<BlockRange> &after);

/// What stood in the array before a recorded compaction behind what the last call had been sent: its answer, results,
/// what was typed since. No call may ever be sent it. Nothing for compactions that are not the first one behind their
/// call, nor where the person had taken something back.
[[nodiscard]] std::vector<BlockRange> grownBefore(const Thread &thread, const RecordedCompaction &compaction);

/// Calls `visit` with each block of the ranges.
template <typename Visitor>
void forEachBlock(const std::vector<BlockRange> &ranges, const Visitor &visit)
{
    for (const BlockRange range : ranges) {
        for (uint32_t i = range.begin; i < range.end; ++i)
            visit(BlockId(i));
    }
}

} // namespace core
