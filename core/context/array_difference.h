// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <vector>

namespace core {

/// The difference between the arrays of two calls, without their common prefix.
struct ArrayDifference {
    std::vector<BlockRange> removed; ///< the rest of the first array
    std::vector<BlockRange> added;   ///< the rest of the second array
    uint64_t common = 0;             ///< blocks in the common prefix
};

[[nodiscard]] std::vector<BlockRange> rangesOf(const BlockRanges &array);

/// O(ranges), independent of the number of blocks.
[[nodiscard]] ArrayDifference differenceOf(const std::vector<BlockRange> &before, const std::vector<BlockRange> &after);

/// Blocks that entered the array between the last call and a recorded compaction: the call's response, tool results,
/// user input. Possibly no call ever sent them. Empty if the compaction is not the first one after its call, or if the
/// user had rewound.
[[nodiscard]] std::vector<BlockRange> grownBefore(const Thread &thread, const RecordedCompaction &compaction);

/// Calls `visit` for each block of the ranges, in order.
template <typename Visitor>
void forEachBlock(const std::vector<BlockRange> &ranges, const Visitor &visit)
{
    for (const BlockRange range : ranges) {
        for (uint32_t i = range.begin; i < range.end; ++i)
            visit(BlockId(i));
    }
}

} // namespace core
