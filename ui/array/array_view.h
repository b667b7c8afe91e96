// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/array/array_column.h"
#include "ui/array/column_cache.h"
#include "ui/array/slot_marks.h"
#include "ui/hub/view_state.h"
#include "ui/widgets/painted_accessible.h"

#include <QImage>
#include <QWidget>

#include <optional>

namespace ui {

/// The `messages` list at the chosen call, drawn as weighted slots between brackets, with an overview strip true to
/// scale, hot slots, what was read of it from the provider's cache, and the keep boundary that can be dragged. Where
/// the call is followed by a recorded compaction, the array after it stands beside it, tied by ribbons that show what
/// became of each slot.
class ArrayView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit ArrayView(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] ArrayMode mode() const { return m_mode; }
    void setMode(ArrayMode mode);
    [[nodiscard]] double zoom() const { return m_zoom; }
    /// Zooms so that the point at `y` (in the widget) stays where it is.
    void zoomAt(double factor, double y);
    /// The whole array in sight.
    void fit();
    /// The current slot in the middle; a second time, the whole array.
    void centreCurrent();

    /// What a right click on slots offers.
    void setContextActions(QList<QAction *> actions) { m_contextActions = std::move(actions); }

    /// Draws everything for a view of `rect`'s size: the same for screen and pictures.
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
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;

private:
    static constexpr double kLine = 23;     ///< height of a slot as a line of text
    static constexpr double kGap = 2;       ///< between two slots
    static constexpr double kTextFrom = 13; ///< pixels of height from which an item carries text
    static constexpr int kHeader = 50;      ///< above the columns
    static constexpr int kMargin = 14;      ///< left and right
    static constexpr int kOverviewWidth = 14;

    enum class Side { Before, After };
    struct Hit {
        Side side = Side::Before;
        size_t item = 0;
    };

    void rebuild();
    void takeHot();
    void indexHotSlots();
    void takeCache();
    void findPartners();
    /// Of the array before; nullptr if the slot is not hot.
    [[nodiscard]] const core::HotBlock *hotOf(core::SlotIndex slot) const;
    [[nodiscard]] bool hasHot(size_t firstItem, size_t lastItem) const;
    void layOut();
    /// Height of a line of text: lower when zoomed out, but never too low to read.
    [[nodiscard]] double textLine() const;
    void renderOverview();
    /// Finds the rows of the overview that are hot or hold a match.
    void markOverview();
    void scrollBy(Side side, double pixels);
    void reveal(core::SlotIndex slot);
    /// Scrolls the array after so that what stands in the middle of the view stands beside what became of it.
    void followWithAfter();
    void clampScroll();
    [[nodiscard]] bool hasAfter() const { return m_after.has_value(); }
    [[nodiscard]] ArrayColumn &column(Side side) { return side == Side::Before ? m_before : *m_after; }
    [[nodiscard]] const ArrayColumn &column(Side side) const { return side == Side::Before ? m_before : *m_after; }
    [[nodiscard]] double &scrollOf(Side side) { return side == Side::Before ? m_scrollBefore : m_scrollAfter; }
    [[nodiscard]] double scrollOf(Side side) const { return side == Side::Before ? m_scrollBefore : m_scrollAfter; }
    [[nodiscard]] const std::optional<ColumnCache> &cacheOf(Side side) const
    {
        return side == Side::Before ? m_cacheBefore : m_cacheAfter;
    }
    /// Where the read of the cache ends, in widget coordinates.
    [[nodiscard]] double cacheEnd(Side side) const;
    /// Empty where nothing is known.
    [[nodiscard]] QString cacheWordsOf(Side side, core::SlotIndex slot) const;
    [[nodiscard]] QRectF columnRect(Side side) const;
    [[nodiscard]] QRectF overviewRect() const;
    [[nodiscard]] std::optional<Hit> hitAt(QPointF position) const;
    [[nodiscard]] core::BlockId blockOf(Side side, const ArrayItem &item) const;
    [[nodiscard]] QColor colourOf(const ArrayColumn &of, const ArrayItem &item) const;

