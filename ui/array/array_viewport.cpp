// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/array_viewport.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ui {

using core::SlotIndex;

namespace {

constexpr double kTallest = 140;
constexpr size_t kSmallArray = 40;
constexpr double kSmallestOpeningZoom = 0.57;
constexpr double kLineShare = 0.75; ///< of the height, for the lines of a small array; the rest is for heavy slots
constexpr int kRibbons = 104;
constexpr double kCompositionTop = 47;
constexpr double kCompositionHeight = 16;
constexpr int kWidest = 1400;
constexpr int kHandleRoom = 92; ///< for the handle of keep beside an only column

/// A small array opens whole if its text stays readable: the zoom at which its lines take `share` of the height.
double openingZoom(size_t count, double lineHeight, double height, double share)
{
    const double room = height - 4;
    const double lines = std::max(1.0, static_cast<double>(count) * lineHeight);
    const double zoom = std::clamp(room * share / lines, kSmallestOpeningZoom, 1.0);
    return count > kSmallArray || lines * zoom > room + 0.5 ? 1.0 : zoom;
}

} // namespace

// --- layout ---------------------------------------------------------------------------------------------------------

void ArrayViewport::layOutColumns()
{
    const double height = std::max(120.0, viewHeight());
    const ArrayColumn &before = m_content.before();
    const std::pair<const void *, core::WeightUnit> key { m_content.state().session().get(), m_content.state().unit() };
    // The picture of a session that grows stays; new slots come at its end.
    const bool isGrown = m_scaleKey.first != nullptr && m_content.state().workspace().isGrown();
    const bool isOther = key != m_scaleKey && !(isGrown && key.second == m_scaleKey.second);
    if (!isOther)
        m_scaleKey = key;
    if (isOther || m_scaleHeight != static_cast<int>(height)) {
        m_scaleKey = key;
        m_scaleHeight = static_cast<int>(height);
        m_slotsZoom = openingZoom(before.items().size(), kLine + kGap, height, kLineShare);
        m_barsZoom = openingZoom(before.items().size(), kLine + kGap, height, 1.0);
        m_scale = fittingScale(before.weights(), kLine, kGap, (height - 4) / m_slotsZoom, kTallest);
        if (isOther)
            m_hasOwnZoom = false;
        if (!m_hasOwnZoom)
            m_zoom = m_content.mode() == ArrayMode::Slots ? m_slotsZoom : m_barsZoom;
    }
    if (m_hasOwnZoom && m_zoom < 1)
        findFit();
    m_content.layOut(kLine, kGap, m_hasOwnZoom ? scaleAt(m_zoom) : m_scale);
}

void ArrayViewport::findFit()
{
    const std::vector<double> &weights = m_content.before().weights();
    const ColumnLayout asOpened(weights, kLine, kGap, m_content.mode() == ArrayMode::Slots ? m_scale : 0);
    const bool opensWhole = asOpened.totalHeight(m_slotsZoom) <= viewHeight();
    if (opensWhole || m_content.mode() != ArrayMode::Slots) {
        const double zoom = std::min(1.0, viewHeight() / std::max(1.0, asOpened.totalHeight(1.0)));
        m_fit = { zoom, m_scale * zoom };
    } else {
        m_fit = fitted(weights, kLine, kGap, m_scale, viewHeight());
    }
}

double ArrayViewport::scaleAt(double zoom) const
{
    if (zoom >= 1 || m_fit.zoom >= 1 || m_scale <= 0 || m_fit.scale <= 0)
        return m_scale;
    return m_scale * std::pow(m_fit.scale / m_scale, std::log(zoom) / std::log(m_fit.zoom)) / zoom;
}

void ArrayViewport::resize(QSize size)
{
    m_size = size;
    layOutColumns();
    clampScroll();
}

void ArrayViewport::changeMode()
{
    if (!m_hasOwnZoom)
        m_zoom = m_content.mode() == ArrayMode::Slots ? m_slotsZoom : m_barsZoom;
    m_scrollBefore = 0;
    m_scrollAfter = 0;
}

ArrayViewport::Anchor ArrayViewport::anchor() const
{
    const ArrayColumn &before = m_content.before();
    if (before.layout().count() == 0 || m_scrollBefore <= 0)
        return {};
    const size_t item = before.layout().itemAt(m_scrollBefore, m_zoom);
    const ArrayItem &top = before.items()[item];
    if (top.kind != ArrayItem::Kind::Slot)
        return {};
    // The picture may hold another array already.
    return { before.firstBlockOf(top.slot), m_scrollBefore - before.layout().top(item, m_zoom) };
}

bool ArrayViewport::isAtBottom() const
{
    return bottomOf(ArraySide::Before) <= columnRect(ArraySide::Before).bottom() + 1;
}

