// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <vector>

namespace core {

/// A tool call that shows or changes files, with its result.
struct ToolEvent {
    BlockId call;
    BlockId result; ///< invalid without a result
    ThreadIndex thread;
    Timestamp time = 0; ///< of the result; that of the event before if not recorded
};

/// The tool calls of a session in the order of their results. Main thread and subagents share their files, so their
/// calls are ordered by time together; each run (ThreadKind::Run) is ordered separately. Calls with equal times keep
/// the order of the pool.
[[nodiscard]] std::vector<ToolEvent> toolEvents(const Session &session);

} // namespace core
