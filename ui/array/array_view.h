// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_viewport.h"
#include "ui/array/composition_bar.h"
#include "ui/array/keep_handle.h"
#include "ui/array/overview_strip.h"
#include "ui/widgets/painted_accessible.h"

#include <QWidget>

#include <optional>
#include <utility>
#include <vector>

namespace ui {

/// The `messages` array at the chosen call, drawn as weighted slots between brackets, with an overview strip, hot
/// slots, cache reads, and the draggable boundary of the keep window. The array after a compaction is drawn beside it;
/// ribbons show the fate of each slot.
class ArrayView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit ArrayView(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] ArrayMode mode() const { return m_content.mode(); }
    void setMode(ArrayMode mode);
    [[nodiscard]] double zoom() const { return m_view.zoom(); }
    /// Zooms; the point at `y` (in the widget) stays in its place.
    void zoomAt(double factor, double y);
    /// Shows the whole array.
    void fit();
    /// Scrolls the current slot to the middle; if it is there already, shows the whole array.
    void centreCurrent();

    /// The context menu of slots.
    void addContextActions(const QList<QAction *> &actions) { m_contextActions += actions; }

    /// Draws a whole view of `rect`'s size, for the screen and for pictures.
    void paint(QPainter &painter, const QRect &rect);

    [[nodiscard]] QSize minimumSizeHint() const override { return { 360, 200 }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 600 }; }

    // PaintedItems: the items of the left column, those of the right one, the parts of the left bar and of the right
    // one, the boundary of the keep window.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;
    [[nodiscard]] int currentItem() const override;
    [[nodiscard]] QString itemTip(int item) const override;
    [[nodiscard]] std::vector<int> itemsInSight() const override;
    [[nodiscard]] std::optional<Value> itemValue(int item) const override;
    void setItemValue(int item, double value) override;

Q_SIGNALS:
    void modeChanged();

protected:
    void contextMenuEvent(QContextMenuEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    /// Brings the current slot into sight: it may have changed while the view was hidden.
    void showEvent(QShowEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;

private:
    void rebuild();
    void updateCache();
    void reveal(core::SlotIndex slot);
    void scrollBy(ArraySide side, double pixels);
    [[nodiscard]] const ArrayItem &itemOf(const ArrayViewport::Hit &hit) const
    {
        return m_content.column(hit.side).items()[hit.item];
    }
    /// Selects the origin of a slot of the `after` array, or the added block.
    void chooseAfter(const ArrayItem &item);
    void pressSlot(core::SlotIndex slot, Qt::KeyboardModifiers modifiers);
    /// Selects the slots with texts of the part.
    void pressPart(const CompositionBar::Hit &hit);
    void toggleSelected(core::SlotIndex slot);
    /// Selects the slots from the anchor to `slot`.
    void selectTo(core::SlotIndex slot);
    void brushTo(QPointF at);
    /// Handles keys that go to another slot or call; returns false for other keys.
    bool stepTo(int key);
    /// Handles keys with Shift or Ctrl; returns false for other keys.
    bool stepWith(Qt::KeyboardModifiers modifiers, int key);
    /// Moves the end of the selection that is not the current slot.
    void extendSelection(int slots);
    /// Outlines another slot, as the pointer does, and brings it into sight.
    void outlineNext(int slots);
    void toggleOutlined();
    /// Chooses the next slot of the `after` array.
    void stepAfter(int slots);
    /// Selects the slots with the texts of the next part of the bar.
    void stepPart(int parts);
    void stepKeep(int slots);
    /// The tool tip of a slot.
    [[nodiscard]] QString tipOf(ArraySide side, const ArrayItem &item) const;
    /// What an accessible index stands for, and the index within.
    enum class ItemKind { Before, After, PartBefore, PartAfter, Keep };
    [[nodiscard]] std::pair<ItemKind, size_t> kindOf(int item) const;
    [[nodiscard]] int firstOf(ItemKind kind) const;
    [[nodiscard]] QString slotName(const ArrayViewport::Hit &hit) const;
    [[nodiscard]] CompositionBar::Hit partOf(ArraySide side, size_t part) const
    {
        return { side, m_content.compositionOf(side)[part] };
    }

    ViewState &m_state;
    ArrayContent m_content;
    ArrayViewport m_view { m_content };
    OverviewStrip m_overview { m_content, m_view };
    CompositionBar m_composition { m_content, m_view };
    KeepHandle m_keep { m_content, m_view };
    core::ThreadIndex m_thread;
    std::optional<double> m_panFrom;
    bool m_draggingOverview = false;
    bool m_isBrushing = false;          ///< a drag selects the slots from the anchor to the pointer
    core::SlotIndex m_anchor;           ///< fixed end of a selection with Shift
    core::SlotIndex m_outlined;         ///< by keys
    std::optional<size_t> m_afterItem;  ///< chosen by keys
    std::optional<size_t> m_chosenPart; ///< of the bar, by keys
    QList<QAction *> m_contextActions;
};

} // namespace ui
