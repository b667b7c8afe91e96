// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The keep boundary of the policy: its line and its handle, and dragging it.

#include "ui/array/array_view.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

namespace {

constexpr double kHandleGap = 11; ///< from the slots: their bracket stands between

} // namespace

std::optional<double> ArrayView::keepLine() const
{
    const size_t slots = m_state.picture().before.slotCount();
    // Between two arrays that were observed no keep window decides anything.
    if (slots == 0 || m_mode == ArrayMode::BarsHeaviest || m_state.picture().observed)
        return std::nullopt;
    const size_t cutoff = m_state.picture().cutoff;
    const ColumnLayout &layout = m_before.layout();
    const double top
        = cutoff < slots ? layout.top(m_before.itemOf(SlotIndex(cutoff)), m_zoom) : layout.totalHeight(m_zoom);
    return columnRect(Side::Before).top() + top - m_scrollBefore - kGap / 2;
}

QRectF ArrayView::keepHandle() const
{
    const auto line = keepLine();
    if (!line)
        return {};
    const QRectF rect = columnRect(Side::Before);
    if (*line < rect.top() - 10 || *line > rect.bottom() + 10)
        return {};
    const double width = QFontMetricsF(Theme::textFont(11)).horizontalAdvance(keepWords()) + 16;
    return { rect.right() + kHandleGap, std::round(*line) - 9, width, 18 };
}

/// `keep 10 % of window`, or `10 %` if there is no room beside the slots.
QString ArrayView::keepWords() const
{
    const core::Measure keep = m_state.workspace().keep();
    const QString words = tr("keep %1").arg(QString::fromStdString(keep.words()));
    const QRectF rect = columnRect(Side::Before);
    const double end = hasAfter() ? columnRect(Side::After).left() - kHandleGap : m_size.width() - 2;
    const double room = end - rect.right() - kHandleGap - 16;
    return QFontMetricsF(Theme::textFont(11)).horizontalAdvance(words) <= room
        ? words
        : QString::fromStdString(keep.fieldText());
}

void ArrayView::paintKeep(QPainter &painter) const
{
    const auto line = keepLine();
    if (!line)
        return;
    const Theme &theme = m_state.theme();
    const QRectF rect = columnRect(Side::Before);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    // The keep window is bracketed along the right bracket of the column.
    const double end = std::min(rect.bottom(), rect.top() + m_before.layout().totalHeight(m_zoom) - m_scrollBefore);
    const double from = std::max(rect.top(), *line);
    if (from < end) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawLine(QPointF(rect.right() + 7, from), QPointF(rect.right() + 7, end));
    }
    const QRectF handle = keepHandle();
    if (!handle.isEmpty()) {
        const double y = std::round(*line) + 0.5;
        painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
        painter.drawLine(QPointF(rect.left(), y), QPointF(handle.left(), y));
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(theme.base);
        painter.drawRoundedRect(handle.adjusted(0.5, 0.5, -0.5, -0.5), 9, 9);
        painter.setFont(Theme::textFont(11));
        painter.drawText(handle, Qt::AlignCenter, keepWords());
    }
    painter.restore();
}

core::Measure ArrayView::keepAt(size_t cutoff) const
{
    const ArrayPicture &picture = m_state.picture();
    const size_t slots = picture.before.slotCount();
    const core::Measure now = m_state.workspace().keep();
    if (const auto &policy = m_state.workspace().plan().policy)
        return core::keepBeginningAt(
            picture.before, *policy, *m_state.workspace().tokens(), SlotIndex(cutoff), m_state.workspace().memo());
    if (now.unit == core::Measure::Unit::Messages)
        return { static_cast<double>(slots - cutoff), now.unit };
    double tokens = 0;
    for (size_t i = cutoff; i < slots; ++i) {
        for (const core::BlockId id : picture.before.blocksOf(picture.before.slots()[i]))
            tokens += m_state.workspace().tokens()->of(id);
    }
    if (now.unit == core::Measure::Unit::Tokens)
        return { std::ceil(tokens), now.unit };
    double whole = static_cast<double>(m_state.session()->windowTokens.value_or(0));
    if (whole <= 0) {
        for (const core::BlockId id : picture.before.blocks())
            whole += m_state.workspace().tokens()->of(id);
    }
    // Rounded up, so that the slot at the boundary stays inside.
    return { std::ceil(tokens / std::max(1.0, whole) * 10000) / 10000, now.unit };
}

void ArrayView::dragKeep(double y)
{
    const QRectF rect = columnRect(Side::Before);
    const ColumnLayout &layout = m_before.layout();
    const double inColumn = y - rect.top() + m_scrollBefore;
    const size_t item = layout.itemAt(inColumn, m_zoom);
    const bool isLowerHalf = inColumn > layout.top(item, m_zoom) + layout.height(item, m_zoom) / 2;
    const ArrayItem &under = m_before.items()[item];
    size_t cutoff = under.kind == ArrayItem::Kind::Slot ? under.slot.index() + (isLowerHalf ? 1 : 0) : 0;
    cutoff = std::min(cutoff, m_state.picture().before.slotCount() - 1); // the last slot is always kept
    if (cutoff == m_draggedTo.value_or(m_state.picture().cutoff))
        return;
    m_draggedTo = cutoff;
    m_state.workspace().previewKeep(keepAt(cutoff));
}

} // namespace ui
