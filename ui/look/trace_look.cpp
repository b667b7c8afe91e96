// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/look/trace_look.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>

namespace ui {

using core::TraceState;

namespace {

struct TraceWords {
    Q_DECLARE_TR_FUNCTIONS(Trace)
};

} // namespace

QString traceStateWord(const core::TraceLane &lane)
{
    switch (lane.state) {
    case TraceState::Verbatim:
        return TraceWords::tr("in context, word for word");
    case TraceState::Partial:
        return TraceWords::tr("partly in context");
    case TraceState::Gone:
        return TraceWords::tr("gone");
    case TraceState::Unknown:
        return lane.mayBeCleared
            ? TraceWords::tr("unknown: the harness cleared some texts, perhaps this one; the log does not say which")
            : TraceWords::tr("unknown: the call sent text that is not in the log, perhaps this one");
    }
    return {};
}

std::vector<LanePiece> lanePieces(
    const core::Trace &trace, double left, double right, const std::function<double(uint32_t)> &xAt)
{
    std::vector<LanePiece> pieces;
    for (const core::TraceLane &lane : trace.lanes) {
        LanePiece piece { std::max(xAt(lane.from), left), std::min(xAt(lane.to), right), lane.state, false, lane.from };
        if (piece.right <= left || piece.left >= right)
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

void paintLanePiece(QPainter &painter, const LanePiece &piece, double top, double height, const Theme &theme)
{
    const QRectF bar(piece.left, top, piece.width(), height);
    const QRectF outline = bar.adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(QPen(theme.accent, 1));
    painter.setBrush(Qt::NoBrush);
    if (piece.isMixed) {
        painter.fillRect(bar, QBrush(theme.accent, Qt::DiagCrossPattern));
        return;
    }
    switch (piece.state) {
    case TraceState::Verbatim:
        painter.fillRect(bar, theme.accent);
        return;
    case TraceState::Partial:
        painter.fillRect(bar, QBrush(theme.accent, Qt::Dense5Pattern));
        break;
    case TraceState::Gone:
        break;
    case TraceState::Unknown:
        painter.fillRect(bar, QBrush(faded(theme.secondary, 0.8), Qt::BDiagPattern));
        painter.setPen(QPen(theme.secondary, 1, Qt::DashLine));
        break;
    }
    painter.drawRect(outline);
}

} // namespace ui
