// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trace_lanes.h"

#include <algorithm>

namespace ui {

std::vector<LanePiece> lanePieces(const core::Trace &trace, const TimelineLayout &layout)
{
    const TimelineLayout::Plot &plot = layout.plot();
    std::vector<LanePiece> pieces;
    for (const core::TraceLane &lane : trace.lanes) {
        LanePiece piece { std::max(layout.xAt(lane.from), plot.left), std::min(layout.xAt(lane.to), plot.right),
            lane.state, false, lane.from };
        if (piece.right <= plot.left || piece.left >= plot.right)
            continue;
        if (!pieces.empty()) {
            LanePiece &before = pieces.back();
            // The tool tip names another carrier of the same state; the lane does not draw it.
            if (!before.isMixed && before.state == piece.state) {
                before.right = piece.right;
                continue;
            }
            if (before.width() < kShortestPiece || (before.isMixed && piece.width() < kShortestPiece)) {
                before.isMixed = true;
                before.right = piece.right;
                continue;
            }
        }
        pieces.push_back(piece);
    }
    return pieces;
}

} // namespace ui
