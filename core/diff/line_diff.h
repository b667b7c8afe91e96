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
    Same,    ///< as many lines before as after; equal up to the blanks that do not count
    Removed, ///< lines of before only; `after` is empty and says where they would stand
    Added,   ///< lines of after only
    Changed, ///< as many lines before as after, each the edited form of its partner
};

/// Neighbouring lines of one kind.
struct DiffRun {
    DiffKind kind = DiffKind::Same;
    LineRange before;
    LineRange after;
    friend bool operator==(const DiffRun &, const DiffRun &) = default;
};

/// Runs [firstRun, endRun) between two runs of same lines: what a reader takes for one change.
struct Difference {
    size_t firstRun = 0;
    size_t endRun = 0;
    LineRange before;
    LineRange after;
};

/// How one text became another, line by line. The runs cover the lines of both texts in order, each line once; it holds
/// places, not bytes.
struct LineDiff {
    TextLines before;
    TextLines after;
    std::vector<DiffRun> runs;
    std::vector<Difference> differences;
    /// Inside the lines of Changed runs, what is not in the other text: byte ranges of each text, sorted. Without them
    /// the two lines of a pair are the same bytes.
    std::vector<ByteSpan> beforeWords;
    std::vector<ByteSpan> afterWords;
    /// Lines; a changed one counts as removed and added.
    size_t removedCount = 0;
    size_t addedCount = 0;

    [[nodiscard]] bool isSame() const { return differences.empty(); }
};

/// Compares two texts. Bytes are bytes: there is no text that cannot be compared. Costs the time of a pass over both
/// where they are equal, and stays near that where they differ: what would cost more is found more coarsely (words
/// become whole stretches, lines are no longer paired). Cancelled, the rest is one difference.
[[nodiscard]] LineDiff diffLines(std::string_view before, std::string_view after, const DiffOptions &options = {},
    const Progress *progress = nullptr);

} // namespace core
