// SPDX-FileCopyrightText: 2026 Palimpsest contributors
// SPDX-License-Identifier: MIT

#pragma once

#include "ui/look/theme.h"
#include "ui/message/image_decoding.h"

#include <QWidget>

namespace ui {

/// A picture of a message, fitted into the view, with its size in pixels below it. Ctrl+wheel zooms at the pointer,
/// dragging moves, Ctrl+0 fits again; with focus so do `+`, `-` and `0`.
class ImageView final : public QWidget {
    Q_OBJECT

public:
    explicit ImageView(QWidget *parent = nullptr);

    void setPicture(MessagePicture picture);
    [[nodiscard]] const MessagePicture &picture() const { return m_picture; }
    void setTheme(const Theme &theme);

    /// Device-independent screen pixels per picture pixel.
    [[nodiscard]] double zoom() const;
    void zoomAt(double factor, QPointF position);
    void fit();
    /// Rectangle of the drawn picture.
    [[nodiscard]] QRectF pictureRect() const;

    void paint(QPainter &painter, const QRect &rect);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    [[nodiscard]] QSizeF fullSize() const;
    [[nodiscard]] QString caption() const;
    [[nodiscard]] double fittingZoom() const;
    void clampCentre();
    /// Pans by an arrow key; returns false for other keys.
    bool panBy(int key);

    Theme m_theme = Theme::make(Appearance::Light);
    MessagePicture m_picture;
    QSize m_size;
    double m_zoom = 0; ///< 0: fitted
    QPointF m_centre;  ///< picture pixel in the middle of the view
    QPointF m_dragFrom;
};

} // namespace ui
