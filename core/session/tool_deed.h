// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string_view>

namespace core {

/// What a tool does, judged by its name.
enum class ToolDeed : uint8_t {
    Read,   ///< shows a file
    Write,  ///< writes a whole file
    Edit,   ///< changes a part of a file
    Search, ///< finds or lists
    Run,    ///< runs a command
    Other,
};

/// Judges by the words of the name in any spelling: `Read`, `read_file`, `mcp__files__readTextFile`. If the name
/// fits several, the one that changes most counts: `search_replace` is Edit.
[[nodiscard]] ToolDeed toolDeed(std::string_view toolName);

/// The deed of one call. Tools with several commands name the command in their arguments (`"command": "view"` of
/// `str_replace_editor`). Reads only the first bytes of the arguments.
[[nodiscard]] ToolDeed toolDeed(const Session &session, const Block &call);

} // namespace core
