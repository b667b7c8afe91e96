// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/timeline/lane_places.h"
#include "ui/timeline/timeline_content.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_words.h"
#include "ui/timeline/trigger_gesture.h"
#include "ui/widgets/paint_layer.h"
#include "ui/widgets/painted_accessible.h"

#include <QWidget>

#include <optional>

namespace ui {

/// The context size at every call of the chosen thread: recorded prompts solid, estimates dashed. Recorded compactions
/// and findings are marked, the model's window is a dashed line, turns are ticks. Clicking or dragging chooses the call
/// that all views show; the last column is the end. Dragging with Shift, or along the axis, measures a range. The title
/// row shows the figures of the hovered call. The trigger of the chosen policy is a draggable line. Below the axis are
/// lanes for the provider's cache, compared policies and traces.
class TimelineView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit TimelineView(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] const TimelineRange &range() const { return m_range; }
    /// Zooms; the call at `x` (in the widget) stays in place.
    void zoomAt(double factor, double x);
    /// Shows the whole thread, and keeps doing so while it grows.
    void fit();
    /// Shows the measured range, else centres the chosen call; if that is already so, shows everything.
    void centre();

    /// The measured range, if any.
    [[nodiscard]] std::optional<TimelineSeries::Measure> measured() const;
    void clearMeasured();
    /// The text at the right of the title row.
    [[nodiscard]] QString readOut() const { return words().readOut(); }
    /// The totals of the policy's replay; empty without one.
    [[nodiscard]] QString policyWords() const { return words().policyWords(); }
    /// The facts at the head of the view, for so many pixels.
    [[nodiscard]] QString factsFor(double room) const
    {
        return words().factsFor(room, QFontMetricsF(Theme::textFont(12)));
    }

    /// Draws a whole view of `rect`'s size, for the screen and for pictures.
    void paint(QPainter &painter, const QRect &rect) const;

    /// Shows or hides the lane of cache and costs. The lane does not exist if the recording has no cache usage or the
    /// cache's rules are unknown.
    void setShowsCache(bool shows);
    [[nodiscard]] bool showsCache() const { return m_content.showsCache(); }
    /// Shows or hides the rows of the compared policies. Their curves stay.
    void setShowsCompareTable(bool shows);
    /// The context menu outside of the traces.
    void setContextActions(QList<QAction *> actions) { m_contextActions = std::move(actions); }

    /// A folded timeline is a strip of fixed height: the curves, the compactions and the chosen call.
    void setFolded(bool isFolded);
    [[nodiscard]] bool isFolded() const { return m_isFolded; }

    /// Height of all lanes below the axis in pixels.
    [[nodiscard]] int lanesHeight() const { return m_isFolded ? 0 : LanePlaces::below(0, m_content).height(); }

    [[nodiscard]] QSize minimumSizeHint() const override
    {
        return { 360, m_isFolded ? TimelineMetrics::kFolded : 116 + lanesHeight() };
    }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 210 }; }

    // PaintedItems: the columns, the recorded compactions, the places of findings, the traces, the bands of the cache,
    // the rows of the table of compared policies, the bookmarks, the trigger of the policy.
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
    void lanesHeightChanged();
    /// The user clicked on the mark that folds and unfolds.
    void foldRequested(bool isFolded);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool event(QEvent *event) override;

