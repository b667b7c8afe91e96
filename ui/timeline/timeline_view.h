// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/hub/comparisons.h"
#include "ui/hub/traces.h"
#include "ui/hub/view_state.h"
#include "ui/timeline/cache_band.h"
#include "ui/timeline/compared_curves.h"
#include "ui/timeline/policy_curve.h"
#include "ui/timeline/timeline_layout.h"
#include "ui/timeline/trace_lanes.h"
#include "ui/timeline/trigger_levels.h"
#include "ui/widgets/paint_layer.h"
#include "ui/widgets/painted_accessible.h"

#include <QWidget>

#include <array>
#include <optional>

namespace ui {

/// Context at every call of the chosen thread as a saw-tooth: recorded prompts exact, what was not recorded estimated
/// and dashed. Recorded compactions are marked, the model's window is a dashed line, turns are ticks. A click or a drag
/// chooses the call that all views show; the last column is the end. With Shift a drag measures a range. What the
/// pointer is over is read out in the title row. The trigger of the chosen policy is a line that can be dragged up and
/// down. Below the axis stand, where there are any, the lane of the provider's cache, the table of compared policies
/// and the traces.
class TimelineView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit TimelineView(ViewState &state, QWidget *parent = nullptr);

    [[nodiscard]] const TimelineRange &range() const { return m_range; }
    /// Zooms so that what stands at `x` (in the widget) stays where it is.
    void zoomAt(double factor, double x);
    /// The whole thread in sight, also as it grows.
    void fit();
    /// The measured range, if there is one, else the chosen call in the middle; a second time, everything.
    void centre();

    /// What was measured with Shift and a drag.
    [[nodiscard]] std::optional<TimelineSeries::Measure> measured() const;
    void clearMeasured();
    /// The right side of the title row, as text.
    [[nodiscard]] QString readOut() const;

    /// What the policy's replay comes to, as text; empty as recorded.
    [[nodiscard]] QString policyWords() const;

    /// Draws everything for a view of `rect`'s size: the same for screen and pictures.
    void paint(QPainter &painter, const QRect &rect) const;

    /// A lane for what each call read from the provider's cache, and for what the run cost; none where the recording
    /// tells of no cache, or where its rules are not known.
    void setShowsCache(bool shows);
    [[nodiscard]] bool showsCache() const { return m_showsCache; }
    /// What a right click offers beside the traces.
    void setContextActions(QList<QAction *> actions) { m_contextActions = std::move(actions); }

    /// Pixels that all lanes together take below the axis.
    [[nodiscard]] int lanesHeight() const;

    [[nodiscard]] QSize minimumSizeHint() const override { return { 360, 116 + lanesHeight() }; }
    [[nodiscard]] QSize sizeHint() const override { return { 900, 210 }; }

