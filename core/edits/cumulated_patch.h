// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/edits/edits.h"

#include <span>
#include <string>
#include <vector>

namespace core {

/// What became of one file: over a session, or in one edit.
struct FileLife {
    std::string path;
    FileBody before;
    FileBody after;
};

/// Each file that the agent changed, as it was before its first edit that landed and after its last, in the order of
/// the first edits. What changed it outside the log in between is in it; a file that moved is gone at one path and new
/// at the other. The bodies share their text with those of the edits.
[[nodiscard]] std::vector<FileLife> fileLives(const Edits &edits);
/// The same of one edit.
[[nodiscard]] std::vector<FileLife> fileLives(const Edit &edit);

/// Changes of several files in one.
struct CumulatedPatch {
    std::string text;                 ///< for `git apply` in the working folder; empty where nothing changed
    std::vector<std::string> files;   ///< that it changes, in the order of their first edit
    std::vector<std::string> leftOut; ///< files whose bodies are not known well enough, or that lie elsewhere
};

/// Only files whose first and last body are known as a whole are in it: what a gap holds cannot be told from a change.
/// Costs a diff of each file.
[[nodiscard]] Result<CumulatedPatch> patchOf(std::span<const FileLife> lives);

/// All edits of a session in one.
[[nodiscard]] Result<CumulatedPatch> cumulatedPatch(const Edits &edits);

} // namespace core
