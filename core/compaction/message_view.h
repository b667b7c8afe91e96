// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/format_traits.h"
#include "core/session/transcript.h"

#include <optional>
#include <string_view>
#include <vector>

namespace core {

[[nodiscard]] std::string_view nameOf(MessageShape shape);
[[nodiscard]] std::optional<MessageShape> messageShapeOf(std::string_view name);

/// One message of a view: a range of the array's blocks.
struct ViewMessage {
    Role role = Role::User;
    uint32_t first = 0; ///< index into the blocks of the view
    uint32_t count = 0;
};

/// Decides how consecutive blocks form messages of a shape. Looks at the previous block only, so messages stay the same
/// when the array grows at its end.
class MessageGrouping final {
public:
    MessageGrouping(const Session &session, MessageShape shape);

    [[nodiscard]] Role roleOf(const Block &block) const;
    /// True if `block` belongs to the message of `previous`, the block before it. `last` is the role of that message.
    [[nodiscard]] bool joins(Role last, const Block &previous, const Block &block) const;

private:
    const Session *m_session;
    MessageShape m_shape;
    bool m_isRecorded; ///< the session was recorded in this shape
    bool m_isItems;
};

/// Groups the blocks into messages of `shape` without copying; every block is in exactly one message, in order. If the
/// session was recorded in this shape, the slots are the messages. O(blocks).
[[nodiscard]] std::vector<ViewMessage> messagesOf(const Transcript &transcript, MessageShape shape);
/// The same for recorded blocks that follow each other.
[[nodiscard]] std::vector<ViewMessage> messagesOf(
    const Session &session, std::span<const BlockId> blocks, MessageShape shape);

} // namespace core
