// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/format_traits.h"
#include "core/session/transcript.h"
#include "core/writing/sealed.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// `anthropic`, `openai`, `langchain`, `genkit`.
[[nodiscard]] std::string_view nameOf(MessagesShape shape);
[[nodiscard]] std::optional<MessagesShape> messagesShapeOf(std::string_view name);
/// The id of the format that reads this shape.
[[nodiscard]] std::string_view formatOf(MessagesShape shape);

/// An array as one JSON document.
struct WrittenMessages {
    std::string json;
    std::vector<std::string> notes; ///< what the shape cannot hold, or holds in another form
};

/// Writes the array in the shape of another API, grouped as that API requires: for Anthropic results and the user text
/// after them are one message, for Chat and LangChain each result is one. `prelude` is the recorded system prompt
/// (`Call::prelude`); it is written in the shape's form, without tool definitions. Arguments, ids and numbers stay as
/// written; invalid UTF-8 becomes U+FFFD. Another provider cannot read encrypted content. So the array leaves out
/// encrypted summaries (of Responses compactions) and thinking, and has kSealed in place of encrypted results and
/// members of JSON. Everything left out has a note. Reading the document back gives the same texts, calls and results.
/// Costs the texts.
[[nodiscard]] WrittenMessages writeMessages(
    const Transcript &transcript, MessagesShape shape, std::optional<BlockRange> prelude = std::nullopt);

} // namespace core
