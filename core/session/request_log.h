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

/// Turns a recording of whole requests into a session in which every block stands once.
///
/// **Identity.** A request is compared with the array before it (input and recorded response) block by block: role and
/// content, cache marks ignored (`align()`). So a message that only gained or lost a block keeps the others, and a
/// clipped or removed middle keeps its tail. A message stays one message: its blocks come from one earlier message,
/// and no two messages of an array share one; a message of which nothing but injected blocks was there before is a new
/// one. The slots of every call are therefore the messages of its request; where the session's `traits` (to be set
/// before the first `add`) merges user messages, after merging. A message without blocks gets an empty one.
///
/// **Threads.** A request goes on from the latest array that it holds whole, else from the one with which it shares the
/// longest beginning, else from the one that has most model output in common, else, if it holds a new summary, from
/// the latest one under the same system prompt and tools. Injected blocks alone are no common beginning (each subagent
/// is sent the same reminders), and under another system prompt and other tools the beginning must reach into model
/// output (a request for a title repeats the first prompt). Whatever goes on from nothing is a thread of its own: kind
/// Run if it is like the main thread and starts after it ended, else Subagent. The very array with which a thread began
/// is the same task once more: a thread of its own, too.
///
/// **Compactions.** Where something of the previous request's array is missing, the request begins a new branch; if the
/// array that it left is never extended any more, this is a recorded compaction of the same thread, else the two are
/// two threads that share blocks. Not missed are injected blocks, thinking, and what the last message had as user text:
/// harnesses send such for one call only. Kind Summary if there is a new summary, Clearing if only tool results were
/// rewritten, Rollback if only the end is missing and a user message takes its place, else Replacement.
///
/// **Calls.** Where no response was recorded, the assistant messages with which the next request extends an array are
/// the output of the previous call.
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
