// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#include "ui/array/overview_strip.h"

#include "ui/hub/bookmarks.h"
#include "ui/look/bookmark_mark.h"
#include "ui/look/match_look.h"

#include <QPainter>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

void OverviewStrip::render()
{
    const QRectF rect = m_view.overviewRect();
    const int height = std::max(0, static_cast<int>(rect.height()));
    m_image = QImage(1, std::max(1, height), QImage::Format_RGB32);
    m_image.fill(m_content.theme().window);
    markHot();
    markMatches();
    markBookmarks();
    if (height == 0 || m_content.beforeSums().size() < 2 || !m_content.state().session())
        return;
    const core::Transcript &transcript = m_content.state().picture().before;
    const double total = m_content.beforeSums().back();
    for (int row = 0; row < height && total > 0; ++row) {
        // The slot in the middle of the row of pixels.
        const double at = total * (row + 0.5) / height;
        const auto next = std::ranges::upper_bound(m_content.beforeSums(), at);
        const auto slot = static_cast<size_t>(std::max<ptrdiff_t>(1, next - m_content.beforeSums().begin())) - 1;
        if (slot >= transcript.slotCount())
            continue;
        m_image.setPixelColor(0, row,
            m_content.colourOf(
                ArraySide::Before, m_content.before().items()[m_content.before().itemOf(SlotIndex(slot))]));
    }
}

bool OverviewStrip::isEmpty() const
{
    return m_view.overviewRect().height() < 1 || m_content.beforeSums().size() < 2
        || m_content.beforeSums().back() <= 0;
}

size_t OverviewStrip::rowOf(size_t slot, size_t rows) const
{
    const std::vector<double> &sums = m_content.beforeSums();
    return std::min(rows, static_cast<size_t>(static_cast<double>(rows) * sums[slot] / sums.back()));
}

void OverviewStrip::markHot()
{
    const auto rows = static_cast<size_t>(std::max(0.0, m_view.overviewRect().height()));
    m_hotRows.assign(rows, false);
    if (isEmpty())
        return;
    size_t marked = 0; // rows before it need no look again: hot slots are read in array order
    double done = 0;   // slots that end before it are within these rows
    const std::vector<double> &sums = m_content.beforeSums();
    const core::HotZones &hot = *m_content.state().picture().hot;
    for (const uint32_t place : hot.bySlot) {
        const size_t slot = hot.blocks[place].slot.index();
        if (sums[slot + 1] < done)
            continue;
        const size_t top = rowOf(slot, rows);
        const size_t end = std::min(rows, std::max(top + 2, rowOf(slot + 1, rows)));
        for (size_t row = std::max(top, marked); row < end; ++row)
            m_hotRows[row] = true;
        marked = std::max(marked, end);
        done = (static_cast<double>(marked) - 2) * sums.back() / static_cast<double>(rows);
    }
}

void OverviewStrip::markMatches()
{
    const auto rows = static_cast<size_t>(std::max(0.0, m_view.overviewRect().height()));
    m_matchRows.assign(rows, false);
    if (isEmpty())
        return;
    for (const SlotIndex slot : m_content.state().matches()) {
        if (slot.index() + 1 >= m_content.beforeSums().size())
            break; // of an array that is no longer shown
        const size_t row = rowOf(slot.index(), rows);
        for (size_t each = row - std::min<size_t>(row, 1); each < std::min(row + 1, rows); ++each)
            m_matchRows[each] = true;
    }
}

void OverviewStrip::markBookmarks()
{
    const auto rows = static_cast<size_t>(std::max(0.0, m_view.overviewRect().height()));
    m_bookmarkRows.clear();
    if (isEmpty())
        return;
    for (const core::BlockId place : m_content.state().workspace().bookmarks().places()) {
        const SlotIndex slot = m_content.before().transcript().slotOf(place);
        if (slot.isValid() && slot.index() + 1 < m_content.beforeSums().size())
            m_bookmarkRows.push_back(rowOf(slot.index(), rows));
    }
    std::ranges::sort(m_bookmarkRows);
    const auto [first, last] = std::ranges::unique(m_bookmarkRows);
    m_bookmarkRows.erase(first, last);
}

void OverviewStrip::paint(QPainter &painter) const
{
    const Theme &theme = m_content.theme();
    const QRectF rect = m_view.overviewRect();
    if (m_content.beforeSums().size() < 2 || m_content.beforeSums().back() <= 0)
        return;
    painter.drawImage(rect, m_image);
    const auto paintRows = [&](const std::vector<bool> &marks, double left, double width, const QColor &colour) {
        for (auto from = std::ranges::find(marks, true); from != marks.end();) {
            const auto to = std::find(from, marks.end(), false);
            const auto row = static_cast<double>(from - marks.begin());
            painter.fillRect(QRectF(left, rect.top() + row, width, static_cast<double>(to - from)), colour);
            from = std::find(to, marks.end(), true);
        }
    };
    paintRows(m_hotRows, rect.left() - 7, 3, theme.hot);
    for (const size_t row : m_bookmarkRows)
        paintBookmark(painter, theme, { rect.left() - 13, rect.top() + static_cast<double>(row) - 1, 5, 8 });
    paintRows(m_matchRows, rect.right() + 1, 5, matchMark(theme));
    if (m_content.mode() != ArrayMode::BarsHeaviest)
        paintFrame(painter);
}

void OverviewStrip::paintFrame(QPainter &painter) const
{
    const Theme &theme = m_content.theme();
    const QRectF rect = m_view.overviewRect();
    const std::vector<double> &sums = m_content.beforeSums();
    const ColumnLayout &layout = m_content.before().layout();
    if (layout.count() == 0)
        return;
    const auto slotAt = [&](double y, bool isEnd) {
        const ArrayItem &item = m_content.before().items()[layout.itemAt(y, m_view.zoom())];
        return item.kind == ArrayItem::Kind::Slot ? item.slot.index() + (isEnd ? 1 : 0) : (isEnd ? 1 : 0);
    };
    const auto yOf = [&](size_t slot) { return rect.top() + rect.height() * sums[slot] / sums.back(); };
    const double top = yOf(slotAt(m_view.scrollOf(ArraySide::Before), false));
    const double bottom = yOf(
        std::min(slotAt(m_view.scrollOf(ArraySide::Before) + m_view.columnRect(ArraySide::Before).height() - 1, true),
            sums.size() - 1));
    painter.setPen(QPen(theme.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(rect.left() - 2, top, rect.width() + 4, std::max(4.0, bottom - top)));
}

SlotIndex OverviewStrip::slotAt(double y) const
{
    const std::vector<double> &sums = m_content.beforeSums();
    if (sums.size() < 2)
        return {};
    const QRectF rect = m_view.overviewRect();
    const double share = std::clamp((y - rect.top()) / std::max(1.0, rect.height()), 0.0, 1.0);
    const auto next = std::ranges::upper_bound(sums, share * sums.back());
    const auto last = static_cast<ptrdiff_t>(sums.size()) - 2;
    return SlotIndex(static_cast<size_t>(std::clamp<ptrdiff_t>(next - sums.begin() - 1, 0, last)));
}

} // namespace ui
