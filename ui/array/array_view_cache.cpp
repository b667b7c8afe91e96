// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// What the provider's cache made of the columns: how far they were read, where breakpoints stood.

#include "ui/array/array_view.h"
#include "ui/hub/run_figures.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr double kRailGap = 4; ///< left of the slots, inside the bracket
constexpr double kRail = 2;
constexpr double kReach = 6; ///< of the line, beyond the slots

} // namespace

void ArrayView::takeCache()
{
    m_cacheBefore = m_state.session() ? cacheOfBefore(m_state) : std::nullopt;
    m_cacheAfter = m_state.session() && hasAfter() ? cacheOfAfter(m_state) : std::nullopt;
    update();
}

double ArrayView::cacheEnd(Side side) const
{
    const ArrayColumn &shown = column(side);
    const core::SlotPlace &end = cacheOf(side)->reading().end;
    const double top = columnRect(side).top() - scrollOf(side);
    if (end.slot.index() >= shown.transcript().slotCount())
        return top + shown.layout().totalHeight(m_zoom);
    const size_t item = shown.itemOf(end.slot);
    const double within = end.share > 0 ? shown.layout().height(item, m_zoom) * end.share : -1;
    return top + shown.layout().top(item, m_zoom) + within;
}

void ArrayView::paintCache(QPainter &painter, Side side) const
{
    if (!cacheOf(side))
        return;
    painter.save();
    painter.setClipRect(columnRect(side).adjusted(-kReach, -2, kReach, 2));
    if (m_mode == ArrayMode::BarsHeaviest)
        paintCacheRails(painter, side);
    else
        paintCacheEnd(painter, side);
    paintBreakpoints(painter, side);
    painter.restore();
}

/// A rail beside all that was read, and a line where it ends.
void ArrayView::paintCacheEnd(QPainter &painter, Side side) const
{
    const Theme &theme = m_state.theme();
    const QRectF rect = columnRect(side);
    const double end = cacheEnd(side);
    const double top = rect.top() - scrollOf(side);
    painter.fillRect(QRectF(rect.left() - kRailGap, top, kRail, std::max(0.0, end - top)), theme.secondary);
    const double y = std::floor(end) + 0.5;
    painter.setPen(QPen(cacheOf(side)->isBroken() ? theme.hot : theme.text, 1));
    painter.drawLine(QPointF(rect.left() - kReach, y), QPointF(rect.right() + kReach, y));
}

/// Where slots do not stand in the order in which they were sent: a rail beside each that was read.
void ArrayView::paintCacheRails(QPainter &painter, Side side) const
{
    const QRectF rect = columnRect(side);
    const ArrayColumn &shown = column(side);
    for (const ColumnLayout::Span &span :
        shown.layout().spans(scrollOf(side), scrollOf(side) + rect.height(), m_zoom)) {
        const ArrayItem &item = shown.items()[span.heaviest];
        const double share = item.kind == ArrayItem::Kind::Slot ? cacheOf(side)->readShareOf(item.slot) : 1;
        painter.fillRect(
            QRectF(rect.left() - kRailGap, rect.top() + span.top - scrollOf(side), kRail, span.height * share),
            m_state.theme().secondary);
    }
}

void ArrayView::paintBreakpoints(QPainter &painter, Side side) const
{
    const QRectF rect = columnRect(side);
    const ArrayColumn &shown = column(side);
    for (const core::SlotIndex slot : cacheOf(side)->marked()) {
        const size_t item = shown.itemOf(slot);
        const double bottom = shown.layout().top(item, m_zoom) + shown.layout().height(item, m_zoom);
        const double y = rect.top() - scrollOf(side) + bottom - 4;
        if (y > rect.top() - 4 && y < rect.bottom() + 4)
            paintBreakpoint(painter, m_state.theme(), { rect.left(), y });
    }
}

QString ArrayView::cacheWordsOf(Side side, core::SlotIndex slot) const
{
    return cacheOf(side) ? cacheOf(side)->wordsOf(slot) : QString();
}

} // namespace ui
