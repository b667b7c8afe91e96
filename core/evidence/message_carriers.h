// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Which blocks hold a user message word for word. All counts of user messages and all lanes of a trace use this rule.

/// Makes each run of blanks and line ends one space, and drops those at both ends. Harnesses and models wrap quoted
/// lines anew.
[[nodiscard]] std::string withSingleBlanks(std::string_view text);

/// True for user and system text and for summaries. Model output and tool results do not count as carriers of a
/// message.
[[nodiscard]] bool mayHoldMessages(const Session &session, const Block &block);

/// Whether a message is so short that its words occur in many texts by chance: fewer than twelve characters (the
/// minimum length of a repeated line, uses.h), or too few words to have parts (kept_words.h).
[[nodiscard]] bool isShortMessage(std::string_view message);

/// Whether a text contains a message on word boundaries ("token" does not contain "ok"), blanks aside. A short message
/// must stand alone: as the whole text, on its own lines, or between quotation marks. List and quotation marks around
/// it are ignored. `spaced` is the text with single blanks.
[[nodiscard]] bool holdsMessage(std::string_view text, std::string_view spaced, std::string_view message);

/// For each message the blocks of `among` that hold it, except itself. Reads the messages and the blocks that may hold
/// them.
[[nodiscard]] std::vector<std::vector<BlockId>> messageCarriers(
    const Session &session, std::span<const BlockId> messages, std::span<const BlockId> among);

} // namespace core
