// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <vector>

namespace core {

/// How one call's array differs from the array before it: keeps the first `kept` blocks, then appends `count` blocks.
struct LogStep {
    uint32_t kept = 0;
    uint32_t first = 0; ///< index into AppendLog::added
    uint32_t count = 0;

    [[nodiscard]] uint32_t size() const { return kept + count; } ///< size of the array in blocks
};

/// The arrays of a thread's calls as they would be if nothing had ever been compacted.
///
/// Up to the first recorded summary, clearing or replacement the arrays equal the recorded arrays, block for block.
/// After it, the log leaves out recorded summaries, stubs, and blocks that the harness injected again with the array
/// after the compaction; it keeps evicted and cleared blocks. A rewind by the user is applied here too. Blocks that
/// came in after the last call before a compaction (its response, tool results, user input) enter with the next call,
/// even if no recorded array ever contained them. The calls after a compaction are counterfactual: the recorded model
/// answered another array.
struct AppendLog {
    SessionPtr session;
    ThreadIndex thread { 0U };
    std::vector<LogStep> steps; ///< one per call, and one more for the array after the last record
    std::vector<BlockId> added;
    uint32_t firstCounterfactual = 0; ///< the first counterfactual call; the number of calls if there is none

    [[nodiscard]] size_t callCount() const { return steps.size() - 1; }
    [[nodiscard]] std::span<const BlockId> addedAt(size_t step) const
    {
        return std::span(added).subspan(steps[step].first, steps[step].count);
    }
    /// The array of one call, or after the last record. O(blocks of all earlier calls).
    [[nodiscard]] std::vector<BlockId> arrayAt(size_t step) const;
};

/// Costs O(blocks + ranges of the thread's calls). After a recorded compaction a call costs its ranges and its changes.
[[nodiscard]] AppendLog appendLog(const SessionPtr &session, ThreadIndex thread);

} // namespace core
