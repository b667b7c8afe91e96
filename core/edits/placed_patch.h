// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/known_text.h"

#include <optional>
#include <string>

namespace core {

/// The hunks of a change of a file of which only a part is known, as `git apply` takes them: without a header. Gaps of
/// so many lines keep the numbers right; harnesses record them. Nothing where the change is not among known lines, its
/// line is not known, or no known line stands behind it, by which git would tell its place. Costs a diff of the lines,
/// those in gaps too.
[[nodiscard]] std::optional<std::string> placedHunks(const KnownText &before, const KnownText &after);

} // namespace core
