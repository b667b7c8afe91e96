// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "ui/timeline/timeline_layout.h"

#include <vector>

namespace ui {

/// A run of calls of one trace that is drawn alike.
struct LanePiece {
    double left = 0; ///< pixels
    double right = 0;
    core::TraceState state = core::TraceState::Gone;
    bool isMixed = false; ///< several states, each too short to draw separately
    uint32_t from = 0;    ///< its first call

    [[nodiscard]] double width() const { return right - left; }
};

/// Shorter runs are merged with their neighbours.
inline constexpr double kShortestPiece = 3; ///< pixels

/// The visible pieces of a trace, from left to right, without gaps between its first call and the end. At most one for
/// every `kShortestPiece` pixels; costs O(lanes of the trace).
[[nodiscard]] std::vector<LanePiece> lanePieces(const core::Trace &trace, const TimelineLayout &layout);

/// Positions of the trace lanes below the axis: one row a trace, and with a policy a second row for its arrays.
/// Qt-free.
struct LaneRows {
    double top = 0;
    size_t count = 0;
    bool hasPolicy = false;

    static constexpr double kRow = 17;
    static constexpr double kBar = 13;
    static constexpr double kPolicyRow = 15;

    [[nodiscard]] double row() const { return kRow + (hasPolicy ? kPolicyRow : 0); }
    [[nodiscard]] double height() const { return count > 0 ? static_cast<double>(count) * row() + 3 : 0; }
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
