// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/format_traits.h"
#include "core/session/transcript.h"

#include <optional>
#include <string>
#include <string_view>

namespace core {

/// Whether content that only its provider can read is written: no other provider can use it.
enum class Sealed : uint8_t { Stays, IsLeftOut };

/// Stands for the text of a tool result, or a member of JSON, that only its provider can read.
inline constexpr std::string_view kSealed = "[encrypted]";

/// Encrypted content stays in the shapes that go to the provider that wrote it.
[[nodiscard]] Sealed sealedIn(const Session &session, MessagesShape shape);

/// True for encrypted content that the array can do without: the summary of an encrypted compaction, thinking. Not for
/// a result, which its call needs.
[[nodiscard]] inline bool isLeftOut(const Block &block, Sealed sealed)
{
    return block.is(BlockFlag::Encrypted)
        && (block.kind == BlockKind::Text || (block.kind == BlockKind::Thinking && sealed == Sealed::IsLeftOut));
}

[[nodiscard]] inline bool isSealedResult(const Block &block)
{
    return block.kind == BlockKind::ToolResult && block.is(BlockFlag::Encrypted);
}

/// JSON without the texts that only a provider can read: members `encrypted_…` of objects that have a `type` say
/// kSealed. Nothing if there are none. Costs the text.
[[nodiscard]] std::optional<std::string> withoutSealed(std::string_view json);
/// The JSON of a block without its sealed texts; nothing if it has none.
[[nodiscard]] std::optional<std::string> withoutSealedIn(const Block &block, std::string_view json, Sealed sealed);

/// A sentence that says what was left out because only its provider can read it; empty if nothing was.
[[nodiscard]] std::string sealedNote(const Transcript &transcript, Sealed sealed);

} // namespace core
