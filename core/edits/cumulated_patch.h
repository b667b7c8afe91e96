// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/result.h"
#include "core/edits/edits.h"

#include <string>
#include <vector>

namespace core {

/// All edits of a session in one: each file as it was before its first edit that landed, and after its last. What
/// changed a file outside the log in between is in it.
struct CumulatedPatch {
    std::string text;                 ///< for `git apply` in the working folder; empty where nothing changed
    std::vector<std::string> files;   ///< that it changes, in the order of their first edit
    std::vector<std::string> leftOut; ///< files whose bodies are not known well enough, or that lie elsewhere
};

/// Of a file with gaps the stretches that are known on both sides are compared, each hunk with the context that is
/// known; `git apply` finds hunks by their context where line numbers do not tell. Costs a diff of each file.
[[nodiscard]] Result<CumulatedPatch> cumulatedPatch(const Edits &edits);

} // namespace core
