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

/// The changes of one file, over a session or in one edit.
struct FileLife {
    /// One change, with the bodies as they were known then.
    struct Step {
        FileBody before;
        FileBody after;
        bool isOutside = false; ///< not in the log
    };
    std::string path;
    FileBody before;
    FileBody after;
    std::vector<Step> steps {};            ///< the changes from `before` to `after`
    std::vector<std::string> movedWith {}; ///< the paths that the file moved to, and the paths of files that moved here
};

/// Every file that the agent changed, before its first landed edit and after its last, in the order of first edits.
/// Includes changes outside of the log between these edits. A moved file is deleted at one path and new at the other.
/// The bodies share their text with those of the edits.
[[nodiscard]] std::vector<FileLife> fileLives(const Edits &edits);
/// The same for one edit.
[[nodiscard]] std::vector<FileLife> fileLives(const Edit &edit);

/// A file that a patch leaves out.
struct UnpatchedFile {
    enum class Reason : uint8_t {
        Elsewhere, ///< it is outside the working folder
        NotKnown,  ///< the result of a command is not logged
        Outside,   ///< its edits do not apply without a change outside of the log
        NotPlaced, ///< the line of a change, or the lines around it, are not known
        NoBefore,  ///< the body before it was first written completely is not logged
        InGit,     ///< it is inside `.git`, which git refuses to patch
        Linked,    ///< in `folder` it is a symbolic link or behind one, which git refuses to patch
        LineEnds,  ///< in `folder` it has mixed line ends, and the log does not show which lines have which
        HalfMoved, ///< it was moved, and the patch leaves out the other half of the move
    };
    std::string path;
    Reason reason = Reason::NotKnown;
    size_t changes = 0;
};

/// The changes of several files as one patch.
struct CumulatedPatch {
    std::string text;                   ///< for `git apply` in the working folder; empty without changes
    std::vector<std::string> files;     ///< the files it changes, in the order of their first edit
    std::vector<UnpatchedFile> leftOut; ///< also listed at the head of `text`, if there is one
    std::vector<std::string> unchanged; ///< other files without a diff: their edits cancel out. Listed there, too
};

/// Writes one diff for a file whose first and last bodies are completely known. For a partly known file it writes one
/// diff for each change, with the known context lines and line numbers; git applies them one after the other. If one of
/// these changes cannot be written, the whole file is left out, as the others would not apply without it. A move is
/// written completely or not at all, because a deletion alone would lose the file. Costs a diff for each file, or for
/// each change.
///
/// The patch removes and adds only what edits removed and added. A change outside of the log is not in it: the edits
/// after such a change are merged into the text that lacks it, or else the file is left out.
///
/// `folder` is the place where the patch will be applied, if it is on this machine. It is only read: harnesses show
/// CRLF files with plain line feeds, so the line ends have to come from the files there.
[[nodiscard]] Result<CumulatedPatch> patchOf(std::span<const FileLife> lives, const std::filesystem::path &folder = {});

/// All edits of a session as one patch.
[[nodiscard]] Result<CumulatedPatch> cumulatedPatch(const Edits &edits, const std::filesystem::path &folder = {});

/// `outside the working folder`, `the log does not show the result of a change`, …
[[nodiscard]] std::string_view sentenceOf(UnpatchedFile::Reason reason);
/// Why a patch has no diff of a file in `unchanged`.
inline constexpr std::string_view kUnchangedReason = "it ends as it began, as far as the log shows it";

} // namespace core