private:
    enum class Drag { None, Scrub, Measure, Pan, Trigger };

    void rebuild();
    void updateReplay();
    void updateTriggers();
    void updateFigures();
    void updateComparisons();
    void updateFindings();
    void updateBookmarks();
    /// Lanes below the axis were added, removed or changed.
    void updateLanes();
    void updateLanesHeight();

    void setRange(TimelineRange range);
    void setHovered(std::optional<size_t> column);
    void measureTo(size_t column);
    void startDrag(const TimelineLayout &layout, QPointF position, Qt::KeyboardModifiers modifiers);
    void endTriggerSteps();
    /// Cancels a gesture of the trigger, or clears a measured range; false if there is neither.
    bool takeBack();
    /// Handles keys that go to another call; returns false for other keys.
    bool stepTo(int key);
    /// Handles keys with Shift; returns false for other keys.
    bool stepWithShift(int key);
    /// Moves the end of the measured range that is not the chosen call.
    void extendMeasured(int columns);
    /// Chooses the next trace, as a click on its lane at the chosen call does.
    void stepTrace(int traces);
    [[nodiscard]] QString tipAt(QPoint position) const;

    [[nodiscard]] TimelineLayout layOut(QSize size) const;
    [[nodiscard]] TimelineLayout layOut() const { return layOut(size()); }
    [[nodiscard]] double plotBottom(QSize size) const;
    [[nodiscard]] QRect foldMark() const;
    void paintFoldMark(QPainter &painter) const;
    /// A trigger that can be dragged.
    [[nodiscard]] bool isTriggerMovable() const { return !m_isFolded && m_content.triggers().isMovable; }
    [[nodiscard]] double topTokens() const { return m_trigger.heldTop().value_or(m_content.topTokens()); }
    [[nodiscard]] LanePlaces places(const TimelineLayout &layout) const;
    [[nodiscard]] TimelineWords words() const;
    /// The part of the title row that depends on the plan.
    [[nodiscard]] QString planWords() const;
    [[nodiscard]] QRegion triggerRegion() const;
    [[nodiscard]] static bool isInPlot(const TimelineLayout &layout, QPointF position);
    [[nodiscard]] static bool isOnAxis(const TimelineLayout &layout, QPointF position);
    /// The mark of findings at a position; a folded timeline has none.
    [[nodiscard]] std::optional<FindingTrack::Group> findingsAt(const TimelineLayout &layout, QPointF position) const;
    /// The trace whose lane is at a position.
    [[nodiscard]] std::optional<size_t> traceAt(const TimelineLayout &layout, QPointF position) const;

    /// The kind of an accessible item behind the columns, and its index within the kind.
    enum class Part { Mark, Finding, Trace, Band, Comparison, Bookmark, Trigger };
    [[nodiscard]] std::pair<Part, size_t> partOf(size_t item) const;
    /// Everything that tool tips say of a call.
    [[nodiscard]] QString tipOfColumn(size_t column) const;

    /// Paints what neither the pointer nor the chosen call changes.
    void paintCurves(QPainter &painter, const TimelineLayout &layout) const;
    /// Paints the rest; may leave out what is outside of `dirty`.
    void paintOverCurves(QPainter &painter, const TimelineLayout &layout, QSize size, const QRect &dirty) const;
    void paintFromLayers(QPainter &painter, const QRect &dirty);

    TimelineContent m_content;
    TriggerGesture m_trigger { m_content };
    TimelineRange m_range;
    bool m_isFitted = true;
    bool m_isFolded = false;
    std::optional<size_t> m_hovered;
    std::optional<std::pair<size_t, size_t>> m_measured; ///< as dragged: the first column is where the drag began
    Drag m_drag = Drag::None;
    double m_panFrom = 0;
    size_t m_measureFrom = 0;
    bool m_isOnTrace = false;      ///< keys have chosen a trace since they chose a call
    bool m_measuresOnAxis = false; ///< a click on the axis chooses a call
    QList<QAction *> m_contextActions;

    /// The state for which a layer was drawn.
    struct LayerKey {
        TimelineRange range;
        size_t version = 0; ///< of the shown data
        double plotBottom = 0;
        double window = 0;
        double top = 0;
        QRectF covered; ///< part of the row of acts that the trigger's label covers
        friend bool operator==(const LayerKey &, const LayerKey &) = default;
    };
    PaintLayer<LayerKey> m_curveLayer;
    PaintLayer<LayerKey> m_bandLayer;
    size_t m_curveVersion = 0;
    size_t m_bandVersion = 0;
    int m_lanesHeight = 0;    ///< last reported
    QString m_planWords;      ///< last painted
    size_t m_shownColumn = 0; ///< chosen column that was last painted
};

} // namespace ui
