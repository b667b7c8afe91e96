// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/known_text.h"
#include "core/edits/recorded_change.h"

#include <optional>
#include <vector>

namespace core {

/// Whether recorded hunks describe the change between two bodies: their lines are at their positions, as far as the
/// text there is known. nullopt if no line can be compared. Leading tabs may be recorded as two blanks each, as in
/// Claude Code.
[[nodiscard]] std::optional<bool> hunksFit(
    const std::vector<RecordedHunk> &hunks, const KnownText &before, const KnownText &after);

} // namespace core
