// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/trace_look.h"
#include "ui/timeline/timeline_layout.h"

#include <vector>

namespace ui {

/// The visible pieces of a trace, from left to right.
[[nodiscard]] inline std::vector<LanePiece> lanePieces(const core::Trace &trace, const TimelineLayout &layout)
{
    const TimelineLayout::Plot &plot = layout.plot();
    return lanePieces(trace, plot.left, plot.right, [&](uint32_t call) { return layout.xAt(call); });
}

/// Positions of the trace lanes below the axis: one row a trace, and with a policy a second row for its arrays. Below
/// them are the words of one trace. Qt-free.
struct LaneRows {
    double top = 0;
    size_t count = 0;
    bool hasPolicy = false;

    static constexpr double kRow = 17;
    static constexpr double kBar = 13;
    static constexpr double kPolicyRow = 15;
    static constexpr double kWords = 16;

    [[nodiscard]] double row() const { return kRow + (hasPolicy ? kPolicyRow : 0); }
    [[nodiscard]] double height() const { return count > 0 ? wordsTop() - top + kWords + 3 : 0; }
    [[nodiscard]] double wordsTop() const { return top + static_cast<double>(count) * row(); }
    [[nodiscard]] bool isOnWords(double y) const { return count > 0 && y >= wordsTop() && y < wordsTop() + kWords; }
    [[nodiscard]] double topOf(size_t lane) const
    {
        return top + static_cast<double>(lane) * row() + (kRow - kBar) / 2;
    }
    /// Top of the bar for the policy's arrays.
    [[nodiscard]] double policyTopOf(size_t lane) const { return topOf(lane) + kPolicyRow; }
    /// The row at a height; `count` outside of the lanes.
    [[nodiscard]] size_t rowAt(double y) const
    {
        return y < top || y >= top + static_cast<double>(count) * row() ? count
                                                                        : static_cast<size_t>((y - top) / row());
    }
    /// Whether a height within a row is on the bar for the policy's arrays.
    [[nodiscard]] bool isPolicyAt(double y) const
    {
        return hasPolicy && rowAt(y) < count && y >= top + static_cast<double>(rowAt(y)) * row() + kRow;
    }
};

} // namespace ui
