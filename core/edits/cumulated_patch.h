// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/edits/edits.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What became of one file: over a session, or in one edit.
struct FileLife {
    /// One change, its bodies as they were known then.
    struct Step {
        FileBody before;
        FileBody after;
    };
    std::string path;
    FileBody before;
    FileBody after;
    std::vector<Step> steps {};            ///< that led from one to the other
    std::vector<std::string> movedWith {}; ///< the paths that it moved to, and those that moved to it
};

/// Each file that the agent changed, as it was before its first edit that landed and after its last, in the order of
/// the first edits. What changed it outside the log in between is in it; a file that moved is gone at one path and new
/// at the other. The bodies share their text with those of the edits.
[[nodiscard]] std::vector<FileLife> fileLives(const Edits &edits);
/// The same of one edit.
[[nodiscard]] std::vector<FileLife> fileLives(const Edit &edit);

/// A file that a patch leaves out.
struct UnpatchedFile {
    enum class Reason : uint8_t {
        Elsewhere, ///< it does not lie below the working folder
        NotKnown,  ///< a change of it is not logged: a command made it, or it was made outside the log
        NotPlaced, ///< of a change the lines around it are not known, or at which line it stands
        NoBefore,  ///< what it held before it was written as a whole is not logged
        InGit,     ///< git keeps it for itself, below `.git`
        Linked,    ///< in the folder at hand it is a symbolic link or stands behind one, where git patches nothing
        LineEnds,  ///< in the folder at hand its lines end now so, now so, and the log does not tell how
        HalfMoved, ///< it was moved, and what became of it in the other place is left out
    };
    std::string path;
    Reason reason = Reason::NotKnown;
    size_t changes = 0;
};

/// Changes of several files in one.
struct CumulatedPatch {
    std::string text;                   ///< for `git apply` in the working folder; empty where nothing changed
    std::vector<std::string> files;     ///< that it changes, in the order of their first edit
    std::vector<UnpatchedFile> leftOut; ///< named at the head of the text, too, where there is one
};

/// A file whose first and last body are known as a whole is one diff. Of one that is known in part every change is a
/// diff of its own, with the lines around it that are known and the line numbers that are: git applies them one after
/// the other. It is left out as a whole where one of its changes cannot be written so, for the others would not apply
/// without it. Of a move both halves are in the patch, or none: a deletion alone would lose the file. Costs a diff of
/// each file, or of each change.
///
/// `folder` is where the patch is to be applied, if there is such a place at hand: harnesses show CRLF files with plain
/// line feeds, and only the file there tells how its lines end. It is read, never written to.
[[nodiscard]] Result<CumulatedPatch> patchOf(std::span<const FileLife> lives, const std::filesystem::path &folder = {});

/// All edits of a session in one.
[[nodiscard]] Result<CumulatedPatch> cumulatedPatch(const Edits &edits, const std::filesystem::path &folder = {});

/// `not below the working folder`, `the log does not show what a change made of it`, …
[[nodiscard]] std::string_view sentenceOf(UnpatchedFile::Reason reason);

} // namespace core
