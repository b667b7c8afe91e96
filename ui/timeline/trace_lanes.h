// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "ui/timeline/timeline_layout.h"

#include <vector>

namespace ui {

/// A run of calls of one traced text that is drawn alike.
struct LanePiece {
    double left = 0; ///< pixels
    double right = 0;
    core::TraceState state = core::TraceState::Gone;
    bool isMixed = false; ///< several states, each too short to be told apart
    uint32_t from = 0;    ///< its first call

    [[nodiscard]] double width() const { return right - left; }
};

/// Shorter runs are merged with their neighbours.
inline constexpr double kShortestPiece = 3; ///< pixels

/// The pieces of a trace in sight, from left to right, without holes between its first call and the end. At most one
/// for every `kShortestPiece` pixels; costs O(lanes of the trace).
[[nodiscard]] std::vector<LanePiece> lanePieces(const core::Trace &trace, const TimelineLayout &layout);

/// Places of the lanes of traces below the axis: one row each, and under a policy a second one for its arrays. Qt-free.
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
    /// Top of the bar of the policy's arrays.
    [[nodiscard]] double policyTopOf(size_t lane) const { return topOf(lane) + kPolicyRow; }
    /// The row at a height; `count` outside of the rows.
    [[nodiscard]] size_t rowAt(double y) const
    {
        return y < top || y >= top + static_cast<double>(count) * row() ? count
                                                                        : static_cast<size_t>((y - top) / row());
    }
    /// A height within a row is on the bar of the policy's arrays.
    [[nodiscard]] bool isPolicyAt(double y) const
    {
        return hasPolicy && rowAt(y) < count && y >= top + static_cast<double>(rowAt(y)) * row() + kRow;
    }
};

} // namespace ui
