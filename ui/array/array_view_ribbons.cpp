// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Ribbons from a slot to what became of it.

#include "ui/array/array_view.h"

#include "ui/look/fate_word.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

void ArrayView::paintRibbons(QPainter &painter)
{
    const QRectF left = columnRect(Side::Before);
    const QRectF right = columnRect(Side::After);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setClipRect(QRectF(left.right() + 8, left.top(), right.left() - left.right() - 16, left.height()));
    painter.setPen(Qt::NoPen);
    const double x0 = left.right() + 8;
    const double x1 = right.left() - 8;
    const double middle = (x0 + x1) / 2;
    const double total = std::max(1.0, m_beforeSums.back());
    std::array<size_t, 8> counts {};
    for (const SlotFate &fate : m_fates)
        ++counts[static_cast<size_t>(fate.kind)];
    const size_t summarised = counts[static_cast<size_t>(core::Fate::Summarised)];
    const size_t dropped = counts[static_cast<size_t>(core::Fate::Dropped)];
    const auto targetRange = [&](SlotIndex slot) {
        const size_t item = m_after->itemOf(slot);
        const double top = right.top() + m_after->layout().top(item, m_zoom) - m_scrollAfter;
        return std::pair(top, top + m_after->layout().height(item, m_zoom));
    };
    for (const ColumnLayout::Span &span :
        m_before.layout().spans(m_scrollBefore, m_scrollBefore + left.height(), m_zoom)) {
        const ArrayItem &item = m_before.items()[span.heaviest];
        if (item.kind != ArrayItem::Kind::Slot)
            continue;
        const SlotFate &fate = m_fates[item.slot.index()];
        const double y0 = left.top() + span.top - m_scrollBefore;
        const double y1 = y0 + span.height;
        QColor colour = colourOf(m_before, item);
        if (!fate.target.isValid()) {
            // Dropped: the ribbon runs out.
            QLinearGradient fade(x0, 0, middle, 0);
            colour.setAlpha(90);
            fade.setColorAt(0, colour);
            colour.setAlpha(0);
            fade.setColorAt(1, colour);
            painter.fillRect(QRectF(x0, y0, middle - x0, y1 - y0), fade);
            paintFateMark(painter, fate.kind, { x0 + 9, (y0 + y1) / 2 }, y1 - y0);
            continue;
        }
        auto [t0, t1] = targetRange(fate.target);
        if (fate.kind == core::Fate::Summarised) {
            const double height = t1 - t0;
            t1 = t0 + height * m_beforeSums[item.slot.index() + 1] / total;
            t0 = t0 + height * m_beforeSums[item.slot.index()] / total;
            t1 = std::max(t1, t0 + 0.6);
        }
        QPainterPath band(QPointF(x0, y0));
        band.cubicTo(middle, y0, middle, t0, x1, t0);
        band.lineTo(x1, t1);
        band.cubicTo(middle, t1, middle, y1, x0, y1);
        band.closeSubpath();
        const bool isKept = fate.kind == core::Fate::Kept;
        const bool isTold = m_state.picture().made() != nullptr;
        colour.setAlpha(fate.kind == core::Fate::Summarised ? 70 : isKept && isTold ? 60 : 120);
        painter.fillPath(band, colour);
        if (fate.kind == core::Fate::Cleared) {
            QColor lines = m_state.theme().secondary;
            lines.setAlpha(90);
            painter.fillPath(band, QBrush(lines, Qt::BDiagPattern));
        }
        if (!isKept && isTold && fate.kind != core::Fate::Summarised)
            paintFateMark(painter, fate.kind, { x1 - 8, (t0 + t1) / 2 }, t1 - t0);
    }
    painter.restore();
    // What became of them, in words.
    QStringList lines;
    if (m_state.picture().made()) {
        using core::Fate;
        for (const Fate fate :
            { Fate::Shortened, Fate::Replaced, Fate::Offloaded, Fate::Cleared, Fate::Dropped, Fate::Summarised }) {
            if (const size_t count = counts[static_cast<size_t>(fate)]; count > 0)
                lines << tr("%1 %2").arg(count).arg(fateWord(fate));
        }
        if (lines.isEmpty())
            lines << tr("no change");
    } else if (summarised > 0 || dropped > 0) {
        lines << counted(summarised > 0 ? summarised : dropped, tr("slot"), tr("slots"))
              << (summarised > 0 ? tr("→ 1 summary") : tr("dropped"));
    } else if (const size_t cleared = counts[static_cast<size_t>(core::Fate::Cleared)]; cleared > 0) {
        lines << tr("%1 %2").arg(cleared).arg(fateWord(core::Fate::Cleared));
    }
    if (lines.isEmpty())
        return;
    const QString verdict = lines.join(u'\n');
    const double height = 15.0 * static_cast<double>(lines.size()) + 6;
    QRectF place(left.right() + 8, left.bottom() - height - 4, right.left() - left.right() - 16, height);
    if (const QRectF handle = keepHandle(); handle.intersects(place))
        place.moveBottom(handle.top() - 4);
    painter.setFont(Theme::textFont(11));
    const QRectF words = painter.fontMetrics().boundingRect(place.toRect(), Qt::AlignCenter, verdict);
    if (words.width() > place.width() + 4)
        return;
    painter.fillRect(words.adjusted(-5, -2, 5, 2), m_state.theme().base);
    painter.setPen(m_state.theme().secondary);
    painter.drawText(place, Qt::AlignCenter, verdict);
}

void ArrayView::paintFateMark(QPainter &painter, core::Fate fate, QPointF at, double room) const
{
    if (room < 7)
        return;
    painter.save();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(fate == core::Fate::Dropped ? m_state.theme().hot : m_state.theme().secondary, 1.4));
    switch (fate) {
    case core::Fate::Shortened: // the sides come together
        painter.drawPolyline(QPolygonF({ at + QPointF(-3, -4), at + QPointF(2, 0), at + QPointF(-3, 4) }));
        break;
    case core::Fate::Replaced: // one for the other
        painter.drawLine(at + QPointF(-4, -2), at + QPointF(4, -2));
        painter.drawLine(at + QPointF(-4, 2), at + QPointF(4, 2));
        break;
    case core::Fate::Offloaded: // it goes elsewhere
        painter.drawLine(at + QPointF(-4, 4), at + QPointF(3, -3));
        painter.drawPolyline(QPolygonF({ at + QPointF(-2, -3), at + QPointF(3, -3), at + QPointF(3, 2) }));
        break;
    case core::Fate::Cleared: // an empty place
        painter.drawRect(QRectF(at.x() - 3.5, at.y() - 3.5, 7, 7));
        break;
    case core::Fate::Dropped:
        painter.drawLine(at + QPointF(-3, -3), at + QPointF(3, 3));
        painter.drawLine(at + QPointF(-3, 3), at + QPointF(3, -3));
        break;
    case core::Fate::Kept:
    case core::Fate::Summarised:
    case core::Fate::Added:
        break;
    }
    painter.restore();
}

} // namespace ui
