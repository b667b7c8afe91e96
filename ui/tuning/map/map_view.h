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

/// The map with its axes and the profiles along the marker's row and column. The marker is dragged; a click, or Enter
/// behind arrow keys, takes a cell.
class MapView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit MapView(MapModel &model, QWidget *parent = nullptr);

    [[nodiscard]] const MapLayout &mapLayout() const { return m_layout; }
    /// The middle of the marker; nothing where it is not on the map.
    [[nodiscard]] std::optional<QPointF> markerPoint() const;

    /// How often all but marker, pointer and focus was drawn.
    [[nodiscard]] size_t groundDrawings() const { return m_ground.drawings(); }

    // PaintedItems: the cells, row by row from the lowest, and the marker.
    [[nodiscard]] int itemCount() const override;
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override;

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
        Pressed, ///< the button is down on a cell: a click so far
        Marker,  ///< the marker follows the pointer
    };

    void layOut();
    void step(int columns, int rows);
    [[nodiscard]] bool isOnHandle(QPointF point) const;
    [[nodiscard]] MapModel::Place placeAt(QPointF point) const;
    void tell(int item);

    /// Paints everything that neither the pointer nor the marker changes.
    void paintGround(QPainter &painter);
    void paintMap(QPainter &painter);
    /// Of the focus, and of the cell under the pointer.
    void paintFrames(QPainter &painter) const;
    void paintAxes(QPainter &painter) const;
    void paintRecordedTriggers(QPainter &painter) const;
    /// The word beside the uppermost of them, over the marker's lines.
    void paintRecordedTag(QPainter &painter) const;
    void paintSuggested(QPainter &painter) const;
    void paintMarkerLines(QPainter &painter) const;
    void paintMarker(QPainter &painter) const;
    [[nodiscard]] std::vector<QLineF> recordedTriggerLines() const;
    void paintProfiles(QPainter &painter) const;
    void paintProfileNames(QPainter &painter) const;

    MapModel &m_model;
    MapLayout m_layout;
    QImage m_image; ///< of the map as it is laid out; null after a change
    /// The state that the ground was drawn for.
    struct GroundKey {
        size_t changes = 0; ///< of layout and colours
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
