// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/tuning/map/front_layout.h"
#include "ui/tuning/map/map_model.h"
#include "ui/widgets/paint_layer.h"
#include "ui/widgets/painted_accessible.h"

#include <QImage>
#include <QWidget>

namespace ui {

/// One metric against another: all cells as dots, the Pareto front as a line, the policy and the recorded run. A click
/// applies a cell's settings. Left and Right go along the front, and Enter applies the settings there.
class FrontView final : public QWidget, public PaintedItems {
    Q_OBJECT

public:
    explicit FrontView(MapModel &model, QWidget *parent = nullptr);

    [[nodiscard]] const FrontLayout &frontLayout() const { return m_layout; }
    [[nodiscard]] QSize minimumSizeHint() const override { return { 160, 72 }; }

    // PaintedItems: the points of the front.
    [[nodiscard]] int itemCount() const override { return static_cast<int>(m_model.front().size()); }
    [[nodiscard]] QString itemName(int item) const override;
    [[nodiscard]] QRect itemRect(int item) const override;
    [[nodiscard]] int itemAt(QPoint position) const override;
    [[nodiscard]] bool isItemSelected(int item) const override;
    void activateItem(int item) override { m_model.take(cellOf(item)); }
    [[nodiscard]] int currentItem() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    void layOut();
    [[nodiscard]] size_t cellOf(int item) const { return m_model.front()[static_cast<size_t>(item)]; }
    void paintDots(double ratio);
    /// Paints everything that does not depend on the pointer or the marker.
    void paintGround(QPainter &painter);
    void paintEnds(QPainter &painter) const;
    void paintRecorded(QPainter &painter) const;
    void paintFront(QPainter &painter) const;
    void paintPoint(QPainter &painter, const core::SweepFigures *figures, const QColor &fill, double radius) const;

    MapModel &m_model;
    FrontLayout m_layout;
    QImage m_dots;               ///< null after a change
    size_t m_changes = 0;        ///< counts changes of the front, the map's state and the colours
    PaintLayer<size_t> m_ground; ///< keyed by m_changes
};

} // namespace ui
