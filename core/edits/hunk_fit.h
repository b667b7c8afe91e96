// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/known_text.h"
#include "core/edits/recorded_change.h"

#include <optional>
#include <vector>

namespace core {

/// Whether recorded hunks say what happened between two bodies: their lines stand at their places, as far as these are
/// known. Nothing where no line of them can be compared. A line's leading tabs may be recorded as two blanks each, as
/// Claude Code does.
[[nodiscard]] std::optional<bool> hunksFit(
    const std::vector<RecordedHunk> &hunks, const KnownText &before, const KnownText &after);

} // namespace core
