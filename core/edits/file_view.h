// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/session/session.h"

#include <optional>
#include <string>

namespace core {

/// What a tool result shows of a file, as it stood then.
struct FileView {
    std::string path;       ///< as the call named it
    uint64_t firstLine = 0; ///< 0-based
    std::string text;       ///< whole lines; only the last line of the file may lack a line end
    bool reachesEnd = false;
    /// The harness may have cut blank lines off both ends of the text, as Claude Code does with what commands print.
    bool isTrimmed = false;
    std::optional<uint64_t> lineCount {}; ///< of a trimmed view: the lines the call asked for; nothing: to the end

    [[nodiscard]] bool isWhole() const { return firstLine == 0 && reachesEnd; }
};

/// What the answer to a call shows of one file: the lines that a read tool or a shell command that prints one file and
/// nothing else (see shell_changes.h) put into the context. The view reaches the end of the file if Claude Code records
/// so beside the context (`toolUseResult.file`), or if it shows fewer lines than the call asked for. Nothing if the
/// result failed, was cut short, or shows something else. Costs O(result).
[[nodiscard]] std::optional<FileView> fileViewOf(const Session &session, const Block &call, const Block &result);

/// The lines around an edit that its answer shows, numbered, as older versions of Claude Code do.
[[nodiscard]] std::optional<FileView> snippetOf(const Session &session, const Block &result);

/// What a command printed, without what harnesses write before it (exit code, wall time) or around it (JSON).
[[nodiscard]] std::string commandOutput(const Session &session, const Block &result);

} // namespace core
