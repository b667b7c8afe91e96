// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// How a tool call asks for a file to be changed.
enum class ChangeKind : uint8_t {
    Replace, ///< old texts by new ones
    Insert,  ///< a text behind a line
    Write,   ///< the whole file
    Append,  ///< a text behind its end
    Patch,   ///< hunks that are found by their context
    Delete,
    Rewrite, ///< a command or a tool changes it, into what its arguments do not tell
};

/// One old text and what takes its place.
struct Replacement {
    std::string before;
    std::string after;
    bool isEverywhere = false; ///< every occurrence; else the only one
    bool takesLineEnd = false; ///< an empty new text takes the line end behind the old one along, as Claude Code does
};

/// One hunk of an `apply_patch` patch: lines without their line ends.
struct PatchHunk {
    std::string anchor; ///< the line named behind `@@`, below which the hunk stands; may be empty
    std::vector<std::string> before;
    std::vector<std::string> after;
    bool isAtEnd = false; ///< its lines are the last ones of the file
};

/// What one tool call asks of one file. Nothing here says that it happened.
struct FileChange {
    ChangeKind kind = ChangeKind::Rewrite;
    std::string path;                      ///< as written; relative ones of a shell behind its `cd`
    std::string movedTo;                   ///< where the file is afterwards; empty: where it was
    std::vector<Replacement> replacements; ///< of Replace, applied in order
    std::vector<PatchHunk> hunks;          ///< of Patch
    std::string text;                      ///< of Write, Append and Insert
    uint64_t line = 0;                     ///< of Insert: the line it goes behind, 0 for the beginning
    bool isNewFile = false;                ///< of Write: it says that there is no such file yet
};

} // namespace core
