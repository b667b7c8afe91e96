// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/replay/trace.h"
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

/// Where the lanes of traces stand, below the axis: one row each. Qt-free.
struct LaneRows {
    double top = 0;
    size_t count = 0;

    static constexpr double kRow = 17;
    static constexpr double kBar = 13;

    [[nodiscard]] static double heightOf(size_t count) { return count > 0 ? static_cast<double>(count) * kRow + 3 : 0; }
    [[nodiscard]] double topOf(size_t row) const { return top + static_cast<double>(row) * kRow + (kRow - kBar) / 2; }
    /// The row at a height; `count` beside all of them.
    [[nodiscard]] size_t rowAt(double y) const
    {
        return y < top || y >= top + static_cast<double>(count) * kRow ? count : static_cast<size_t>((y - top) / kRow);
    }
};

} // namespace ui
