// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/base/text_lines.h"
#include "core/git/git_buffers.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

enum class WordMarks : uint8_t { None, Found };

struct DiffOptions {
    Whitespace whitespace = Whitespace::Exact;
    WordMarks words = WordMarks::Found;
};

enum class DiffKind : uint8_t {
    Same,    ///< as many lines before as after; equal except for ignored blanks
    Removed, ///< lines of `before` only; `after` is an empty range at their place
    Added,   ///< lines of `after` only
    Changed, ///< as many lines before as after; each line is the edited form of its partner
};

/// Consecutive lines of one kind.
struct DiffRun {
    DiffKind kind = DiffKind::Same;
    LineRange before;
    LineRange after;
    friend bool operator==(const DiffRun &, const DiffRun &) = default;
};

/// One change as a reader sees it: the runs [firstRun, endRun) between two runs of same lines.
struct Difference {
    size_t firstRun = 0;
    size_t endRun = 0;
    LineRange before;
    LineRange after;
};

/// A line diff of two texts. The runs cover the lines of both texts in order, each line once. Holds ranges, not bytes.
struct LineDiff {
    TextLines before;
    TextLines after;
    std::vector<DiffRun> runs;
    std::vector<Difference> differences;
    /// Word differences inside Changed runs: byte ranges of each text, sorted. Outside of them the two lines of a pair
    /// are equal.
    std::vector<ByteSpan> beforeWords;
    std::vector<ByteSpan> afterWords;
    /// Lines; a changed line counts as removed and as added.
    size_t removedCount = 0;
    size_t addedCount = 0;

    [[nodiscard]] bool isSame() const { return differences.empty(); }
};

/// Compares two texts, which may be any bytes. Equal texts cost one pass. The cost for different texts stays near that:
/// where an exact result would cost more, word differences become whole ranges and lines are not paired. If cancelled,
/// the rest of the texts is one difference.
[[nodiscard]] LineDiff diffLines(std::string_view before, std::string_view after, const DiffOptions &options = {},
    const Progress *progress = nullptr);

} // namespace core
