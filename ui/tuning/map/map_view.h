// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/map_layout.h"
#include "ui/tuning/map/map_model.h"
#include "ui/widgets/paint_layer.h"
#include "ui/widgets/painted_accessible.h"

#include <QImage>
#include <QWidget>

namespace ui {

/// The map with its axes and the profiles along the marker's row and column. The marker can be dragged. A click on a
/// cell, or arrow keys and Enter, applies its settings.
class MapView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit MapView(MapModel &model, QWidget *parent = nullptr);

    [[nodiscard]] const MapLayout &mapLayout() const { return m_layout; }
    /// The middle of the marker; nullopt if it is not on the map.
    [[nodiscard]] std::optional<QPointF> markerPoint() const;

    /// How often the background (all but marker, pointer and focus) was painted.
    [[nodiscard]] size_t groundDrawings() const { return m_ground.drawings(); }

    // PaintedItems: the cells, row by row from the lowest, and the marker.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;
    [[nodiscard]] int currentItem() const override;

    [[nodiscard]] QSize minimumSizeHint() const override { return { 260, 180 }; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    enum class Drag : uint8_t {
        None,
        Pressed, ///< the button is down on a cell: a click, until it moves
        Marker,  ///< the marker follows the pointer
    };

    void layOut();
    void step(int columns, int rows);
    [[nodiscard]] bool isOnHandle(QPointF point) const;
    [[nodiscard]] MapModel::Place placeAt(QPointF point) const;

    /// Paints everything that does not depend on the pointer or the marker.
    void paintGround(QPainter &painter);
    void paintMap(QPainter &painter);
    /// Paints the frames of the focus and of the hovered cell.
    void paintFrames(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintRecordedTriggers(QPainter &painter) const;
    /// Paints the label of the uppermost recorded trigger, over the marker's lines.
    void paintRecordedTag(QPainter &painter) const;
    void paintAxisNames(QPainter &painter) const;
    /// Paints a ring where the preset of the policy stands.
    void paintPreset(QPainter &painter) const;
    void paintSuggested(QPainter &painter) const;
    void paintMarkerLines(QPainter &painter) const;
    void paintMarker(QPainter &painter) const;
    [[nodiscard]] std::vector<QLineF> recordedTriggerLines() const;
    [[nodiscard]] std::vector<std::pair<size_t, double>> heightsAlong(
        const std::vector<size_t> &cells, core::SweepMetric metric) const;
    void paintProfiles(QPainter &painter) const;
    void paintProfileNames(QPainter &painter) const;

    MapModel &m_model;
    MapLayout m_layout;
    QImage m_image; ///< the map as laid out; null after a change
    /// The state for which the background was painted.
    struct GroundKey {
        size_t changes = 0; ///< counts changes of layout and colours
        bool isOutdated = false;
        bool hasMarker = false;
        friend bool operator==(const GroundKey &, const GroundKey &) = default;
    };
    size_t m_changes = 0;
    PaintLayer<GroundKey> m_ground;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    QPointF m_grip; ///< from the pointer to the middle of the marker
};

} // namespace ui
