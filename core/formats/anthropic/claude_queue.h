// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/formats/anthropic/claude_links.h"

#include <deque>
#include <utility>

namespace core {

/// What a record says about the messages that the person types while the agent works.
enum class QueueStep : uint8_t {
    None,
    Enqueue, ///< `queue-operation`: typed; the record holds the text
    Dequeue, ///< taken at the end of the turn; a user record with the text follows
    Remove,  ///< taken in the turn: the next call sends it after the tool results
    Clear,   ///< `popAll`: back into the input, not sent
    Logged,  ///< an attachment `queued_command`: sent; the attachment is a message of the tree
};

/// Follows the queue of a session. When all tools of a response have answered, Claude Code (read in its versions 2.1.20
/// and 2.1.42) takes the messages of the queue and sends them after the results, in a reminder. It does not log this
/// reminder; it logs only the steps of the queue. A message that was never taken was never sent.
class ClaudeQueue final {
public:
    struct Message {
        ClaudeRecord record; ///< that of the step Enqueue, as a message of the user
        std::vector<Block> blocks;
        Hash text;
        bool isPrompt = true;
        bool isLogged = false;
    };

    /// The step of a record; `message` is empty, except for Enqueue and Logged.
    void take(QueueStep step, Message message);
    /// The user typed a message that is a record of its own.
    void takeTyped();
    /// The messages that are sent with the call whose response this record begins, in order; each is linked to the one
    /// before it, and the response to the last. Empty for everything else. A message that was taken at the end of the
    /// file, without a response after it, is in no array.
    [[nodiscard]] std::vector<Message> sentBefore(ClaudeRecord &response);

private:
    void remove();

    std::deque<Message> m_waiting;
    std::vector<Message> m_taken;
    size_t m_dequeued = 0; ///< whose user records are still to come
    StringId m_lastResponse;
};

} // namespace core
