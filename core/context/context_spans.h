// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <vector>

namespace core {

/// A block stood in the context of the calls `[from, to)`; of none, where a compaction took it before it was sent.
struct ContextSpan {
    BlockId block;
    uint32_t from = 0;
    uint32_t to = 0;
    friend bool operator==(const ContextSpan &, const ContextSpan &) = default;
};

/// Where a context was rewritten: call `firstCall` was the first to be sent what came out of it.
struct ContextRewrite {
    uint32_t firstCall = 0;
    CompactionKind kind = CompactionKind::Summary;
    friend bool operator==(const ContextRewrite &, const ContextRewrite &) = default;
};

/// What stood in the context over the calls of one thread, recorded or as a policy would have it. Index `callCount`
/// stands for the array at the end, which a next call would be sent.
struct ContextSpans {
    SessionPtr session; ///< whose pool the blocks are in; that of a policy holds the blocks it made behind the others
    uint32_t callCount = 0;
    std::vector<ContextSpan> spans;       ///< by block, then by `from`; those of a block do not touch
    std::vector<ContextRewrite> rewrites; ///< the first is "compaction 1"; `firstCall` ascends
    BlockRanges end;                      ///< the array at the end in its order, without the prelude
};

/// The spans of the recorded arrays, recorded preludes included, and of what the person typed that a compaction took
/// before any call was sent it. Costs O(ranges of all calls + changes between them), not the sum of all arrays.
[[nodiscard]] ContextSpans recordedSpans(const SessionPtr &session, ThreadIndex thread);

} // namespace core
