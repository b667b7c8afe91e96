// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// The accessible items of the array.

#include "ui/array/array_view.h"
#include "ui/array/array_words.h"

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;

int ArrayView::firstOf(ItemKind kind) const
{
    const auto countOf = [this](ItemKind each) -> size_t {
        switch (each) {
        case ItemKind::Before:
            return m_content.before().items().size();
        case ItemKind::After:
            return m_content.hasAfter() ? m_content.after().items().size() : 0;
        case ItemKind::PartBefore:
            return m_content.compositionOf(ArraySide::Before).size();
        case ItemKind::PartAfter:
            return m_content.hasAfter() ? m_content.compositionOf(ArraySide::After).size() : 0;
        case ItemKind::Keep:
            break;
        }
        return 0;
    };
    size_t first = 0;
    for (const ItemKind each : { ItemKind::Before, ItemKind::After, ItemKind::PartBefore, ItemKind::PartAfter }) {
        if (each == kind)
            break;
        first += countOf(each);
    }
    return static_cast<int>(first);
}

std::pair<ArrayView::ItemKind, size_t> ArrayView::kindOf(int item) const
{
    auto kind = ItemKind::Before;
    for (const ItemKind each : { ItemKind::After, ItemKind::PartBefore, ItemKind::PartAfter, ItemKind::Keep }) {
        if (item >= firstOf(each))
            kind = each;
    }
    return { kind, static_cast<size_t>(item - firstOf(kind)) };
}

int ArrayView::itemCount() const
{
    if (!m_state.session())
        return 0;
    return firstOf(ItemKind::Keep) + (m_keep.exists() ? 1 : 0);
}

QString ArrayView::itemName(int item) const
{
    const auto [kind, index] = kindOf(item);
    switch (kind) {
    case ItemKind::Before:
        return slotName({ ArraySide::Before, index });
    case ItemKind::After:
        return slotName({ ArraySide::After, index });
    case ItemKind::PartBefore:
        return m_composition.wordsOf(partOf(ArraySide::Before, index));
    case ItemKind::PartAfter:
        return tr("%1, after the compaction").arg(m_composition.wordsOf(partOf(ArraySide::After, index)));
    case ItemKind::Keep:
        break;
    }
    return m_keep.name();
}

QString ArrayView::slotName(const ArrayViewport::Hit &hit) const
{
    const ArraySide side = hit.side;
    const ArrayItem &entry = itemOf(hit);
    const QString weight
        = tr("about %1 %2")
              .arg(groupedText(static_cast<uint64_t>(entry.weight)), displayText(m_state.weights().unitName()));
    if (entry.kind != ArrayItem::Kind::Slot)
        return tr("%1, %2").arg(nameOf(entry.kind), weight);
    const bool isBefore = side == ArraySide::Before;
    const core::SlotLabel &label = m_content.column(side).label(entry.slot);
    QStringList name { (isBefore ? tr("slot %1") : tr("slot %1 after the compaction")).arg(entry.slot.value()),
        displayText(label.role), displayText(label.what).replace(u'_', u' '), weight };
    if (isBefore && m_content.hotOf(entry.slot) != nullptr)
        name << tr("hot");
    const SlotOverride what = m_content.overrideOf(side, entry.slot);
    const QString change
        = !isBefore && m_state.picture().made() ? m_content.changeOf(entry.slot) : QString(); // `edited from ~3.7k`
    if (what.isThere() && change.isEmpty())
        name << what.words();
    if (!change.isEmpty())
        name << change;
    if (m_content.isBookmarked(side, entry.slot))
        name << tr("bookmarked");
    if (m_content.isViolated(side, entry.slot))
        name << tr("not valid");
    if (const QString cached = m_content.cacheWordsOf(side, entry.slot); !cached.isEmpty())
        name << cached;
    return name.join(u", "_s);
}

QString ArrayView::itemTip(int item) const
{
    const auto [kind, index] = kindOf(item);
    const ArraySide side
        = kind == ItemKind::After || kind == ItemKind::PartAfter ? ArraySide::After : ArraySide::Before;
    if (kind == ItemKind::PartBefore || kind == ItemKind::PartAfter)
        return m_composition.tip(partOf(side, index));
    if (kind == ItemKind::Keep)
        return m_keep.tip();
    const ArrayItem &entry = itemOf({ side, index });
    if (entry.kind == ArrayItem::Kind::Slot)
        return tipOf(side, entry);
    const std::vector<CompositionPart> &parts = m_content.compositionOf(side);
    const auto part = std::ranges::find(parts, entry.kind, &CompositionPart::kind);
    return part == parts.end() ? itemName(item) : m_composition.tip({ side, *part });
}

