// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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
    Move,    ///< as it is to another place
    Copy,    ///< the body of another file
};

/// What a path stands for. Commands are given files and folders alike, and which is which only the disk knows.
enum class PathNaming : uint8_t {
    File,
    FileOrFolder, ///< the file of this name, or all files below the folder
    Known,        ///< the same, but it may be neither: what is not known to be there stays out
    Pattern,      ///< files whose paths match, or the folder above them, as with a shell's wildcards
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
    std::vector<Replacement> replacements; ///< of Replace, in order; of Rewrite within each line, where that is told
    std::vector<PatchHunk> hunks;          ///< of Patch
    bool settlesEnd = false;               ///< of Patch: an empty last line goes, and a last line without end gets one
    std::string text;                      ///< of Write, Append and Insert
    uint64_t line = 0;                     ///< of Insert: the line it goes behind, 0 for the beginning
    bool isNewFile = false;                ///< of Write: it says that there is no such file yet
    std::string from;                      ///< of Copy: the file whose body it takes
    PathNaming naming = PathNaming::File;  ///< of what is changed, moved or copied
    bool goesIntoFolder = false;           ///< of Move and Copy: where it goes to is a folder, and the name stays
    std::string_view suffixes = {};        ///< of files below a folder: only those with one of these, ` .py .pyi `
    std::string command = {};              ///< the program of a shell that makes it: `sed`, `git checkout`
};

} // namespace core
