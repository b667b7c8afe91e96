// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <string>
#include <string_view>

namespace core {

/// What a block is made of, for its colour.
enum class Material : uint8_t {
    Prose,
    ToolRequest,
    Bulk,      ///< file bodies, logs, command output
    Arguments, ///< tool calls that carry a body
    Thinking,
    Image,
    System,
    Summary,
};
inline constexpr size_t kMaterialCount = 8;

[[nodiscard]] Material materialOf(const Session &session, const Block &block);
/// Of the slot's heaviest material, by characters (an image counts as 4,000).
[[nodiscard]] Material materialOf(const Transcript &transcript, const Slot &slot);
[[nodiscard]] std::string_view nameOf(Material material);

/// The block that gives a slot its label: the one with most characters, an image counted as its picture.
[[nodiscard]] BlockId heaviestBlock(const Transcript &transcript, const Slot &slot);

/// The words on a slot: `user · task`, `model · tool_call Read`, `tool · result Bash`.
struct SlotLabel {
    std::string role;    ///< user, model, tool, system
    std::string what;    ///< text, thinking, `tool_call Read`, `result Bash`, `<read_file> body`, image, summary…
    std::string subject; ///< path, command or first words of the text; may be empty
    [[nodiscard]] std::string text() const { return role + " · " + what; }
};

/// Costs a look at the first bytes of the slot's blocks. `subject` is at most 120 characters.
[[nodiscard]] SlotLabel labelOf(const Transcript &transcript, const Slot &slot);
[[nodiscard]] SlotLabel labelOf(const Session &session, const Block &block);

/// `user`, `model`, `tool`, `system`: what people call a role.
[[nodiscard]] std::string_view nameOf(Role role);
[[nodiscard]] std::string_view nameOf(BlockKind kind);

} // namespace core
