// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/edits/file_change.h"
#include "core/edits/known_text.h"

#include <cstdint>
#include <vector>

namespace core {

/// The content of a file at one moment.
struct FileBody {
    KnownText text = KnownText::gap();
    bool isAbsent = false; ///< the file does not exist; `text` is empty

    /// True if every byte is known, or the file is known to be absent.
    [[nodiscard]] bool isKnown() const { return text.isWhole(); }
    [[nodiscard]] static FileBody absent() { return { KnownText(), true }; }
};

/// How the gaps of the old body relate to those of the new body.
enum class Gaps : uint8_t {
    Same, ///< if both bodies have equally many gaps, each gap has the same text in both: the change left it alone
    Any,  ///< the gaps of the two bodies are independent: a line that is new to us may have been in a gap
};

/// The numbers of lines that differ between two bodies: those of the diff. If a body has gaps, they are lower bounds.
struct LineCounts {
    uint64_t added = 0;
    uint64_t removed = 0;
    bool isExact = true;
};
[[nodiscard]] LineCounts changedLines(const FileBody &before, const FileBody &after, Gaps gaps = Gaps::Any);

/// The effect of a change on a file.
struct Applied {
    FileBody before; ///< as known before, plus what the change itself proves
    FileBody after;
    Gaps gaps = Gaps::Same;     ///< of the two bodies
    bool contradicts = false;   ///< the change does not fit the known body, so the file had another content
    LineCounts counts {};       ///< if it contradicts: the lines that must have appeared
    std::vector<BlockId> basis; ///< the blocks that the old lines of a patch come from
};

/// Applies a landed change to the known body of a file; `by` is the call that wrote it. An old text that is not in the
/// known text is placed in a gap. Finds hunks like Codex's `apply_patch`: below the previous hunk, first exactly, then
/// ignoring trailing blanks, then ignoring blanks at both ends.
[[nodiscard]] Applied applyChange(const FileBody &file, const FileChange &change, BlockId by);

} // namespace core
