// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"
#include "core/writing/message_turns.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The shapes in which an array can leave for another API or framework.
enum class MessagesShape : uint8_t {
    Anthropic, ///< a request body of the Messages API: `system`, `messages`
    OpenAi,    ///< a request body of Chat Completions
    LangChain, ///< a flat dump: `[{"type": "human", …}]`
    Genkit,    ///< `{"messages": […]}`
};
inline constexpr std::array<MessagesShape, 4> kMessagesShapes { MessagesShape::Anthropic, MessagesShape::OpenAi,
    MessagesShape::LangChain, MessagesShape::Genkit };

/// `anthropic`, `openai`, `langchain`, `genkit`.
[[nodiscard]] std::string_view nameOf(MessagesShape shape);
[[nodiscard]] std::optional<MessagesShape> messagesShapeOf(std::string_view name);
/// The id of the format that reads it again.
[[nodiscard]] std::string_view formatOf(MessagesShape shape);

/// The shape that is nearest to a format.
[[nodiscard]] MessagesShape nearestShape(std::string_view format);

/// An array as one JSON document.
struct WrittenMessages {
    std::string json;
    std::vector<std::string> notes; ///< what the shape does not hold, or holds in another way
};

/// Stands for the text of a tool result, or a member of JSON, that only its provider can read.
inline constexpr std::string_view kSealed = "[encrypted]";

/// What is encrypted in a session of the format stays in the shapes that go to its own provider.
[[nodiscard]] Sealed sealedIn(std::string_view format, MessagesShape shape);

/// JSON without the texts that only a provider can read: members `encrypted_…` of objects that have a `type` say
/// kSealed. Nothing if there are none. Costs the text.
[[nodiscard]] std::optional<std::string> withoutSealed(std::string_view json);

/// Writes the array in the shape of another API, grouped as that API wants it: for Anthropic results and what a person
/// says behind them are one message, for Chat and LangChain each result is one. `prelude` is the recorded system prompt
/// (`Call::prelude`); it leaves as the shape's own, tool definitions do not. Arguments and ids stay as they are,
/// numbers as they were written; bytes that are no UTF-8 become U+FFFD. What is encrypted is left out where another
/// provider than its own would get it: summaries (Responses' compactions) and thinking altogether; a result, which its
/// call needs, says kSealed, as does a member of JSON. Nothing is dropped without a note. The reader of the shape's
/// format reads the same texts, calls and results again. Costs the texts.
[[nodiscard]] WrittenMessages writeMessages(
    const Transcript &transcript, MessagesShape shape, std::optional<BlockRange> prelude = std::nullopt);

} // namespace core
