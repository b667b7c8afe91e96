// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <string_view>

namespace core {

/// What a tool does, as its name tells.
enum class ToolDeed : uint8_t {
    Read,   ///< shows a file
    Write,  ///< writes a whole file
    Edit,   ///< changes a part of a file
    Search, ///< finds or lists
    Run,    ///< runs a command
    Other,
};

/// Judged by the words of the name, however they are put together: `Read`, `read_file`, `mcp__files__readTextFile`. The
/// deed that changes most wins: `search_replace` edits.
[[nodiscard]] ToolDeed toolDeed(std::string_view toolName);

/// The same for one call. Tools that do several things say in their arguments which (`"command": "view"` of
/// `str_replace_editor`). Costs a look at the first bytes of the arguments.
[[nodiscard]] ToolDeed toolDeed(const Session &session, const Block &call);

} // namespace core
