// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <optional>
#include <string_view>
#include <vector>

namespace core {

/// In whose messages a policy counts. Harnesses cut one and the same conversation differently: three results of
/// parallel calls are one user message for Anthropic and Gemini, one tool message for Genkit, three for LangChain,
/// three items for the Responses API.
enum class MessageShape : uint8_t { Anthropic, LangChain, Genkit, Gemini, Responses };

[[nodiscard]] std::string_view nameOf(MessageShape shape);
[[nodiscard]] std::optional<MessageShape> messageShapeOf(std::string_view name);
/// The shape in which the session was recorded: its slots are that shape's messages.
[[nodiscard]] MessageShape shapeOf(const Session &session);

/// One message of a view: a run of the array's blocks.
struct ViewMessage {
    Role role = Role::User;
    uint32_t first = 0; ///< into the blocks that the view was made of
    uint32_t count = 0;
};

/// How blocks that follow each other make messages of a shape. It looks back at one block and no further, so an array
/// that grows at its end keeps its messages.
class MessageGrouping final {
public:
    MessageGrouping(const Session &session, MessageShape shape);

    [[nodiscard]] Role roleOf(const Block &block) const;
    /// Whether `block`, behind `previous` in a message of `last`, stands in the same message.
    [[nodiscard]] bool joins(Role last, const Block &previous, const Block &block) const;

private:
    const Session *m_session;
    MessageShape m_shape;
    bool m_isRecorded; ///< the shape that the session was recorded in
    bool m_isItems;
};

/// The same blocks regrouped, none copied: every block is in exactly one message, in order. Where the session has this
/// shape already, its slots are the messages. O(blocks).
[[nodiscard]] std::vector<ViewMessage> messagesOf(const Transcript &transcript, MessageShape shape);

} // namespace core
