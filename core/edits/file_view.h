// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string>

namespace core {

/// Lines of a file that a tool result shows.
struct FileView {
    std::string path;       ///< as named by the call
    uint64_t firstLine = 0; ///< 0-based
    std::string text;       ///< whole lines; only the last line of the file may lack a line end
    bool reachesEnd = false;
    /// The harness may have trimmed blank lines at both ends, as Claude Code does with output of commands.
    bool isTrimmed = false;
    std::optional<uint64_t> lineCount {}; ///< for a trimmed view: lines the call asked for; nullopt: to the end

    [[nodiscard]] bool isWhole() const { return firstLine == 0 && reachesEnd; }
};

/// The lines of a file in a tool result: from a read tool, or from a shell command that prints one file and nothing
/// else (see shell_changes.h). The view reaches the end of the file if Claude Code records that beside the context
/// (`toolUseResult.file`), or if it has fewer lines than the call asked for. nullopt if the result failed, was
/// truncated or shows something else. Costs O(result).
[[nodiscard]] std::optional<FileView> fileViewOf(const Session &session, const Block &call, const Block &result);

/// The numbered lines around an edit in its result, as older versions of Claude Code show them.
[[nodiscard]] std::optional<FileView> snippetOf(const Session &session, const Block &result);

/// The output of a command, without what harnesses put before it (exit code, wall time) or around it (JSON).
[[nodiscard]] std::string commandOutput(const Session &session, const Block &result);

} // namespace core
