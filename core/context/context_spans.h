// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"
#include "core/tokens/array_sums.h"

#include <vector>

namespace core {

/// A block was in the context of the calls `[from, to)`. The range is empty if a compaction removed the block before
/// any call sent it.
struct ContextSpan {
    BlockId block;
    uint32_t from = 0;
    uint32_t to = 0;
    friend bool operator==(const ContextSpan &, const ContextSpan &) = default;
};

/// A rewrite of the context. `firstCall` is the first call that sent the result.
struct ContextRewrite {
    uint32_t firstCall = 0;
    CompactionKind kind = CompactionKind::Summary;
    friend bool operator==(const ContextRewrite &, const ContextRewrite &) = default;
};

/// Which blocks were in the context of which calls of one thread, as recorded or as a policy would have it. Index
/// `callCount` stands for the final array, which a next call would send. A block that a silent clearing may
/// have removed is in `spans` and in `unsure`.
struct ContextSpans {
    SessionPtr session; ///< owns the block pool; the session of a policy run appends the blocks it made to the recorded
                        ///< pool
    uint32_t callCount = 0;
    std::vector<ContextSpan> spans;        ///< sorted by block, then by `from`; spans of one block do not touch
    std::vector<ContextRewrite> rewrites;  ///< the first is "compaction 1"; `firstCall` ascends
    BlockRanges end;                       ///< the final array in order, without the prelude
    std::vector<SilentClearing> clearings; ///< of these arrays, ascending
    std::vector<UnsureSpan> unsure;        ///< of the clearings, by block

    void setClearings(std::vector<SilentClearing> silent);
    [[nodiscard]] bool mayBeMissing(BlockId block, uint32_t call) const
    {
        return core::mayBeMissing(unsure, block, call);
    }
};

/// The spans of the recorded arrays, recorded preludes included, and of user messages that a compaction removed before
/// any call sent them. `sums` give the silent clearings. Without `sums`, `unsure` is empty. Costs O(ranges of all calls
/// + changes between them), not the sum of the array sizes.
[[nodiscard]] ContextSpans recordedSpans(
    const SessionPtr &session, ThreadIndex thread, const ArraySums *sums = nullptr);

} // namespace core
