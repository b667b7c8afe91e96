// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "core/context/array_difference.h"

#include <algorithm>

namespace core {

std::vector<BlockRange> rangesOf(const BlockRanges &array)
{
    std::vector<BlockRange> ranges;
    array.forEachRange([&](BlockRange range) { ranges.push_back(range); });
    return ranges;
}

ArrayDifference differenceOf(const std::vector<BlockRange> &before, const std::vector<BlockRange> &after)
{
    const auto [left, right] = std::ranges::mismatch(before, after);
    ArrayDifference difference { { left, before.end() }, { right, after.end() }, 0 };
    for (auto each = before.begin(); each != left; ++each)
        difference.common += each->size();
    // Differing ranges may share a prefix: one array may store as two ranges what the other stores as one.
    size_t gone = 0;
    size_t come = 0;
    while (gone < difference.removed.size() && come < difference.added.size()) {
        BlockRange &old = difference.removed[gone];
        BlockRange &fresh = difference.added[come];
        if (old.begin != fresh.begin)
            break;
        const uint32_t shared = std::min(old.size(), fresh.size());
        difference.common += shared;
        old.begin += shared;
        fresh.begin += shared;
        gone += old.size() == 0 ? 1 : 0;
        come += fresh.size() == 0 ? 1 : 0;
    }
    const auto cut = [](std::vector<BlockRange> &ranges, size_t count) {
        ranges.erase(ranges.begin(), ranges.begin() + static_cast<ptrdiff_t>(count));
    };
    cut(difference.removed, gone);
    cut(difference.added, come);
    return difference;
}

std::vector<BlockRange> grownBefore(const Thread &thread, const RecordedCompaction &compaction)
{
    if (!compaction.call.isValid() || compaction.call.index() >= thread.calls.size())
        return {};
    const auto first = std::ranges::find(thread.compactions, compaction.call, &RecordedCompaction::call);
    if (&*first != &compaction || compaction.kind == CompactionKind::Rollback)
        return {};
    ArrayDifference difference
        = differenceOf(rangesOf(thread.calls[compaction.call.index()].input), rangesOf(compaction.before));
    return difference.removed.empty() ? std::move(difference.added) : std::vector<BlockRange>();
}

} // namespace core
