// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/timeline/trace_lane_painter.h"

#include "core/evidence/trace_verdict.h"
#include "ui/look/shaped_words.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::TraceState;

namespace {

constexpr double kFewestForWords = 44; ///< pixels
constexpr double kRoomForName = 160;
constexpr double kWordMargin = 5;

/// The piece for the first words of the text: the first verbatim one if they fit, else the widest one.
size_t namedPiece(const std::vector<LanePiece> &pieces)
{
    const auto whole = std::ranges::find_if(pieces, [](const LanePiece &piece) {
        return piece.state == TraceState::Verbatim && !piece.isMixed && piece.width() >= kRoomForName;
    });
    const auto place = whole != pieces.end() ? whole : std::ranges::max_element(pieces, {}, &LanePiece::width);
    return static_cast<size_t>(place - pieces.begin());
}

} // namespace

void TraceLanePainter::paint(const Traced &traced, double top) const
{
    const QString name = traced.name;
    if (!traced.life || traced.life->lanes.empty())
        return paintWords(
            name + u" · "_s + (traced.life ? tr("never in context") : tr("being traced")), wholeLane(), top);
    paintLife(*traced.life, name, top);
}

void TraceLanePainter::paintPolicy(const Traced &traced, double top) const
{
    if (!traced.policyLife || traced.policyLife->lanes.empty())
        return paintWords(traced.policyLife ? tr("never in context") : tr("being traced"), wholeLane(), top);
    paintLife(*traced.policyLife, {}, top);
}

LanePiece TraceLanePainter::wholeLane() const
{
    return { m_layout.plot().left, m_layout.plot().right, TraceState::Gone, false, 0 };
}

void TraceLanePainter::paintLife(const core::Trace &life, const QString &name, double top) const
{
    m_painter.setFont(Theme::textFont(11));
    const std::vector<LanePiece> pieces = lanePieces(life, m_layout);
    if (pieces.empty())
        return;
    const size_t named = namedPiece(pieces);
    for (size_t i = 0; i < pieces.size(); ++i) {
        paintLanePiece(m_painter, pieces[i], top, LaneRows::kBar, m_theme);
        if (pieces[i].width() < kFewestForWords)
            continue;
        const QString state = stateWords(life, pieces[i]);
        const bool isBoth = i == named && !name.isEmpty() && !state.isEmpty();
        const QString words = isBoth ? name + u" · "_s + state : i == named && state.isEmpty() ? name : state;
        paintWords(words, pieces[i], top);
    }
}

QString TraceLanePainter::stateWords(const core::Trace &trace, const LanePiece &piece) const
{
    if (piece.isMixed)
        return {};
    switch (piece.state) {
    case TraceState::Verbatim:
        return {};
    case TraceState::Partial: {
        const core::TraceLane *lane = trace.at(piece.from);
        return lane != nullptr ? displayText(core::keptShareText(trace, *lane)) : QString();
    }
    case TraceState::Gone: // the previous call was the last one that sent it
        return tr("last sent at call %1").arg(piece.from > 0 ? piece.from - 1 : 0);
    case TraceState::Unknown:
        return tr("unknown");
    }
    return {};
}

void TraceLanePainter::paintWords(const QString &words, const LanePiece &piece, double top) const
{
    if (words.isEmpty())
        return;
    m_painter.setFont(Theme::textFont(11));
    const bool isSolid = piece.state == TraceState::Verbatim && !piece.isMixed;
    const bool isHollow = piece.state == TraceState::Gone && !piece.isMixed;
    const QFontMetricsF metrics(m_painter.font());
    const QString shown = metrics.elidedText(words, Qt::ElideRight, piece.width() - 2 * kWordMargin);
    const QRectF place(piece.left + kWordMargin, top, metrics.horizontalAdvance(shown) + 2, LaneRows::kBar);
    if (!isSolid && !isHollow)
        m_painter.fillRect(place.adjusted(-2, 1, 2, -1), m_theme.base);
    m_painter.setPen(isSolid ? m_theme.base : isHollow ? m_theme.accent : m_theme.text);
    drawWords(m_painter, place, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

} // namespace ui