    void paintHeader(QPainter &painter, Side side) const;
    /// Of all that was sent; of a simulated array by the recorded prompt, where there is one.
    [[nodiscard]] double wholeOf(Side side) const;
    /// `20 slots · 46.7k → 21.3k · −54 %`
    [[nodiscard]] QString differenceWords(const QString &count) const;
    void paintColumn(QPainter &painter, Side side);
    void paintItem(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect);
    /// The weight of a slot in words; exact where each of its blocks is.
    [[nodiscard]] std::string slotWeight(const ArrayColumn &shown, const ArrayItem &item) const;
    void paintSlotText(QPainter &painter, const ArrayColumn &shown, const ArrayItem &item, const QRectF &rect);
    void paintBar(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect);
    void paintBesideText(QPainter &painter, const ArrayItem &item, const QRectF &rect, bool isRecorded) const;
    void paintMarks(QPainter &painter, Side side, const ArrayItem &item, const QRectF &rect) const;
    void paintBrackets(QPainter &painter, Side side) const;
    void paintRibbons(QPainter &painter);
    void paintFateMark(QPainter &painter, core::Fate fate, QPointF at, double room) const;
    void paintKeep(QPainter &painter) const;
    void paintCache(QPainter &painter, Side side) const;
    void paintCacheEnd(QPainter &painter, Side side) const;
    void paintCacheRails(QPainter &painter, Side side) const;
    void paintBreakpoints(QPainter &painter, Side side) const;
    void paintOverview(QPainter &painter);

    /// Top of the keep window in widget coordinates, if there is one to drag.
    [[nodiscard]] std::optional<double> keepLine() const;
    /// Beside the slots, whose words it must not cover.
    [[nodiscard]] QRectF keepHandle() const;
    [[nodiscard]] QString keepWords() const;
    void dragKeep(double y);
    void chooseAfter(const ArrayItem &item);
    [[nodiscard]] core::Measure keepAt(size_t cutoff) const;
    [[nodiscard]] const core::Weights &weightsOf(Side side) const;
    [[nodiscard]] SlotOverride overrideOf(core::SlotIndex slot) const;
    /// What a provider would find wrong with a slot of the array after; empty if nothing.
    [[nodiscard]] QString violationsOf(core::SlotIndex slotAfter) const;
    [[nodiscard]] bool isViolated(core::SlotIndex slotAfter) const;
    void brushTo(QPointF at);
    /// The words of a fate, and what a slot of the array after was before: `shortened from 14,521`; empty if kept.
    [[nodiscard]] QString changeOf(core::SlotIndex slotAfter) const;

    ViewState &m_state;
    ArrayMode m_mode = ArrayMode::Slots;
    QSize m_size;
    core::ThreadIndex m_thread;
    ArrayColumn m_before;
    std::optional<ArrayColumn> m_after;
    std::vector<SlotFate> m_fates;
    std::vector<uint32_t> m_beforeOf;      ///< of each slot after: the first slot before it that stands there, or -1
    std::vector<core::BlockId> m_partners; ///< of the hovered block: its call and what answers it
    std::vector<double> m_beforeSums;      ///< prefix sums of slot weights, for the fan into a summary
    double m_slotsAfter = 0;               ///< weight of all slots after
    std::optional<ColumnCache> m_cacheBefore;
    std::optional<ColumnCache> m_cacheAfter;
    std::vector<int32_t> m_hotOfSlot; ///< place among the hot zones, or -1
    std::vector<uint32_t> m_hotSums;  ///< hot items before each item of the left column
    double m_zoom = 1.0;
    double m_slotsZoom = 1.0; ///< at which the session was opened
    double m_barsZoom = 1.0;
    bool m_hasOwnZoom = false; ///< chosen by the user: another height of the view does not change it
    double m_scale = 0;
    std::pair<const void *, core::WeightUnit> m_scaleKey { nullptr, core::WeightUnit::Tokens };
    int m_scaleHeight = 0;
    double m_scrollBefore = 0;
    double m_scrollAfter = 0;
    std::vector<bool> m_hotRows; ///< rows of the overview that a mark stands beside
    std::vector<bool> m_matchRows;
    QImage m_overview;
    std::optional<size_t> m_draggedTo; ///< the cutoff that was asked for; the picture may be behind it
    std::optional<double> m_panFrom;
    bool m_draggingKeep = false;
    bool m_draggingOverview = false;
    bool m_isBrushing = false; ///< slots are being selected from the anchor on
    QList<QAction *> m_contextActions;
    core::SlotIndex m_anchor; ///< of a Shift selection
};

} // namespace ui