void ArrayViewport::layOut(const Anchor &anchor)
{
    layOutColumns();
    const ArrayColumn &before = m_content.before();
    if (anchor.block.isValid()) {
        if (const SlotIndex slot = before.transcript().slotOf(anchor.block); slot.isValid())
            m_scrollBefore = before.layout().top(before.itemOf(slot), m_zoom) + anchor.offset;
    }
    if (!m_content.hasAfter())
        m_scrollAfter = 0;
    finishScroll();
}

QRectF ArrayViewport::columnRect(ArraySide side) const
{
    const double left = kMargin + kOverviewWidth + 18;
    const double right = m_size.width() - kMargin - 8;
    const double top = kHeader + 6;
    const double height = m_size.height() - top - 10;
    if (!m_content.hasAfter())
        return { left, top,
            std::min(right - left - std::min<double>(kHandleRoom, (right - left) / 6), static_cast<double>(kWidest)),
            height };
    const double ribbons = std::min<double>(kRibbons, (right - left) / 6);
    const double width = (right - left - ribbons) / 2;
    return { side == ArraySide::Before ? left : left + width + ribbons, top, width, height };
}

QRectF ArrayViewport::overviewRect() const
{
    return QRectF(kMargin, kHeader + 2, kOverviewWidth, m_size.height() - kHeader - 10);
}

QRectF ArrayViewport::compositionRect(ArraySide side) const
{
    const QRectF column = columnRect(side);
    return { column.left(), kCompositionTop, column.width(), kCompositionHeight };
}

double ArrayViewport::textLine() const { return std::max(kTextFrom, kLine * std::min(1.0, m_zoom)); }

QRectF ArrayViewport::itemRect(ArraySide side, size_t item) const
{
    const QRectF rect = columnRect(side);
    const ColumnLayout &layout = layoutOf(side);
    return { rect.left(), rect.top() + layout.top(item, m_zoom) - scrollOf(side), rect.width(),
        layout.height(item, m_zoom) };
}

double ArrayViewport::bottomOf(ArraySide side) const
{
    return columnRect(side).top() + layoutOf(side).totalHeight(m_zoom) - scrollOf(side);
}

std::vector<ColumnLayout::Span> ArrayViewport::spans(ArraySide side) const
{
    return layoutOf(side).spans(scrollOf(side), scrollOf(side) + columnRect(side).height(), m_zoom);
}

std::optional<ArrayViewport::Hit> ArrayViewport::hitAt(QPointF position) const
{
    for (const ArraySide side : { ArraySide::Before, ArraySide::After }) {
        if (side == ArraySide::After && !m_content.hasAfter())
            break;
        const QRectF rect = columnRect(side);
        const ColumnLayout &layout = layoutOf(side);
        if (!rect.contains(position) || layout.count() == 0)
            continue;
        const double y = position.y() - rect.top() + scrollOf(side);
        if (y > layout.totalHeight(m_zoom))
            return std::nullopt;
        return Hit { side, layout.itemAt(y, m_zoom) };
    }
    return std::nullopt;
}

// --- scrolling and zooming ------------------------------------------------------------------------------------------

std::span<const ArraySide> ArrayViewport::sides() const
{
    static constexpr std::array kBoth { ArraySide::Before, ArraySide::After };
    return std::span(kBoth).first(m_content.hasAfter() ? 2 : 1);
}

void ArrayViewport::clampScroll()
{
    for (const ArraySide side : sides()) {
        const double room = std::max(0.0, layoutOf(side).totalHeight(m_zoom) - columnRect(side).height());
        scroll(side) = std::clamp(scroll(side), 0.0, room);
    }
}

void ArrayViewport::finishScroll()
{
    clampScroll();
    followWithAfter();
}

