// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/builder.h"

namespace core {

/// One recorded request body.
struct RequestDraft {
    std::vector<MessageDraft> messages; ///< the array, in order
    std::vector<Block> prelude;         ///< system prompt and tool definitions (`BlockFlag::Tools`), in order
    std::vector<MessageDraft> response; ///< the response, if recorded
    std::optional<Usage> usage;
    std::optional<Timestamp> time;
    StringId model;
    StringId responseId;
    uint64_t line = 0;
};

/// Turns a recording of whole requests into a session that contains every block once.
///
/// **Identity.** A request is compared with the array before it (input and recorded response) block by block: role and
/// content, cache marks ignored (`align()`). So a message that only gained or lost a block keeps the others, and a
/// clipped or removed middle keeps its tail. A message stays one message: its blocks come from one earlier message, and
/// no two messages of an array share one. A message is new if only injected blocks of it were there before. By these
/// rules each message of a request is one slot of its call. If the session's `traits` (set them before the first `add`)
/// merge user messages, this holds after merging. A message without blocks gets an empty one.
///
/// **Threads.** A request continues one earlier array. The first rule that applies decides: the latest array that it
/// contains whole; the array with which it shares the longest beginning; the array that shares most model output with
/// it; if it has a new summary, the latest array with the same system prompt and tools. Injected blocks alone are not a
/// common beginning (each subagent gets the same reminders). With another system prompt and other tools, the common
/// beginning must reach into model output (a request for a title repeats the first prompt). A request that continues no
/// array begins a thread: of kind Run if it is like the main thread and starts after it ended, else Subagent. A request
/// that repeats exactly the first array of a thread is the same task again, and begins a thread, too.
///
/// **Compactions.** If a part of the previous request's array is missing, the request begins a new branch. If no later
/// request extends the old branch, this is a recorded compaction of the same thread; else the branches are two threads
/// that share blocks. Injected blocks, thinking, and user text of the last message do not count as missing: harnesses
/// send them for one call only. The kind is Summary if there is a new summary, Clearing if only tool results were
/// rewritten, Rollback if only the end is missing and a user message replaces it, else Replacement.
///
/// **Calls.** If a call has no recorded response, its output is the assistant messages with which the next request
/// extends the array.
///
/// Costs O(blocks of the request) a request; memory for all calls together is O(changes).
class RequestLog final {
public:
    explicit RequestLog(SessionBuilder &builder);
    ~RequestLog();
    RequestLog(const RequestLog &) = delete;
    RequestLog &operator=(const RequestLog &) = delete;

    void add(RequestDraft request);
    /// Orders the threads: the main thread is the one with most calls (the earliest of equals); the others follow by
    /// their start. Then adds everything to the builder's pool, thread by thread: first the messages, so that a growing
    /// array is one range, then the preludes, one message each. Preludes that differ only in injected blocks are
    /// merged. Call it once.
    void finish();

private:
    class Private;
    std::unique_ptr<Private> m_private;
};

} // namespace core
