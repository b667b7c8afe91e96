// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <vector>

namespace core {

/// A tool call and its answer, which shows or changes files.
struct ToolEvent {
    BlockId call;
    BlockId result; ///< invalid without an answer
    ThreadIndex thread;
    Timestamp time = 0; ///< of the answer; without a recorded time that of the event before
};

/// The tool calls of a session in the order of their answers. Main thread and subagents share their files, so they are
/// ordered by time together; each run (ThreadKind::Run) is ordered by itself. Calls of equal time stand as in the pool.
[[nodiscard]] std::vector<ToolEvent> toolEvents(const Session &session);

} // namespace core
