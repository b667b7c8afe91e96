// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// What assistive technology is told of the picture.

#include "ui/array/array_view.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

int ArrayView::itemCount() const
{
    return static_cast<int>(m_before.items().size() + (hasAfter() ? m_after->items().size() : 0));
}

QString ArrayView::itemName(int item) const
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    const ArrayColumn &shown = isBefore ? m_before : *m_after;
    const ArrayItem &entry = shown.items()[static_cast<size_t>(item) - (isBefore ? 0 : m_before.items().size())];
    const QString weight = tr("about %1 %2")
                               .arg(displayText(core::groupedNumber(static_cast<uint64_t>(entry.weight))),
                                   displayText(m_state.weights().unitName()));
    if (entry.kind != ArrayItem::Kind::Slot)
        return entry.kind == ArrayItem::Kind::Prelude ? tr("prelude, %1").arg(weight) : tr("unlogged, %1").arg(weight);
    const core::SlotLabel &label = shown.label(entry.slot);
    QString name = isBefore ? tr("slot %1").arg(entry.slot.value()) : tr("slot %1 after").arg(entry.slot.value());
    name
        += u", "_s + displayText(label.role) + u", "_s + displayText(label.what).replace(u'_', u' ') + u", "_s + weight;
    if (isBefore && hotOf(entry.slot) != nullptr)
        name += tr(", hot");
    if (const SlotOverride what = isBefore ? overrideOf(entry.slot) : SlotOverride(); what.isThere())
        name += u", "_s + what.words();
    if (!isBefore && m_state.picture().made()) {
        if (const QString change = changeOf(entry.slot); !change.isEmpty())
            name += u", "_s + change;
        if (isViolated(entry.slot))
            name += tr(", not valid");
    }
    const QString cached = cacheWordsOf(isBefore ? Side::Before : Side::After, entry.slot);
    return cached.isEmpty() ? name : name + u", "_s + cached;
}

QRect ArrayView::itemRect(int item) const
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    const Side side = isBefore ? Side::Before : Side::After;
    if (!isBefore && !hasAfter())
        return {};
    const size_t index = static_cast<size_t>(item) - (isBefore ? 0 : m_before.items().size());
    const QRectF rect = columnRect(side);
    const ColumnLayout &layout = column(side).layout();
    const QRectF place(rect.left(), rect.top() + layout.top(index, m_zoom) - scrollOf(side), rect.width(),
        layout.height(index, m_zoom));
    return place.intersected(rect).toAlignedRect();
}

int ArrayView::itemAt(QPoint position) const
{
    const auto hit = hitAt(position);
    if (!hit)
        return -1;
    return static_cast<int>(hit->item + (hit->side == Side::After ? m_before.items().size() : 0));
}

bool ArrayView::isItemSelected(int item) const
{
    if (static_cast<size_t>(item) >= m_before.items().size())
        return false;
    const ArrayItem &entry = m_before.items()[static_cast<size_t>(item)];
    return entry.kind == ArrayItem::Kind::Slot
        && std::ranges::find(m_state.selection(), entry.slot) != m_state.selection().end();
}

void ArrayView::activateItem(int item)
{
    const bool isBefore = static_cast<size_t>(item) < m_before.items().size();
    if (isBefore && m_before.items()[static_cast<size_t>(item)].kind == ArrayItem::Kind::Slot)
        m_state.setCurrentSlot(m_before.items()[static_cast<size_t>(item)].slot);
    else if (!isBefore)
        chooseAfter(m_after->items()[static_cast<size_t>(item) - m_before.items().size()]);
}

} // namespace ui
