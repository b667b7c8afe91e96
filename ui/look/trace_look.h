// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "core/evidence/trace.h"
#include "ui/look/theme.h"

#include <QRectF>

#include <functional>
#include <vector>

class QPainter;

namespace ui {

/// `in context, word for word`
[[nodiscard]] QString traceStateWord(const core::TraceLane &lane);

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

/// The pieces of a trace between `left` and `right`, without gaps between its first call and the end. At most one for
/// every `kShortestPiece` pixels; costs O(lanes of the trace). `xAt` is the left edge of a call.
[[nodiscard]] std::vector<LanePiece> lanePieces(
    const core::Trace &trace, double left, double right, const std::function<double(uint32_t)> &xAt);

/// Draws a piece as a bar: verbatim solid, partial half-tone, gone hollow, unknown hatched, mixed crossed. States can
/// be told apart without colour.
void paintLanePiece(QPainter &painter, const LanePiece &piece, double top, double height, const Theme &theme);

} // namespace ui
