// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

// Keys and tool tips of the array.

#include "ui/array/array_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>

#include <algorithm>

namespace ui {

using namespace Qt::StringLiterals;
using core::SlotIndex;

bool ArrayView::stepTo(int key)
{
    if (key != Qt::Key_M)
        m_chosenPart.reset();
    m_afterItem.reset();
    switch (key) {
    case Qt::Key_Left:
    case Qt::Key_K:
        m_state.stepSlot(-1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_J:
        m_state.stepSlot(1);
        return true;
    case Qt::Key_Up:
        m_state.stepCall(-1);
        return true;
    case Qt::Key_Down:
        m_state.stepCall(1);
        return true;
    case Qt::Key_Home:
        m_state.setCurrentSlot(SlotIndex(0U));
        return true;
    case Qt::Key_End:
        m_state.setCurrentSlot(SlotIndex(m_state.picture().before.slotCount() - 1));
        return true;
    case Qt::Key_Period:
        m_state.stepSameKind(1);
        return true;
    case Qt::Key_Comma:
        m_state.stepSameKind(-1);
        return true;
    case Qt::Key_BracketRight:
        m_state.stepHot(1);
        return true;
    case Qt::Key_BracketLeft:
        m_state.stepHot(-1);
        return true;
    case Qt::Key_M:
        stepPart(1);
        return true;
    default:
        return false;
    }
}

bool ArrayView::stepWith(Qt::KeyboardModifiers modifiers, int key)
{
    const bool isBack = key == Qt::Key_Left || key == Qt::Key_Up || key == Qt::Key_PageUp;
    const int direction = isBack ? -1 : 1;
    const bool isSideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const bool isUpright = key == Qt::Key_Up || key == Qt::Key_Down;
    if (!m_state.session() || m_state.picture().before.slotCount() == 0)
        return false;
    if (modifiers == Qt::ShiftModifier && isSideways)
        extendSelection(direction);
    else if (modifiers == Qt::ShiftModifier && isUpright)
        stepKeep(direction);
    else if (modifiers == Qt::ShiftModifier && key == Qt::Key_M)
        stepPart(-1);
    else if (modifiers == Qt::ControlModifier && isSideways)
        outlineNext(direction);
    else if (modifiers == Qt::ControlModifier && key == Qt::Key_Space)
        toggleOutlined();
    else if (modifiers == Qt::ControlModifier && (key == Qt::Key_PageUp || key == Qt::Key_PageDown))
        stepAfter(direction);
    else
        return false;
    return true;
}

void ArrayView::extendSelection(int slots)
{
    const SlotIndex current = m_state.currentSlot();
    if (!current.isValid() || m_state.selection().empty())
        return;
    const std::vector<SlotIndex> &selection = m_state.selection();
    const SlotIndex end = selection.front() == current ? selection.back() : selection.front();
    const int last = static_cast<int>(m_state.picture().before.slotCount()) - 1;
    const SlotIndex next(static_cast<uint32_t>(std::clamp(static_cast<int>(end.value()) + slots, 0, last)));
    m_anchor = current;
    selectTo(next);
    reveal(next);
}

void ArrayView::outlineNext(int slots)
{
    const SlotIndex from = m_outlined.isValid() ? m_outlined : m_state.currentSlot();
    const int last = static_cast<int>(m_state.picture().before.slotCount()) - 1;
    const int start = from.isValid() ? static_cast<int>(from.value()) : 0;
    const SlotIndex next(static_cast<uint32_t>(std::clamp(start + slots, 0, last)));
    reveal(next);
    m_state.setHoveredBlock(m_content.before().firstBlockOf(next));
    m_outlined = next;
    tellCurrentItem(*this);
}

void ArrayView::toggleOutlined()
{
    if (m_outlined.isValid())
        toggleSelected(m_outlined);
}

void ArrayView::stepAfter(int slots)
{
    if (!m_content.hasAfter())
        return;
    const std::vector<ArrayItem> &items = m_content.after().items();
    const auto isSlot = [](const ArrayItem &item) { return item.kind == ArrayItem::Kind::Slot; };
    const auto count = static_cast<std::ptrdiff_t>(items.size());
    std::ptrdiff_t at = 0;
    if (m_afterItem) {
        at = static_cast<std::ptrdiff_t>(*m_afterItem) + slots;
    } else { // the first that is not before the current slot
        const auto begins = std::ranges::find_if(items, [&](const ArrayItem &item) {
            const SlotIndex origin = isSlot(item) ? m_content.originOf(item.slot) : SlotIndex();
            return origin.isValid() && m_state.currentSlot().isValid() && origin >= m_state.currentSlot();
        });
        at = begins == items.end() ? 0 : begins - items.begin();
    }
    while (at >= 0 && at < count && !isSlot(items[static_cast<size_t>(at)]))
        at += slots;
    if (at < 0 || at >= count)
        return;
    const auto item = static_cast<size_t>(at);
    chooseAfter(items[item]);
    m_afterItem = item;
    const QRectF place = m_view.itemRect(ArraySide::After, item);
    const QRectF column = m_view.columnRect(ArraySide::After);
    if (place.top() < column.top())
        scrollBy(ArraySide::After, place.top() - column.top());
    else if (place.bottom() > column.bottom())
        scrollBy(ArraySide::After, std::min(place.top() - column.top(), place.bottom() - column.bottom()));
    tellCurrentItem(*this);
}

void ArrayView::stepPart(int parts)
{
    const auto count = static_cast<int>(m_content.compositionOf(ArraySide::Before).size());
    int at = m_chosenPart ? static_cast<int>(*m_chosenPart) : parts > 0 ? -1 : 0;
    for (int tried = 0; tried < count; ++tried) {
        at = (at + parts + count) % count;
        const CompositionBar::Hit part = partOf(ArraySide::Before, static_cast<size_t>(at));
        if (!part.part.isMaterial())
            continue;
        pressPart(part);
        m_chosenPart = static_cast<size_t>(at);
        return tellCurrentItem(*this);
    }
}

void ArrayView::stepKeep(int slots)
{
    if (!m_keep.exists())
        return;
    m_keep.step(slots);
    reveal(SlotIndex(static_cast<uint32_t>(m_keep.cutoff())));
}

void ArrayView::keyReleaseEvent(QKeyEvent *event)
{
    if (!event->isAutoRepeat())
        m_keep.endSteps();
    QWidget::keyReleaseEvent(event);
}

void ArrayView::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    tellCurrentItem(*this);
}

void ArrayView::focusOutEvent(QFocusEvent *event)
{
    m_keep.endSteps();
    QWidget::focusOutEvent(event);
}

void ArrayView::keyPressEvent(QKeyEvent *event)
{
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier; // some platforms set it for arrows
    if (modifiers == Qt::NoModifier ? stepTo(event->key()) : stepWith(modifiers, event->key()))
        return;
    const double page = m_view.columnRect(ArraySide::Before).height() * 0.9;
    switch (event->key()) {
    case Qt::Key_PageUp:
        return scrollBy(ArraySide::Before, -page);
    case Qt::Key_PageDown:
        return scrollBy(ArraySide::Before, page);
    case Qt::Key_F:
        return centreCurrent();
    case Qt::Key_Escape:
        if (m_keep.cancel())
            return unsetCursor();
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
    }
}

bool ArrayView::event(QEvent *event)
{
    if (event->type() == QEvent::ShortcutOverride && m_keep.isRunning()
        && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        event->accept(); // cancels the gesture first
        return true;
    }
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    if (const int item = itemAt(help->pos()); item >= 0) {
        QToolTip::showText(help->globalPos(), toolTipText(itemTip(item)), this);
    } else {
        QToolTip::hideText();
        event->ignore();
    }
    return true;
}

QString ArrayView::tipOf(ArraySide side, const ArrayItem &item) const
{
    const core::SlotLabel &label = m_content.column(side).label(item.slot);
    QString tip = displayText(label.text()) + u" · "_s + displayText(m_content.slotWeight(side, item)) + u' '
        + displayText(m_state.weights().unitName());
    if (!label.subject.empty())
        tip += u'\n' + displayText(label.subject);
    const QString change
        = side == ArraySide::After && m_state.picture().made() ? m_content.changeOf(item.slot) : QString();
    if (!change.isEmpty())
        tip += u'\n' + change;
    if (const SlotOverride what = m_content.overrideOf(side, item.slot); what.isThere() && change.isEmpty())
        tip += u'\n' + what.words();
    if (m_content.isBookmarked(side, item.slot))
        tip += u'\n' + m_content.bookmarkWords(side, item.slot);
    if (const QString cached = m_content.cacheWordsOf(side, item.slot); !cached.isEmpty())
        tip += u'\n' + cached;
    if (m_content.isViolated(side, item.slot))
        tip += u'\n' + m_content.violationsOf(item.slot);
    return tip;
}

} // namespace ui
