// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

namespace ui {

/// Sizes of the parts of a timeline, in pixels.
struct TimelineMetrics {
    static constexpr int kMargin = 14;       ///< left and right
    static constexpr int kGutter = 54;       ///< values, left of the plot
    static constexpr int kTitle = 28;        ///< title row
    static constexpr int kFoldMark = 16;     ///< the mark that folds the timeline, left of the title
    static constexpr int kFolded = 54;       ///< height of a folded timeline: names of calls and the curve
    static constexpr int kPillRow = 20;      ///< names of calls, below the title
    static constexpr int kFindingRow = 14;   ///< dots of findings, between the names of calls and the plot
    static constexpr double kAxis = 34;      ///< turns and calls, below the plot
    static constexpr double kNameReach = 60; ///< names of lanes, left of the plot
};

} // namespace ui