QRect ArrayView::itemRect(int item) const
{
    const auto [kind, index] = kindOf(item);
    switch (kind) {
    case ItemKind::Before:
    case ItemKind::After: {
        const ArraySide side = kind == ItemKind::Before ? ArraySide::Before : ArraySide::After;
        return m_view.itemRect(side, index).intersected(m_view.columnRect(side)).toAlignedRect();
    }
    case ItemKind::PartBefore:
        return m_composition.rectOf(ArraySide::Before, index).toAlignedRect();
    case ItemKind::PartAfter:
        return m_composition.rectOf(ArraySide::After, index).toAlignedRect();
    case ItemKind::Keep:
        break;
    }
    return m_keep.rect().toAlignedRect();
}

int ArrayView::itemAt(QPoint position) const
{
    if (!m_state.session())
        return -1;
    if (m_keep.exists() && m_keep.contains(position))
        return firstOf(ItemKind::Keep);
    for (const ItemKind kind : { ItemKind::PartBefore, ItemKind::PartAfter }) {
        const int end = firstOf(kind == ItemKind::PartBefore ? ItemKind::PartAfter : ItemKind::Keep);
        for (int part = firstOf(kind); part < end; ++part) {
            if (itemRect(part).contains(position))
                return part;
        }
    }
    const auto hit = m_view.hitAt(position);
    if (!hit)
        return -1;
    return firstOf(hit->side == ArraySide::After ? ItemKind::After : ItemKind::Before) + static_cast<int>(hit->item);
}

std::vector<int> ArrayView::itemsInSight() const
{
    std::vector<int> items;
    if (!m_state.session())
        return items;
    // Of slots that are too thin to be drawn one by one, the heaviest stands for all; the current one is always there.
    const int current = currentItem();
    for (const ArraySide side : { ArraySide::Before, ArraySide::After }) {
        if (side == ArraySide::After && !m_content.hasAfter())
            break;
        const int first = firstOf(side == ArraySide::Before ? ItemKind::Before : ItemKind::After);
        for (const ColumnLayout::Span &span : m_view.spans(side))
            items.push_back(first + static_cast<int>(span.heaviest));
    }
    for (int rest = firstOf(ItemKind::PartBefore); rest < itemCount(); ++rest)
        items.push_back(rest);
    const auto place = std::ranges::lower_bound(items, current);
    if (current >= 0 && (place == items.end() || *place != current))
        items.insert(place, current);
    return items;
}

int ArrayView::currentItem() const
{
    if (!m_state.session())
        return -1;
    if (m_keep.isRunning() && m_keep.exists())
        return firstOf(ItemKind::Keep);
    if (m_afterItem && m_content.hasAfter() && *m_afterItem < m_content.after().items().size())
        return firstOf(ItemKind::After) + static_cast<int>(*m_afterItem);
    if (m_chosenPart && *m_chosenPart < m_content.compositionOf(ArraySide::Before).size())
        return firstOf(ItemKind::PartBefore) + static_cast<int>(*m_chosenPart);
    const core::SlotIndex slot = m_outlined.isValid() ? m_outlined : m_state.currentSlot();
    const bool isThere = slot.isValid() && slot.index() < m_state.picture().before.slotCount();
    return isThere ? static_cast<int>(m_content.before().itemOf(slot)) : -1;
}

bool ArrayView::isItemSelected(int item) const
{
    const auto [kind, index] = kindOf(item);
    if (kind != ItemKind::Before)
        return currentItem() == item;
    const ArrayItem &entry = itemOf({ ArraySide::Before, index });
    return entry.kind == ArrayItem::Kind::Slot
        && std::ranges::find(m_state.selection(), entry.slot) != m_state.selection().end();
}

void ArrayView::activateItem(int item)
{
    const auto [kind, index] = kindOf(item);
    switch (kind) {
    case ItemKind::Before:
        return m_state.setCurrentSlot(itemOf({ ArraySide::Before, index }).slot); // invalid for other items
    case ItemKind::After:
        return chooseAfter(itemOf({ ArraySide::After, index }));
    case ItemKind::PartBefore:
        return pressPart(partOf(ArraySide::Before, index));
    case ItemKind::PartAfter:
    case ItemKind::Keep:
        break;
    }
}

std::optional<PaintedItems::Value> ArrayView::itemValue(int item) const
{
    if (kindOf(item).first != ItemKind::Keep || !m_keep.exists())
        return std::nullopt;
    const auto slots = static_cast<double>(m_state.picture().before.slotCount());
    return Value { slots - static_cast<double>(m_keep.cutoff()), 1, slots, 1 };
}

void ArrayView::setItemValue(int, double value)
{
    const size_t slots = m_state.picture().before.slotCount();
    if (m_keep.exists())
        m_keep.keepFrom(slots - std::min(slots, static_cast<size_t>(value)));
}

} // namespace ui
