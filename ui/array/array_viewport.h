// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_content.h"

#include <QRectF>
#include <QSize>

#include <optional>
#include <span>
#include <utility>

namespace ui {

/// The visible part of an array view in pixels: size, zoom and scroll positions of the columns. The `after` array
/// scrolls along with the `before` array. Both columns and all calls of a session share one scale, so that slots keep
/// their size from call to call.
class ArrayViewport final {
public:
    static constexpr double kLine = 23;     ///< height of a slot as a line of text
    static constexpr double kGap = 2;       ///< between two slots
    static constexpr double kTextFrom = 13; ///< smallest height of an item with text
    static constexpr int kHeader = 70;      ///< above the columns
    static constexpr int kMargin = 14;      ///< left and right
    static constexpr int kOverviewWidth = 14;

    struct Hit {
        ArraySide side = ArraySide::Before;
        size_t item = 0;
    };
    /// The block at the top of the view, used to restore the scroll position after the array has changed.
    struct Anchor {
        core::BlockId block;
        double offset = 0; ///< pixels from the top of its slot to the top of the view
    };

    explicit ArrayViewport(ArrayContent &content)
        : m_content(content)
    {
    }

    [[nodiscard]] QSize size() const { return m_size; }
    [[nodiscard]] double zoom() const { return m_zoom; }
    [[nodiscard]] double scrollOf(ArraySide side) const
    {
        return side == ArraySide::Before ? m_scrollBefore : m_scrollAfter;
    }

    void resize(QSize size);
    /// Lays out the columns for another mode and scrolls to the top.
    void changeMode();
    /// Lays out another array and scrolls the block of the anchor to its old position.
    void layOut(const Anchor &anchor);
    [[nodiscard]] Anchor anchor() const;
    void scrollToTop() { m_scrollBefore = 0; }
    void scrollToBottom() { scrollBy(ArraySide::Before, bottomOf(ArraySide::Before)); }
    /// Whether the last item of the `before` array is in sight to its end.
    [[nodiscard]] bool isAtBottom() const;

    void scrollBy(ArraySide side, double pixels);
    /// Scrolls as little as needed to show a slot of the `before` array.
    void reveal(core::SlotIndex slot);
    /// Scrolls a slot of the `before` array (or its top) to the middle. Returns false if nothing moved.
    bool centre(core::SlotIndex slot);
    void centreTop(core::SlotIndex slot);
    /// Zooms; the point at `y` (in the widget) stays in its place.
    void zoomAt(double factor, double y);
    /// Shows the whole array.
    void fit();

    [[nodiscard]] QRectF columnRect(ArraySide side) const;
    [[nodiscard]] QRectF overviewRect() const;
    /// The bar above a column that shows what its array is made of.
    [[nodiscard]] QRectF compositionRect(ArraySide side) const;
    /// Height of a line of text: smaller when zoomed out, but still readable.
    [[nodiscard]] double textLine() const;
    /// The item's rectangle in widget coordinates, without the gap below; also for items out of sight.
    [[nodiscard]] QRectF itemRect(ArraySide side, size_t item) const;
    /// Bottom of the last item in the widget.
    [[nodiscard]] double bottomOf(ArraySide side) const;
    /// Visible items, merged as by ColumnLayout.
    [[nodiscard]] std::vector<ColumnLayout::Span> spans(ArraySide side) const;
    [[nodiscard]] std::optional<Hit> hitAt(QPointF position) const;

private:
    [[nodiscard]] const ColumnLayout &layoutOf(ArraySide side) const { return m_content.column(side).layout(); }
    [[nodiscard]] double &scroll(ArraySide side) { return side == ArraySide::Before ? m_scrollBefore : m_scrollAfter; }
    [[nodiscard]] double viewHeight() const { return columnRect(ArraySide::Before).height(); }
    void layOutColumns();
    /// Computes how the whole `before` array is shown.
    void findFit();
    /// The scale of the layout with a zoom: zoomed out, weights shrink less than lines, as far as the array still fits.
    [[nodiscard]] double scaleAt(double zoom) const;
    /// The sides that there are.
    [[nodiscard]] std::span<const ArraySide> sides() const;
    void clampScroll();
    /// Scrolls the `after` array so that the slot in the middle of the view is beside its fate.
    void followWithAfter();
    void finishScroll();

    ArrayContent &m_content;
    QSize m_size;
    double m_zoom = 1.0;
    double m_slotsZoom = 1.0; ///< initial zoom of a session, by mode
    double m_barsZoom = 1.0;
    bool m_hasOwnZoom = false; ///< the user changed the zoom, so resizing the view keeps it
    double m_scale = 0;        ///< with zoom 1 and more
    Fit m_fit;
    std::pair<const void *, core::WeightUnit> m_scaleKey { nullptr, core::WeightUnit::Tokens };
    int m_scaleHeight = 0;
    double m_scrollBefore = 0;
    double m_scrollAfter = 0;
};

} // namespace ui
