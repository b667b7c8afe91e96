// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <vector>

namespace core {

/// What one call changes of the array before it: only the first `kept` blocks stay, the others follow them.
struct LogStep {
    uint32_t kept = 0;
    uint32_t first = 0; ///< into AppendLog::added
    uint32_t count = 0;

    [[nodiscard]] uint32_t size() const { return kept + count; } ///< blocks of the array
};

/// The array of every call of a thread as it would be without any compaction: every block as it first entered.
///
/// Up to the first recorded summary, clearing or replacement the arrays are the recorded ones, to the block. From there
/// on recorded summaries, stubs and what the harness put back (injected blocks that first enter with the array after
/// it) are left out, and what was evicted or cleared stays. What the person took back (a rewind) is taken back here
/// too. What came in behind the last call before a compaction (its answer, results, what was typed) enters with the
/// next call, whether or not a recorded array ever showed it. Those later calls are counterfactual: the recorded model
/// answered another array.
struct AppendLog {
    SessionPtr session;
    ThreadIndex thread { 0U };
    std::vector<LogStep> steps; ///< of each call, and one more: the array after the last record
    std::vector<BlockId> added;
    uint32_t firstCounterfactual = 0; ///< the first such call; the number of calls if there is none

    [[nodiscard]] size_t callCount() const { return steps.size() - 1; }
    [[nodiscard]] std::span<const BlockId> addedAt(size_t step) const
    {
        return std::span(added).subspan(steps[step].first, steps[step].count);
    }
    /// The array of one call, or after the last record. O(blocks of all calls before).
    [[nodiscard]] std::vector<BlockId> arrayAt(size_t step) const;
};

/// Costs O(blocks + ranges of the thread's calls); after a recorded compaction a call costs its ranges and what
/// changed.
[[nodiscard]] AppendLog appendLog(const SessionPtr &session, ThreadIndex thread);

} // namespace core
