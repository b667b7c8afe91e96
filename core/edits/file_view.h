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
    std::string text;       ///< whole lines; the last one may do without a line end only if the file ends there
    bool reachesEnd = false;

    [[nodiscard]] bool isWhole() const { return firstLine == 0 && reachesEnd; }
};

/// What the answer to a call shows of one file. Read tools: the lines of the context; where they end in the file is
/// told by what Claude Code records beside (`toolUseResult.file`), else by the call's limit. Shell commands that print
/// one file and nothing else (see shell_changes.h). Nothing where the result failed, was cut short, or shows something
/// else. Costs O(result).
[[nodiscard]] std::optional<FileView> fileViewOf(const Session &session, const Block &call, const Block &result);

/// The lines around an edit that its answer shows, numbered, as older versions of Claude Code do.
[[nodiscard]] std::optional<FileView> snippetOf(const Session &session, const Block &result);

/// What a command printed, without what harnesses write before it (exit code, wall time) or around it (JSON).
[[nodiscard]] std::string commandOutput(const Session &session, const Block &result);

} // namespace core
