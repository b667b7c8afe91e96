// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/transcript.h"

#include <string>
#include <string_view>

namespace core {

/// The material of a block, for its colour.
enum class Material : uint8_t {
    Prose,
    ToolRequest,
    Bulk,      ///< file bodies, logs, command output
    Arguments, ///< tool calls that contain a file body
    Thinking,
    Image,
    System,
    Summary,
};
inline constexpr size_t kMaterialCount = 8;

[[nodiscard]] Material materialOf(const Session &session, const Block &block);
/// The material of most characters in a slot (an image counts as 4,000).
[[nodiscard]] Material materialOf(const Transcript &transcript, const Slot &slot);
[[nodiscard]] std::string_view nameOf(Material material);

/// The block that labels a slot: the one with most characters, where an image counts as in `materialOf`.
[[nodiscard]] BlockId heaviestBlock(const Transcript &transcript, const Slot &slot);

/// The text on a slot: `user · task`, `model · tool_call Read`, `tool · result Bash`.
struct SlotLabel {
    std::string role;    ///< user, model, tool, system
    std::string what;    ///< text, thinking, `tool_call Read`, `result Bash`, `<read_file> body`, image, summary…
    std::string subject; ///< path, command, or first words of the text or of what the user typed in it; may be empty
    [[nodiscard]] std::string text() const { return role + " · " + what; }
};

/// Reads only the first bytes of the slot's blocks. `subject` has at most 120 characters.
[[nodiscard]] SlotLabel labelOf(const Transcript &transcript, const Slot &slot);
[[nodiscard]] SlotLabel labelOf(const Session &session, const Block &block);

/// Names for display: `user`, `model`, `tool`, `system`.
[[nodiscard]] std::string_view nameOf(Role role);
[[nodiscard]] std::string_view nameOf(BlockKind kind);

} // namespace core
