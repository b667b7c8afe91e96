// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_bodies.h"
#include "core/edits/file_view.h"

#include <optional>

namespace core {

/// The effect of a view on the known body of a file.
struct Viewed {
    FileBody after;
    bool contradicts = false; ///< it shows other text than was known
    bool showsChange = false; ///< if it contradicts: what changed is in the view, not elsewhere in the file
    LineCounts counts { 0, 0, false };
};
[[nodiscard]] Viewed applyView(const FileBody &file, const FileView &view, BlockId by);

/// Merges viewed lines whose position has moved, because lines were added or removed above them; the text behind them
/// moves along. nullopt unless the lines occur exactly once in the known text, at a known line.
[[nodiscard]] std::optional<Viewed> applyMove(const FileBody &file, const FileView &view);

} // namespace core
