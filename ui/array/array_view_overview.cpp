// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The whole array as one narrow strip, at the left.

#include "ui/array/array_view.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

QRectF ArrayView::overviewRect() const
{
    return QRectF(kMargin, kHeader + 2, kOverviewWidth, m_size.height() - kHeader - 10);
}

void ArrayView::renderOverview()
{
    const QRectF rect = overviewRect();
    const int height = std::max(0, static_cast<int>(rect.height()));
    m_overview = QImage(1, std::max(1, height), QImage::Format_RGB32);
    m_overview.fill(m_state.theme().window);
    markOverview();
    if (height == 0 || m_beforeSums.size() < 2 || !m_state.session())
        return;
    const core::Transcript &transcript = m_state.picture().before;
    const double total = m_beforeSums.back();
    for (int row = 0; row < height && total > 0; ++row) {
        // The slot that holds the middle of the row; rows are what the eye can tell apart.
        const double at = total * (row + 0.5) / height;
        const auto next = std::ranges::upper_bound(m_beforeSums, at);
        const auto slot = static_cast<size_t>(std::max<ptrdiff_t>(1, next - m_beforeSums.begin())) - 1;
        if (slot >= transcript.slotCount())
            continue;
        m_overview.setPixelColor(0, row, colourOf(m_before, m_before.items()[m_before.itemOf(SlotIndex(slot))]));
    }
}

void ArrayView::markOverview()
{
    const auto rows = static_cast<size_t>(std::max(0.0, overviewRect().height()));
    m_hotRows.assign(rows, false);
    m_matchRows.assign(rows, false);
    if (rows == 0 || m_beforeSums.size() < 2 || m_beforeSums.back() <= 0)
        return;
    const auto rowOf = [&](size_t slot) {
        return std::min(
            rows, static_cast<size_t>(static_cast<double>(rows) * m_beforeSums[slot] / m_beforeSums.back()));
    };
    const auto mark = [&](std::vector<bool> &marks, size_t from, size_t to) {
        for (size_t row = from; row < std::min(to, rows); ++row)
            marks[row] = true;
    };
    for (const core::HotBlock &hot : m_state.picture().hot.blocks) {
        const size_t top = rowOf(hot.slot.index());
        mark(m_hotRows, top, std::max(top + 2, rowOf(hot.slot.index() + 1)));
    }
    for (const SlotIndex slot : m_state.matches()) {
        if (slot.index() + 1 >= m_beforeSums.size())
            break; // of an array that is not shown any more
        const size_t row = rowOf(slot.index());
        mark(m_matchRows, row - std::min<size_t>(row, 1), row + 1);
    }
}

void ArrayView::paintOverview(QPainter &painter)
{
    const Theme &theme = m_state.theme();
    const QRectF rect = overviewRect();
    if (m_beforeSums.size() < 2 || m_beforeSums.back() <= 0)
        return;
    painter.drawImage(rect, m_overview);
    const double total = m_beforeSums.back();
    const auto yOf = [&](size_t slot) { return rect.top() + rect.height() * m_beforeSums[slot] / total; };
    const auto paintRows = [&](const std::vector<bool> &marks, double left, double width, const QColor &colour) {
        for (auto from = std::ranges::find(marks, true); from != marks.end();) {
            const auto to = std::find(from, marks.end(), false);
            const auto row = static_cast<double>(from - marks.begin());
            painter.fillRect(QRectF(left, rect.top() + row, width, static_cast<double>(to - from)), colour);
            from = std::find(to, marks.end(), true);
        }
    };
    paintRows(m_hotRows, rect.left() - 7, 3, theme.hot);
    paintRows(m_matchRows, rect.right() + 1, 5, theme.accent);
    if (m_mode == ArrayMode::BarsHeaviest)
        return;
    // The visible part.
    const ColumnLayout &layout = m_before.layout();
    if (layout.count() == 0)
        return;
    const auto slotAt = [&](double y, bool isEnd) {
        const ArrayItem &item = m_before.items()[layout.itemAt(y, m_zoom)];
        return item.kind == ArrayItem::Kind::Slot ? item.slot.index() + (isEnd ? 1 : 0) : (isEnd ? 1 : 0);
    };
    const double top = yOf(slotAt(m_scrollBefore, false));
    const double bottom
        = yOf(std::min(slotAt(m_scrollBefore + columnRect(Side::Before).height() - 1, true), m_beforeSums.size() - 1));
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect.left() - 2, top, rect.width() + 4, std::max(4.0, bottom - top)));
}

} // namespace ui
