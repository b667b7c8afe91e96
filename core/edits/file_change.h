// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The kinds of change that a tool call can ask for.
enum class ChangeKind : uint8_t {
    Replace, ///< replaces old texts by new ones
    Insert,  ///< inserts a text after a line
    Write,   ///< writes the whole file
    Append,  ///< appends a text
    Patch,   ///< applies hunks that are located by their context
    Delete,
    Rewrite, ///< a command or tool changes it in a way that the arguments do not show
    Move,    ///< moves it unchanged
    Copy,    ///< takes the body of another file
};

/// What a path refers to. Commands accept both files and folders, and only the disk shows which one a path is.
enum class PathNaming : uint8_t {
    File,
    FileOrFolder, ///< the file of this name, or all files below the folder
    Known,        ///< as FileOrFolder, but only files that are known to exist
    Pattern,      ///< files whose paths, or whose parent folders' paths, match shell wildcards
};

/// An old text and its replacement.
struct Replacement {
    std::string before;
    std::string after;
    bool isEverywhere = false; ///< replaces every occurrence; else the only one
    bool takesLineEnd = false; ///< an empty new text also removes the line end behind the old text, as Claude Code does
};

/// A hunk of an `apply_patch` patch. Lines have no line ends.
struct PatchHunk {
    std::string anchor; ///< the line after `@@`, above the hunk; may be empty
    std::vector<std::string> before;
    std::vector<std::string> after;
    bool isAtEnd = false; ///< its lines must be the last of the file
};

/// A change that one tool call asks for in one file, whether or not it happened.
struct FileChange {
    ChangeKind kind = ChangeKind::Rewrite;
    std::string path;                      ///< as written; relative paths of a shell include its `cd`
    std::string movedTo;                   ///< the new path of a moved file; else empty
    std::vector<Replacement> replacements; ///< for Replace, in order; for Rewrite within each line, if known
    std::vector<PatchHunk> hunks;          ///< for Patch
    bool settlesEnd = false;               ///< for Patch: removes an empty last line, and adds a line end that the last
                                           ///< line lacks
    std::string text;                      ///< for Write, Append and Insert
    uint64_t line = 0;                     ///< for Insert: the line to insert after; 0 for the beginning
    bool isNewFile = false;                ///< for Write: the call says that the file does not exist yet
    std::string from;                      ///< for Copy: the file to copy
    PathNaming naming = PathNaming::File;  ///< of the changed, moved or copied path
    bool goesIntoFolder = false;           ///< for Move and Copy: the target is a folder, and the file keeps its name
    std::string_view suffixes = {};        ///< for a folder: only files with one of these suffixes, ` .py .pyi `
    std::string command = {};              ///< the shell program that makes the change: `sed`, `git checkout`
};

} // namespace core
