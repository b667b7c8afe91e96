// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string_view>

namespace core {

/// Whether a block counts as a message of the user, everywhere in the program: a text that the person typed as a
/// message, when rejecting a tool call, as arguments of a slash command, or while the agent worked. Images, documents
/// and empty texts do not count.
[[nodiscard]] inline bool isUserMessage(const Block &block)
{
    const bool isTyped = block.kind == BlockKind::Text && block.is(BlockFlag::Typed);
    return (isTyped || block.is(BlockFlag::TypedPart)) && block.lengths.bytes > 0;
}

/// Strips blanks, line ends and NULs at both ends.
[[nodiscard]] std::string_view withoutBlanks(std::string_view text);

/// The words that the person typed among the harness's own, as Claude Code writes them: behind "the user said:" of a
/// rejected tool call or the mark of an interruption, the arguments of a slash command, or a message that was typed
/// while the agent worked. Empty where there are none.
[[nodiscard]] std::string_view typedPartOf(std::string_view text);

/// The words that the person typed in a block that shows `text`.
[[nodiscard]] inline std::string_view typedText(const Block &block, std::string_view text)
{
    return block.is(BlockFlag::TypedPart) ? typedPartOf(text) : text;
}

} // namespace core
