// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <vector>

namespace core {

/// A thread below the thread that started it.
struct ThreadNode {
    ThreadIndex thread;
    uint32_t depth = 0; ///< 0: nobody in this session started it
    /// The thread and the call whose answer started it. The call is invalid if the file does not tell it.
    Position startedAt;
    std::vector<BlockId> returned; ///< its results in the thread that started it
};

/// The thread in which a thread's tool call stands; invalid for a thread that is no subagent. A subagent whose call is
/// unknown belongs to the first thread.
[[nodiscard]] ThreadIndex starterOf(const Session &session, ThreadIndex thread);

/// The top of that chain: the thread itself if it is no subagent.
[[nodiscard]] std::vector<ThreadIndex> rootsOf(const Session &session);

/// All threads, each followed by those that it started, in the order in which it started them. O(blocks + calls).
[[nodiscard]] std::vector<ThreadNode> threadTree(const Session &session);

} // namespace core
