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

    // PaintedItems: the items of the left column, then those of the right one.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;

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
    /// The tool tip of a slot.
    [[nodiscard]] QString tipOf(ArraySide side, const ArrayItem &item) const;
    /// The item of an accessible index.
    [[nodiscard]] ArrayViewport::Hit hitOf(int item) const;

    ViewState &m_state;
    ArrayContent m_content;
    ArrayViewport m_view { m_content };
    OverviewStrip m_overview { m_content, m_view };
    CompositionBar m_composition { m_content, m_view };
    KeepHandle m_keep { m_content, m_view };
    core::ThreadIndex m_thread;
    std::optional<double> m_panFrom;
    bool m_draggingOverview = false;
    bool m_isBrushing = false; ///< a drag selects the slots from the anchor to the pointer
    core::SlotIndex m_anchor;  ///< fixed end of a selection with Shift
    QList<QAction *> m_contextActions;
};

} // namespace ui
