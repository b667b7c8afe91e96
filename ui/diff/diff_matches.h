// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/base/progress.h"
#include "core/search/needle.h"
#include "ui/diff/diff_content.h"

#include <vector>

namespace ui {

/// A place of a searched text in a comparison.
struct DiffMatch {
    size_t pane = 0;
    TextSpan span;
    friend bool operator==(const DiffMatch &, const DiffMatch &) = default;
};

/// A comparison with more matches has only the first of them.
constexpr size_t kMostMatches = 10'000;

/// The places of the texts in the lines that a comparison shows: changed lines of both sides and the lines around them.
/// Leaves out folded lines and the words that stand for unknown lines. A line that both sides have counts once. In
/// reading order: of one difference the old lines come first. Costs a pass over the texts for each needle.
[[nodiscard]] std::vector<DiffMatch> diffMatches(
    const DiffContents &contents, const std::vector<core::Needle> &needles, const core::Progress *progress = nullptr);

} // namespace ui