    // PaintedItems: the columns, the recorded compactions, the traces, the bands of the cache, the rows of the table of
    // compared policies, the trigger of the policy.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;

Q_SIGNALS:
    void lanesHeightChanged();

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
    void focusOutEvent(QFocusEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    bool event(QEvent *event) override;

private:
    static constexpr double kAxisHeight = 34; ///< turns and calls, below the plot
    static constexpr int kMargin = 14;        ///< left and right
    static constexpr int kTitleHeight = 28;
    static constexpr int kPillRow = 20; ///< between title and plot

    enum class Drag { None, Scrub, Measure, Pan, Trigger };
    /// One figure of the read-out, in a place of its own width so that nothing moves while scrubbing.
    struct Field {
        QString text;
        QString widest;
        bool isQuiet = false;
    };

    void rebuild();
    void setRange(TimelineRange range);
    [[nodiscard]] TimelineLayout layOut(QSize size) const;
    [[nodiscard]] TimelineLayout layOut() const { return layOut(size()); }
    [[nodiscard]] double plotBottom(QSize size) const;
    [[nodiscard]] double windowTokens() const; ///< of the model; 0 if not known
    [[nodiscard]] double topTokens() const;    ///< at the top of the plot
    [[nodiscard]] size_t chosenColumn() const;
    void choose(size_t column);
    void chooseMark(size_t number);
    void setHovered(std::optional<size_t> column);
    void takeTriggers();
    void takeReplay();
    void takeTraces();
    void takeFigures();
    void takeComparisons();
    /// Something below the axis came, went or changed.
    void noteLanes();
    void noteLanesHeight();
    /// What is painted of the trigger, and what makes room for it.
    [[nodiscard]] QRegion triggerRegion() const;
    /// What is said of the plan beside its trigger.
    [[nodiscard]] QString planWords() const;
    /// The line of the trigger that counts; at the top where it is out of sight.
    [[nodiscard]] double triggerLine(const TimelineLayout &layout) const;
    [[nodiscard]] bool isTriggerAbove(const TimelineLayout &layout) const;
    [[nodiscard]] QString triggerWords(const TimelineLayout &layout) const;
    /// Where its label stands on the line; empty if there is none, or no room.
    [[nodiscard]] QRectF triggerLabel(const TimelineLayout &layout) const;
    [[nodiscard]] bool isOnTrigger(const TimelineLayout &layout, QPointF position) const;
    [[nodiscard]] QString triggerTip() const;
    [[nodiscard]] QString triggerDeed() const;
    void dragTrigger(const TimelineLayout &layout, double y);
    /// By a round step up or down, as the keys do; what a key that is held down does is one gesture.
    void stepTrigger(int direction);
    void endKeyGesture();
    [[nodiscard]] std::optional<size_t> markAt(const TimelineLayout &layout, QPointF position) const;
    [[nodiscard]] bool isInPlot(const TimelineLayout &layout, QPointF position) const;

    [[nodiscard]] bool isOnAxis(const TimelineLayout &layout, QPointF position) const;
    void measureTo(size_t column);

    [[nodiscard]] LaneRows laneRows(const TimelineLayout &layout) const;
    /// The trace whose lane is there.
    [[nodiscard]] std::optional<size_t> laneAt(const TimelineLayout &layout, QPointF position) const;
    /// Of a trace what holds at a column; nullptr where nothing is known or it was not there yet.
    [[nodiscard]] const core::TraceLane *stretchAt(size_t lane, size_t column) const;
    /// Goes to the call and to the carrier.
    void pressLane(size_t lane, size_t column);
    [[nodiscard]] QString laneTip(size_t lane, size_t column, bool isPolicy) const;
    void paintLanes(QPainter &painter, const TimelineLayout &layout) const;

    /// There is room for a band as soon as there may be one, so that nothing moves when it is found.
    [[nodiscard]] size_t bandCount() const;
    [[nodiscard]] CacheRows cacheRows(const TimelineLayout &layout) const;
    [[nodiscard]] QStringList moneyWords(double room) const;
    [[nodiscard]] QString cacheTip(size_t band, size_t column) const;
    [[nodiscard]] QString bandName(size_t band) const;
    void paintCacheLane(QPainter &painter, const TimelineLayout &layout) const;
    void paintBand(
        QPainter &painter, const TimelineLayout &layout, const CacheBand &band, double top, const QColor &colour) const;

    /// A row of the table: its line, its name, and what it comes to; no totals while they are being found.
    struct CompareRow {
        QString name;
        QPen pen;
        QStringList totals;
    };
    [[nodiscard]] size_t compareRowCount() const;
    [[nodiscard]] CompareRows compareRows(const TimelineLayout &layout) const;
    [[nodiscard]] std::vector<CompareRow> compareTable() const;
    [[nodiscard]] QString compareWords(size_t row) const;
    void paintComparedCurves(QPainter &painter, const TimelineLayout &layout) const;
    void paintCompareTable(QPainter &painter, const TimelineLayout &layout) const;

    /// What an accessible item behind the columns stands for, and which of its kind.
    enum class Part { Mark, Trace, Band, Comparison, Trigger };
    [[nodiscard]] std::pair<Part, size_t> partOf(size_t item) const;
    [[nodiscard]] QString markName(size_t number) const;
    [[nodiscard]] QRect markRect(const TimelineLayout &layout, size_t number) const;

    [[nodiscard]] QString nameOf(size_t column) const;
    [[nodiscard]] QString tokensText(size_t column) const;
    [[nodiscard]] QString policyTokensText(size_t column) const;
    [[nodiscard]] QString timeText(size_t column) const;
    /// Of what the figures are made, and what is out of sight; what matters most first.
    [[nodiscard]] QStringList basisWords() const;
    [[nodiscard]] QStringList replayWords() const;
    [[nodiscard]] core::TokenFigure recordedSent() const;
    /// The longest of what can be said of the curves that has room.
    [[nodiscard]] double wantedWordRoom(const QFontMetricsF &metrics) const;
    [[nodiscard]] QString titleWords(double room, const QFontMetricsF &metrics) const;
    [[nodiscard]] QString measureText(const TimelineSeries::Measure &measure) const;
    [[nodiscard]] std::vector<Field> fields() const;

    /// What of the picture the pointer and the chosen call change nothing of, and the rest.
    void paintCurves(QPainter &painter, const TimelineLayout &layout) const;
    /// What none of `dirty` needs may be left out.
    void paintOverCurves(QPainter &painter, const TimelineLayout &layout, QSize size, const QRect &dirty) const;
    void paintFromLayers(QPainter &painter, const QRect &dirty);
    void paintBands(QPainter &painter, const TimelineLayout &layout) const;
    /// What of the trigger's label is in the way of the acts' numbers.
    [[nodiscard]] QRectF coveredActs(const TimelineLayout &layout) const;
    void paintTitle(QPainter &painter, const QSize &size) const;
    void paintAxes(QPainter &painter, const TimelineLayout &layout) const;
    /// It stands back where a policy's line is drawn over it.
    [[nodiscard]] QColor recordedColour() const;
    void paintCurve(QPainter &painter, const TimelineLayout &layout) const;
    void paintLine(
        QPainter &painter, const TimelineLayout &layout, const std::vector<TimelineLayout::Span> &spans) const;
    void paintMergedLine(
        QPainter &painter, const TimelineLayout &layout, const std::vector<TimelineLayout::Span> &spans) const;
    void paintWindow(QPainter &painter, const TimelineLayout &layout) const;
    void paintTriggers(QPainter &painter, const TimelineLayout &layout) const;
    void paintTriggerLabel(QPainter &painter, const TimelineLayout &layout) const;
    void paintMarks(QPainter &painter, const TimelineLayout &layout) const;
    void paintMeasured(QPainter &painter, const TimelineLayout &layout) const;
    void paintChosen(QPainter &painter, const TimelineLayout &layout) const;
    void paintAssumption(QPainter &painter, const TimelineLayout &layout, const QRectF &pill) const;
    void paintHovered(QPainter &painter, const TimelineLayout &layout) const;

    ViewState &m_state;
    Traces &m_traces;
    Comparisons &m_comparisons;
    core::SessionPtr m_session; ///< what the series was made of
    core::BlockTokensPtr m_tokens;
    core::ThreadIndex m_thread;
    TimelineSeries m_series;
    core::ReplayPtr m_replay; ///< what the policy's curve was made of
    PolicyCurve m_policyCurve;
    core::PromptSums m_policyPrompts;
    std::vector<PolicyCurve> m_comparedCurves; ///< as the comparisons; empty while they are being found
    std::array<CacheBand, 2> m_bands;          ///< recorded, the policy's
    bool m_showsCache = false;
    bool m_expectsCache = false; ///< the recording tells of a cache whose rules are known
    int m_lanesHeight = 0;       ///< that was told of last
    QList<QAction *> m_contextActions;
    bool m_spansDays = false;
    TimelineRange m_range;
    /// What a layer was drawn for.
    struct LayerKey {
        TimelineRange range;
        size_t changes = 0; ///< of what stands on it
        double plotBottom = 0;
        double window = 0;
        double top = 0;
        QRectF covered; ///< of the row where the policy's acts are numbered, by the label of the trigger
        friend bool operator==(const LayerKey &, const LayerKey &) = default;
    };
    PaintLayer<LayerKey> m_curveLayer;
    PaintLayer<LayerKey> m_bandLayer;
    size_t m_bandsChanged = 0;  ///< counts the changes of the cache's bands and colours
    size_t m_curvesChanged = 0; ///< counts the changes of curves and colours
    bool m_isFitted = true;
    std::optional<size_t> m_hovered;
    Drag m_drag = Drag::None;
    double m_panFrom = 0;
    size_t m_measureFrom = 0;
    bool m_measuresOnAxis = false; ///< where a click chooses
    TriggerLevels m_triggers;
    QString m_planWords;                                 ///< that were painted
    size_t m_shownColumn = 0;                            ///< the chosen one that was painted
    std::optional<double> m_heldTop;                     ///< the scale stays while a trigger is moved along it
    double m_triggerGrip = 0;                            ///< how far below its line the trigger was taken hold of
    bool m_isSteppingTrigger = false;                    ///< by a key that is still down
    std::optional<std::pair<size_t, size_t>> m_measured; ///< as drawn: the first column is where the drag began
};

} // namespace ui
