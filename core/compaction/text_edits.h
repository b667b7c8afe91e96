// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/compaction/compaction.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

class BlockPool;
struct BlockChange;

/// Why the text of a block cannot be edited, in one sentence: it is not text (an image, a document), or its provider
/// would refuse a changed text (encrypted texts, signed thinking). nullopt if it can be edited.
[[nodiscard]] std::optional<std::string> whyNotEditable(const Session &session, BlockId id);
/// The same for a certain text: it must not be blank, and the arguments of a tool call are a JSON object.
[[nodiscard]] std::optional<std::string> whyNotText(const Session &session, BlockId id, std::string_view text);

/// Why no message of this role and text can be inserted; nullopt if it can be.
[[nodiscard]] std::optional<std::string> whyNotInserted(const Session &session, Role role, std::string_view text);
/// Whether a message in front of block `place` of the array would separate a tool call from its result, which providers
/// refuse (not the Responses API). Also true if a call directly before the place has no result yet. O(blocks).
[[nodiscard]] bool partsCall(const Transcript &transcript, size_t place);
inline constexpr std::string_view kParts
    = "The text is between a tool call and its result. Insert it after the result.";
/// Why no message can be inserted after the message of `after` (invalid: at the start); nullopt if it can. O(blocks).
[[nodiscard]] std::optional<std::string> whyNotBehind(const Transcript &transcript, BlockId after);

/// The index of the insertion that made a block of the `after` array; nullopt if none did. Equal texts behind the same
/// message are interchangeable.
[[nodiscard]] std::optional<size_t> insertionOf(const Compaction &compaction, BlockId made, const Overrides &overrides);

/// The change that makes `text` the text of the block.
[[nodiscard]] BlockChange editOf(const BlockPool &pool, BlockId id, const std::string &text);

} // namespace core
