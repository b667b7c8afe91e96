// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/file_view.h"
#include "core/edits/known_text.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace core {

/// A file at one moment.
struct FileBody {
    KnownText text = KnownText::gap();
    bool isAbsent = false; ///< there is no such file; its text is the empty one

    /// Every byte is known, or that there is none.
    [[nodiscard]] bool isKnown() const { return text.isWhole(); }
    [[nodiscard]] static FileBody absent() { return { KnownText(), true }; }
};

/// How many lines two bodies differ by. Gaps are equal to each other: where there are any, it may be more.
struct LineCounts {
    uint64_t added = 0;
    uint64_t removed = 0;
    bool isExact = true;
};
[[nodiscard]] LineCounts changedLines(const FileBody &before, const FileBody &after);

/// What a change made of a file.
struct Applied {
    FileBody before; ///< as it was known, and what the change itself proves of it
    FileBody after;
    bool contradicts = false;   ///< the file was known and cannot have been what was changed
    LineCounts counts {};       ///< of a contradiction: lines that must have come
    std::vector<BlockId> basis; ///< the blocks whose text the old lines of a patch are
};

/// Applies a change that landed to what is known of a file; `by` is the call that wrote it. An old text that is not
/// among what is known stands in a gap. Hunks are looked for as Codex's `apply_patch` does: below the line of the
/// hunk before, exactly, then without the blanks at the ends of lines, then without those at both.
[[nodiscard]] Applied applyChange(const FileBody &file, const FileChange &change, BlockId by);

/// What a view tells of a file.
struct Viewed {
    FileBody after;
    bool contradicts = false; ///< it shows other text than was known
    LineCounts counts;        ///< of a contradiction, of the lines that are seen
};
[[nodiscard]] Viewed applyView(const FileBody &file, const FileView &view, BlockId by);

/// Works lines into a file that are seen elsewhere than where they were known to stand: above them lines came or went,
/// and what stands behind them moved along. Nothing unless they stand in what is known just once, at a known line.
[[nodiscard]] std::optional<Viewed> applyMove(const FileBody &file, const FileView &view);

} // namespace core
