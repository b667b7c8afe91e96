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

/// Only files whose first and last body are known as a whole are in it: what a gap holds cannot be told from a change.
/// Costs a diff of each file.
[[nodiscard]] Result<CumulatedPatch> cumulatedPatch(const Edits &edits);

} // namespace core
