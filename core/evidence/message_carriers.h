// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <span>
#include <string_view>
#include <vector>

namespace core {

/// Where else than in itself a message of the person lives on word for word: the one rule of all counts of user
/// messages, and of the lanes of a trace.

[[nodiscard]] std::string_view withoutBlanks(std::string_view text);

/// Text of user or system, and summaries: what the model wrote or a tool showed is no carrier of a message.
[[nodiscard]] bool mayHoldMessages(const Session &session, const Block &block);

/// Whether a message is so short that its words stand in many texts by chance: fewer than the twelve characters from
/// which on a repeated line counts as one (uses.h), or fewer words than make a part (kept_words.h).
[[nodiscard]] bool isShortMessage(std::string_view message);

/// Whether a text holds a message as words of their own ("ok" does not stand in "token"); of a short one by itself: as
/// the whole text, on lines of its own, or between quotation marks. Marks of lists and quotations around it are none of
/// the text.
[[nodiscard]] bool holdsMessage(std::string_view text, std::string_view message);

/// Of each message the blocks of `among` that hold it, but itself. Reads the messages and what may hold them.
[[nodiscard]] std::vector<std::vector<BlockId>> messageCarriers(
    const Session &session, std::span<const BlockId> messages, std::span<const BlockId> among);

} // namespace core