void ArrayViewport::followWithAfter()
{
    const ArrayColumn &before = m_content.before();
    if (!m_content.hasAfter() || before.layout().count() == 0)
        return;
    if (m_content.mode() == ArrayMode::BarsHeaviest) {
        if (m_content.isUnchanged()) {
            m_scrollAfter = m_scrollBefore; // else the two are sorted differently
            clampScroll();
        }
        return;
    }
    const double middle = viewHeight() / 2;
    const double y = m_scrollBefore + middle;
    const size_t item = std::min(before.layout().itemAt(y, m_zoom), before.items().size() - 1);
    const double into = y - before.layout().top(item, m_zoom);
    double share = std::clamp(into / std::max(1.0, before.layout().height(item, m_zoom)), 0.0, 1.0);
    const ArrayColumn &shownAfter = m_content.after();
    const ColumnLayout &after = shownAfter.layout();
    const auto follow = [&](size_t place) {
        m_scrollAfter = after.top(place, m_zoom) + share * after.height(place, m_zoom) - middle;
        clampScroll();
    };
    // The prelude and its like are beside their like. Where there is none, the slot above takes their part.
    size_t at = item;
    if (before.items()[at].kind != ArrayItem::Kind::Slot) {
        const auto like = std::ranges::find(shownAfter.items(), before.items()[at].kind, &ArrayItem::kind);
        if (like != shownAfter.items().end())
            return follow(static_cast<size_t>(like - shownAfter.items().begin()));
        while (at > 0 && before.items()[at].kind != ArrayItem::Kind::Slot)
            --at;
    }
    // A dropped slot has no place in the `after` array. The last kept slot above it replaces it.
    const std::vector<SlotFate> &fates = m_content.fates();
    size_t slot = before.items()[at].kind == ArrayItem::Kind::Slot ? before.items()[at].slot.index() : 0;
    while (slot > 0 && !fates[slot].target.isValid()) {
        --slot;
        share = 1;
    }
    if (slot >= fates.size() || !fates[slot].target.isValid())
        return;
    if (fates[slot].kind == core::Fate::Summarised)
        share = 0.5;
    follow(shownAfter.itemOf(fates[slot].target));
}

void ArrayViewport::scrollBy(ArraySide side, double pixels)
{
    if (m_content.isUnchanged())
        side = ArraySide::Before; // two equal arrays scroll as one
    scroll(side) += pixels;
    clampScroll();
    if (side == ArraySide::Before)
        followWithAfter();
}

void ArrayViewport::reveal(SlotIndex slot)
{
    const ArrayColumn &before = m_content.before();
    const size_t item = before.itemOf(slot);
    const double top = before.layout().top(item, m_zoom);
    const double bottom = top + before.layout().height(item, m_zoom);
    const double height = viewHeight();
    const double air = std::min(60.0, height / 5);
    if (top < m_scrollBefore)
        m_scrollBefore = top - air;
    else if (bottom > m_scrollBefore + height)
        m_scrollBefore = std::min(top, bottom - height + air);
    finishScroll();
}

bool ArrayViewport::centre(SlotIndex slot)
{
    const ArrayColumn &before = m_content.before();
    const size_t item = before.itemOf(slot);
    const double old = m_scrollBefore;
    m_scrollBefore = before.layout().top(item, m_zoom) + before.layout().height(item, m_zoom) / 2 - viewHeight() / 2;
    finishScroll();
    return std::abs(old - m_scrollBefore) >= 1.0;
}

void ArrayViewport::centreTop(SlotIndex slot)
{
    const ArrayColumn &before = m_content.before();
    m_scrollBefore = before.layout().top(before.itemOf(slot), m_zoom) - viewHeight() / 2;
    finishScroll();
}

void ArrayViewport::zoomAt(double factor, double y)
{
    const double wanted = m_zoom * factor;
    if (wanted < 1 && (!m_hasOwnZoom || m_zoom >= 1)) // else it is known, or not asked for
        findFit();
    const double zoom = wanted < 1 ? std::max(wanted, m_fit.zoom) : std::min(wanted, 12.0);
    const double inColumn = y - columnRect(ArraySide::Before).top();
    /// An item, and how far into it.
    struct Place {
        size_t item = 0;
        double share = 0;
    };
    const auto heightOf = [](const ColumnLayout &layout, size_t item, double at) {
        return layout.top(item + 1, at) - layout.top(item, at);
    };
    std::array<Place, 2> places;
    for (const ArraySide side : sides()) {
        const ColumnLayout &layout = layoutOf(side);
        const double at = scroll(side) + inColumn;
        Place &place = places[static_cast<size_t>(side)];
        place.item = layout.itemAt(at, m_zoom);
        if (place.item < layout.count())
            place.share = (at - layout.top(place.item, m_zoom)) / heightOf(layout, place.item, m_zoom);
    }
    m_zoom = zoom;
    m_hasOwnZoom = true;
    m_content.layOut(kLine, kGap, scaleAt(m_zoom));
    for (const ArraySide side : sides()) {
        const ColumnLayout &layout = layoutOf(side);
        const Place &place = places[static_cast<size_t>(side)];
        if (place.item < layout.count())
            scroll(side)
                = layout.top(place.item, m_zoom) + place.share * heightOf(layout, place.item, m_zoom) - inColumn;
    }
    clampScroll();
}

void ArrayViewport::fit()
{
    findFit();
    m_hasOwnZoom = true;
    m_zoom = m_fit.zoom;
    m_content.layOut(kLine, kGap, scaleAt(m_zoom));
    m_scrollBefore = 0;
    m_scrollAfter = 0;
    clampScroll();
}

} // namespace ui
