// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_cache_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kRailGap = 4; ///< left of the slots, inside the bracket
constexpr double kRail = 2;
constexpr double kBeyond = 6; ///< how far the line reaches beyond the slots

} // namespace

double ArrayCachePainter::endOf(ArraySide side) const
{
    const ArrayColumn &shown = m_content.column(side);
    const core::SlotPlace &end = m_content.cacheOf(side)->reading().end;
    const double top = m_view.columnRect(side).top() - m_view.scrollOf(side);
    if (end.slot.index() >= shown.transcript().slotCount())
        return top + shown.layout().totalHeight(m_view.zoom());
    const size_t item = shown.itemOf(end.slot);
    const double within = end.share > 0 ? shown.layout().height(item, m_view.zoom()) * end.share : -1;
    return top + shown.layout().top(item, m_view.zoom()) + within;
}

void ArrayCachePainter::paint(ArraySide side) const
{
    if (!m_content.cacheOf(side))
        return;
    m_painter.save();
    m_painter.setClipRect(m_view.columnRect(side).adjusted(-kBeyond, -2, kBeyond, 2));
    if (m_content.mode() == ArrayMode::BarsHeaviest)
        paintRails(side);
    else
        paintEnd(side);
    paintBreakpoints(side);
    m_painter.restore();
}

/// A rail beside the part that was read, and a line at its end.
void ArrayCachePainter::paintEnd(ArraySide side) const
{
    const Theme &theme = m_content.theme();
    const QRectF rect = m_view.columnRect(side);
    const double end = endOf(side);
    const double top = rect.top() - m_view.scrollOf(side);
    m_painter.fillRect(QRectF(rect.left() - kRailGap, top, kRail, std::max(0.0, end - top)), theme.secondary);
    const double y = std::floor(end) + 0.5;
    m_painter.setPen(QPen(m_content.cacheOf(side)->isBroken() ? theme.hot : theme.text, 1));
    m_painter.drawLine(QPointF(rect.left() - kBeyond, y), QPointF(rect.right() + kBeyond, y));
}

/// If slots are not in the order sent: a rail beside each slot that was read.
void ArrayCachePainter::paintRails(ArraySide side) const
{
    const QRectF rect = m_view.columnRect(side);
    const ArrayColumn &shown = m_content.column(side);
    for (const ColumnLayout::Span &span : m_view.spans(side)) {
        const ArrayItem &item = shown.items()[span.heaviest];
        const double share = item.kind == ArrayItem::Kind::Slot ? m_content.cacheOf(side)->readShareOf(item.slot) : 1;
        m_painter.fillRect(
            QRectF(rect.left() - kRailGap, rect.top() + span.top - m_view.scrollOf(side), kRail, span.height * share),
            m_content.theme().secondary);
    }
}

void ArrayCachePainter::paintBreakpoints(ArraySide side) const
{
    const QRectF rect = m_view.columnRect(side);
    const ArrayColumn &shown = m_content.column(side);
    for (const core::SlotIndex slot : m_content.cacheOf(side)->marked()) {
        const size_t item = shown.itemOf(slot);
        const double bottom = shown.layout().top(item, m_view.zoom()) + shown.layout().height(item, m_view.zoom());
        const double y = rect.top() - m_view.scrollOf(side) + bottom - 4;
        if (y > rect.top() - 4 && y < rect.bottom() + 4)
            paintBreakpoint(m_painter, m_content.theme(), { rect.left(), y });
    }
}

} // namespace ui
